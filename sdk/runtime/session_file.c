// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/session_file.c: the state of a session as a file:
 *
 *   1  16 bytes  "buddy session 1\n"
 *   2  u64       bytes of the whole file
 *   3  u64       bd_content_hash of all that is after these 40 bytes
 *   4  u64       number of values that follow
 *   5  for each  u64 bytes of its name, the name
 *                u64 dtype, u64 rank, rank times i64 size
 *                the elements, dense, in the order of the axes
 *
 * Each part of 5 begins at a multiple of 8 bytes, and zeros are between; all is little-endian. States
 * that have no value are not there. A file may be anybody's: it is read through a cursor that knows
 * where it ends, names and types are compared with the session's before anything is copied, and the
 * session takes the new values when all of them are there. */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/bytes.h"
#include "core/base/infile.h"
#include "core/base/memory.h"
#include "core/base/outfile.h"
#include "core/base/try.h"
#include "sdk/runtime/common.h"
#include "sdk/runtime/cells.h"
#include "sdk/runtime/strided.h"

#define MAGIC "buddy session 1\n"
#define HEADER 40u

static size_t size_of(const buddy_tensor *tensor) {
  return (size_t)buddy_tensor_n_elements(tensor) * buddy_dtype_size(tensor->dtype);
}

/* ---- Writing ---- */

static void put(bd_bytes *out, const void *data, size_t n) {
  static const char zeros[8];
  bd_bytes_append(out, data, n);
  bd_bytes_append(out, zeros, -n % 8);
}

static void put_number(bd_bytes *out, uint64_t number) { put(out, &number, sizeof(number)); }

static void put_value(bd_bytes *out, const char *name, const buddy_tensor *tensor) {
  put_number(out, strlen(name));
  put(out, name, strlen(name));
  put_number(out, (uint64_t)tensor->dtype);
  put_number(out, tensor->rank);
  put(out, tensor->sizes, tensor->rank * sizeof(int64_t));
  if (buddy_tensor_is_contiguous(tensor)) {
    put(out, tensor->bytes, size_of(tensor));
    return;
  }
  void *dense = bd_malloc(size_of(tensor) + 1);
  if (dense) bd_strided_pack(tensor, dense);
  if (dense) put(out, dense, size_of(tensor));
  if (!dense) out->code = BUDDY_OUT_OF_MEMORY;
  bd_free(dense);
}

static void put_values(const buddy_session *session, bd_bytes *out) {
  uint64_t n = 0;
  char header[HEADER] = {0};
  bd_bytes_append(out, header, HEADER);
  for (size_t i = 0; i < session->routes->n_states; ++i) {
    if (!session->cells[i]) continue;
    put_value(out, session->routes->states[i].name, &session->cells[i]->tensor);
    ++n;
  }
  if (out->code != BUDDY_OK) return;
  const uint64_t size = out->size;
  const uint64_t hash = bd_content_hash(out->data + HEADER, out->size - HEADER);
  memcpy(out->data, MAGIC, 16);
  memcpy(out->data + 16, &size, sizeof(size));
  memcpy(out->data + 24, &hash, sizeof(hash));
  memcpy(out->data + 32, &n, sizeof(n));
}

buddy_code buddy_session_save(const buddy_session *session, const char *path, buddy_diags *diags) {
  bd_bytes bytes = {.data = NULL};
  bd_outfile file;
  put_values(session, &bytes);
  buddy_code code = bytes.code;
  if (code == BUDDY_OK) code = bd_outfile_open(path, diags, &file);
  if (code == BUDDY_OK) {
    bd_outfile_write(&file, bytes.data, bytes.size);
    code = bd_outfile_commit(&(bd_outfile *){&file}, 1, diags);
  }
  bd_bytes_deinit(&bytes);
  return code;
}

/* ---- Reading ---- */

typedef struct cursor {
  const char *at;
  size_t left;
} cursor;

/* The next n bytes; null: there are not so many. */
static const void *take(cursor *c, uint64_t n) {
  const char *at = c->at;
  if (n > c->left || (-n % 8) > c->left - n) return NULL;
  const size_t size = (size_t)(n + (-n % 8));
  c->at += size;
  c->left -= size;
  return at;
}

static bool take_number(cursor *c, uint64_t *out) {
  const void *bytes = take(c, sizeof(*out));
  if (bytes) memcpy(out, bytes, sizeof(*out));
  return bytes != NULL;
}

static const bd_state *find(const bd_routes *routes, const char *name, size_t n) {
  for (size_t i = 0; i < routes->n_states; ++i) {
    const char *own = routes->states[i].name;
    if (strlen(own) == n && memcmp(own, name, n) == 0) return &routes->states[i];
  }
  return NULL;
}

/* The tensor over the bytes of the file, once it is known to be of a state's type; its sizes go to
 * `numbers`. False: damaged, or of another type. */
