// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/registry.hpp: registries in C++17. No exception may cross into the host, which is C, so
 * every callback goes through a guard; and the descriptor is made without designated initialisers.
 *
 *   static buddy_code emit(void *state, const buddy_op *self, buddy_call *call);   // may throw
 *   static constexpr buddy_op ops[] = {
 *       buddy::row("aten.relu.default", "self").floats().emitted_by<emit>()};
 *   static const char *const dialects[] = {"arith", nullptr};
 *   BUDDY_CXX_REGISTRY(mine, "0.1.0", "me", "MIT", 0, ops,
 *                      buddy::described().with_dialects(dialects).opened_by(be_open));
 *
 * What a guarded callback throws becomes a failure of the call with what() as its reason. */
#ifndef BUDDY_REGISTRY_HPP
#define BUDDY_REGISTRY_HPP

#include <cstring>
#include <exception>
#include <new>

#include "buddy/ask.h"

namespace buddy {

using callback = buddy_code (*)(void *state, const buddy_op *self, buddy_call *call);
using open_function = buddy_code (*)(const buddy_host *host, void **out_state, char *why,
                                     size_t why_size);

namespace detail {
inline buddy_code fail(buddy_call *call, buddy_code code, const char *why) noexcept {
  return be_host->fail(call, code, buddy_sv{why, std::strlen(why)});
}
}  // namespace detail

/* A callback that may throw, as one that does not. */
template <callback Function>
buddy_code guard(void *state, const buddy_op *self, buddy_call *call) noexcept {
  try {
    return Function(state, self, call);
  } catch (const std::bad_alloc &) {
    return detail::fail(call, BUDDY_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception &error) {
    return detail::fail(call, BUDDY_INTERNAL, error.what());
  } catch (...) {
    return detail::fail(call, BUDDY_INTERNAL, "threw something that is no std::exception");
  }
}

/* The same for open(); `why` says what was thrown. */
template <open_function Function>
buddy_code guard_open(const buddy_host *host, void **out_state, char *why,
                      size_t why_size) noexcept {
  const char *text = "threw something that is no std::exception";
  try {
    return Function(host, out_state, why, why_size);
  } catch (const std::exception &error) {
    text = error.what();
    std::strncpy(why, text, why_size - 1);
    why[why_size - 1] = 0;
    return BUDDY_INTERNAL;
  } catch (...) {
  }
  std::strncpy(why, text, why_size - 1);
  why[why_size - 1] = 0;
  return BUDDY_INTERNAL;
}

/* One row, put together at compile time. */
struct row : buddy_op {
  constexpr row(const char *name_, const char *args_) : buddy_op{} {
    name = name_;
    args = args_;
  }
  constexpr row dtypes(uint32_t in, uint32_t out) const {
    row r = *this;
    r.in_dtypes = in;
    r.out_dtypes = out;
    return r;
  }
  constexpr row floats() const { return dtypes(BUDDY_FLOATS, BUDDY_FLOATS); }
  constexpr row with_benefit(uint32_t value) const {
    row r = *this;
    r.benefit = value;
    return r;
  }
  constexpr row is_static() const {
    row r = *this;
    r.flags |= BUDDY_ROW_STATIC;
    return r;
  }
  constexpr row using_data(const void *data) const {
    row r = *this;
    r.user = data;
    return r;
  }
  template <callback Function>
  constexpr row matched_by() const {
    row r = *this;
    r.match = guard<Function>;
    return r;
  }
  template <callback Function>
  constexpr row emitted_by() const {
    row r = *this;
    r.emit = guard<Function>;
    return r;
  }
  template <callback Function>
  constexpr row expanded_by() const {
    row r = *this;
    r.expand = guard<Function>;
    return r;
  }
};
static_assert(sizeof(row) == sizeof(buddy_op), "rows are the ABI's own struct");

/* The fields of the descriptor that not every registry has. */
struct described : buddy_registry {
  constexpr described() : buddy_registry{} {}
  constexpr described with_dialects(const char *const *list) const {
    described d = *this;
    d.dialects = list;
    return d;
  }
  constexpr described with_schemas(const char *const *list) const {
    described d = *this;
    d.schemas = list;
    return d;
  }
  constexpr described needing(const char *const *list) const {
    described d = *this;
    d.depends = list;
    return d;
  }
  constexpr described serial() const {
    described d = *this;
    d.flags |= BUDDY_REGISTRY_SERIAL;
    return d;
  }
  constexpr described opened_by(open_function function) const {
    described d = *this;
    d.open = function;
    return d;
  }
  constexpr described closed_by(void (*function)(void *)) const {
    described d = *this;
    d.close = function;
    return d;
  }
  constexpr described extended_by(const void *(*function)(void *, const char *)) const {
    described d = *this;
    d.extension = function;
    return d;
  }
};

constexpr buddy_registry describe(described d, const char *name, const char *version,
                                  const char *vendor, const char *license, uint32_t llvm,
                                  const buddy_op *ops, uint32_t n_ops) {
  d.struct_size = sizeof(buddy_registry);
  d.abi_version = BUDDY_ABI_VERSION;
  d.llvm_version = llvm;
  d.name = name;
  d.version = version;
  d.vendor = vendor;
  d.license = license;
  d.ops = ops;
  d.n_ops = n_ops;
  d.op_stride = sizeof(buddy_op);
  return d;
}

}  // namespace buddy

/* BUDDY_REGISTRY for C++: `ops` is an array of buddy::row. The last argument is a
 * buddy::described. */
#define BUDDY_CXX_REGISTRY(id, version_, vendor_, license_, llvm, ops_, described_) \
  __attribute__((section(BUDDY_NOTE_SECTION), used,                                 \
                 aligned(4))) static const buddy_elf_note buddy_elf_note_ = {       \
      8u,                                                                           \
      BUDDY_NOTE_DESC_SIZE,                                                         \
      BUDDY_NOTE_TYPE,                                                              \
      {'b', 'u', 'd', 'd', 'y', 0, 0, 0},                                           \
      BUDDY_ABI_VERSION,                                                            \
      (llvm),                                                                       \
      (uint32_t)sizeof(buddy_registry),                                             \
      (uint32_t)sizeof(buddy_op),                                                   \
      (uint32_t)sizeof(buddy_host),                                                 \
      (uint32_t)(sizeof(ops_) / sizeof((ops_)[0])),                                 \
      BUDDY_SANITIZER,                                                              \
      0u,                                                                           \
      #id,                                                                          \
      version_,                                                                     \
      vendor_,                                                                      \
      license_};                                                                    \
  static constexpr buddy_registry buddy_registry_ =                                 \
      buddy::describe(described_, #id, version_, vendor_, license_, (llvm), ops_,   \
                      (uint32_t)(sizeof(ops_) / sizeof((ops_)[0])));                \
  extern "C" const buddy_registry *buddy_registry_query(uint32_t host_abi) {        \
    return (host_abi >> 16) == BUDDY_ABI_MAJOR ? &buddy_registry_ : nullptr;        \
  }                                                                                 \
  struct buddy_registry_needs_semicolon_

#endif