static bool take_tensor(cursor *c, const buddy_port *port, int64_t *numbers, buddy_tensor *out) {
  uint64_t dtype, rank;
  if (!take_number(c, &dtype) || !take_number(c, &rank)) return false;
  if (dtype != (uint64_t)port->dtype || rank != port->rank || rank > BD_MAX_RANK) return false;
  const void *sizes = take(c, rank * sizeof(int64_t));
  if (!sizes) return false;
  memcpy(numbers, sizes, (size_t)rank * sizeof(int64_t));
  *out = (buddy_tensor){.dtype = port->dtype, .rank = port->rank, .sizes = numbers};
  uint64_t n = buddy_dtype_size(port->dtype);
  for (uint32_t d = 0; d < port->rank; ++d) {
    if (numbers[d] < 0 || __builtin_mul_overflow(n, (uint64_t)numbers[d], &n)) return false;
  }
  const void *bytes = bd_port_takes(port, out) ? take(c, n) : NULL;
  memcpy(&out->bytes, &bytes, sizeof(bytes)); /* it is copied from, and not written to */
  return bytes != NULL;
}

static buddy_code refuse(const char *path, buddy_code code, const char *what, buddy_diags *diags) {
  return buddy_diags_add(diags, BUDDY_ERROR, code, path,
                         "give a file that buddy_session_save wrote for the same programs", "%s",
                         what);
}

static buddy_code read_value(const buddy_session *session, const char *path, cursor *c,
                             bd_cell **cells, buddy_diags *diags) {
  static const char other[] = "it holds a state that the session has not, or has of another type";
  int64_t numbers[BD_MAX_RANK];
  uint64_t n;
  const char *name = take_number(c, &n) ? take(c, n) : NULL;
  if (!name) return refuse(path, BUDDY_CORRUPT, "the file is cut", diags);
  const bd_state *state = find(session->routes, name, (size_t)n);
  buddy_tensor view, copy;
  if (!state || !take_tensor(c, state->port, numbers, &view))
    return refuse(path, BUDDY_INCOMPATIBLE, other, diags);
  bd_cell **place = &cells[state - session->routes->states];
  if (*place) return refuse(path, BUDDY_CORRUPT, "it holds a state twice", diags);
  BD_TRY(buddy_tensor_create(view.dtype, view.rank, view.sizes, &copy));
  if (size_of(&copy) > 0) memcpy(copy.bytes, view.bytes, size_of(&copy));
  *place = bd_cell_create(&copy);
  if (*place) return BUDDY_OK;
  buddy_tensor_release(&copy);
  return BUDDY_OUT_OF_MEMORY;
}

static buddy_code read_values(const buddy_session *session, const char *path, const char *bytes,
                              size_t size, bd_cell **cells, buddy_diags *diags) {
  uint64_t length, hash, n;
  if (size < HEADER || memcmp(bytes, MAGIC, 16) != 0)
    return refuse(path, BUDDY_CORRUPT, "this is no state of a session", diags);
  memcpy(&length, bytes + 16, sizeof(length));
  memcpy(&hash, bytes + 24, sizeof(hash));
  memcpy(&n, bytes + 32, sizeof(n));
  if (length != size || hash != bd_content_hash(bytes + HEADER, size - HEADER))
    return refuse(path, BUDDY_CORRUPT, "the file is cut, or does not match its checksum", diags);
  cursor c = {bytes + HEADER, size - HEADER};
  buddy_code code = BUDDY_OK;
  for (uint64_t i = 0; i < n && code == BUDDY_OK; ++i)
    code = read_value(session, path, &c, cells, diags);
  return code == BUDDY_OK && c.left > 0
             ? refuse(path, BUDDY_CORRUPT, "there is more in it than it says", diags)
             : code;
}

/* The new values are the session's, or none of them is. */
static void swap(buddy_session *session, bd_cell **cells) {
  bd_cell **old = session->cells;
  session->cells = cells;
  for (size_t i = 0; i < session->routes->n_states; ++i) bd_cell_release(old[i]);
  bd_free(old);
}

static void drop(const buddy_session *session, bd_cell **cells) {
  for (size_t i = 0; cells && i < session->routes->n_states; ++i) bd_cell_release(cells[i]);
  bd_free(cells);
}

buddy_code buddy_session_load(buddy_session *session, const char *path, buddy_diags *diags) {
  bd_infile file;
  bd_fault fault;
  buddy_code code = bd_infile_open(path, NULL, diags, &file);
  if (code != BUDDY_OK) return code;
  bd_cell **cells = bd_calloc(session->routes->n_states + 1, sizeof(bd_cell *));
  void *bytes = file.size > 0 ? bd_infile_map(&file) : NULL;
  if (!cells) {
    code = BUDDY_OUT_OF_MEMORY;
  } else if (!bytes && file.size > 0) {
    bd_fault_errno(&fault, "cannot be mapped");
    code = buddy_diags_add(diags, BUDDY_ERROR, fault.code, path, NULL, "%s", fault.text);
  } else {
    code = read_values(session, path, bytes, file.size, cells, diags);
  }
  if (bytes) munmap(bytes, file.size);
  bd_infile_close(&file);
  if (code == BUDDY_OK) {
    swap(session, cells);
  } else {
    drop(session, cells);
  }
  return code;
}
