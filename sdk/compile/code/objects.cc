// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sdk/compile/code/objects.cc: see objects.h.
#include "sdk/compile/code/objects.h"

#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/memory.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include "sdk/llvm/triple.h"

LLD_HAS_DRIVER(elf)

namespace {

std::unique_ptr<llvm::MCSubtargetInfo> subtarget(const char *triple, const char *cpu,
                                                 const char *features) {
  std::string error;
  const bd_registry_triple parsed(triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(parsed, error);
  if (target == nullptr) return nullptr;
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target->createMCSubtargetInfo(parsed, cpu, features));
}

// Of names that the target does not know, none is there.
bool has(const llvm::MCSubtargetInfo &info, llvm::StringRef name) {
  for (const auto &feature : info.getAllProcessorFeatures()) {
    if (name == feature.Key) return info.getFeatureBits()[feature.Value];
  }
  return false;
}

void copy(const std::string &from, char *text, size_t size) {
  std::snprintf(text, size, "%s", from.c_str());
}

}  // namespace

int bd_cpu_is_known(const char *triple, const char *cpu) {
  const auto info = subtarget(triple, "", "");
  return info != nullptr && (std::strcmp(cpu, "generic") == 0 || info->isCPUStringValid(cpu));
}

int bd_triples_are_alike(const char *a, const char *b) {
  const llvm::Triple x(a), y(b);
  return x.getArch() == y.getArch() && x.getOS() == y.getOS() &&
         x.getEnvironment() == y.getEnvironment();
}

void bd_triple_folder(const char *triple, char *text, size_t size) {
  const llvm::Triple parsed(triple);
  copy(parsed.getArchName().str() + "-" + parsed.getOSName().str() + "-" +
           parsed.getEnvironmentName().str(),
       text, size);
}

void bd_cpu_features(const char *triple, const char *cpu, const char *features, const char *names,
                     char *text, size_t size) {
  std::string found;
  const auto info = subtarget(triple, cpu, features);
  llvm::SmallVector<llvm::StringRef, 16> all;
  llvm::SplitString(names, all, ",");
  for (const llvm::StringRef name : all) {
    if (info == nullptr || !has(*info, name)) continue;
    found += (found.empty() ? "" : ",") + name.str();
  }
  copy(found, text, size);
}

bool bd_cpu_leave_out(const char *triple, const char *cpu, const char *features, const char *name,
                      char **out_features) {
  *out_features = nullptr;
  const auto all = subtarget(triple, cpu, features);
  if (all == nullptr) return false;
  std::string fewer = features;
  bool is_known = false;
  for (const auto &feature : all->getAllProcessorFeatures()) {
    if (!llvm::StringRef(feature.Key).starts_with(name)) continue;
    is_known = true;
    fewer += std::string(fewer.empty() ? "-" : ",-") + feature.Key;
  }
  if (!is_known) return false;
  const auto left = subtarget(triple, cpu, fewer.c_str());
  std::string text;
  for (const auto &feature : left->getAllProcessorFeatures()) {
    const std::string with = std::string("+") + feature.Key;
    text += (text.empty() ? "" : ",") + (left->checkFeatures(with) ? with : "-" + with.substr(1));
  }
  *out_features = bd_strdup(text.c_str());
  return true;
}

buddy_code bd_static_library_write(const bd_member *members, size_t n, const buddy_writer *out,
                                   buddy_diags *diags) {
  std::vector<llvm::NewArchiveMember> all;
  for (size_t i = 0; i < n; i++)
    all.emplace_back(llvm::MemoryBufferRef(
        {static_cast<const char *>(members[i].object), members[i].n_bytes}, members[i].name));
  auto made = llvm::writeArchiveToBuffer(all, llvm::SymtabWritingMode::NormalSymtab,
                                         llvm::object::Archive::K_GNU, /*Deterministic=*/true,
                                         /*Thin=*/false);
  if (made) return out->write(out->user, (*made)->getBufferStart(), (*made)->getBufferSize());
  const std::string message = llvm::toString(made.takeError());
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INTERNAL, "static library", nullptr,
                         "cannot be made: %s", message.c_str());
}

buddy_code bd_link(const char *const *arguments, buddy_diags *diags) {
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> guard(one_at_a_time);
  std::vector<const char *> words{"ld.lld"};
  for (; *arguments != nullptr; ++arguments) words.push_back(*arguments);
  std::string out, problems;
  llvm::raw_string_ostream out_stream(out), problem_stream(problems);
  const lld::Result result =
      lld::lldMain(words, out_stream, problem_stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode == 0) return BUDDY_OK;
  while (!problems.empty() && problems.back() == '\n') problems.pop_back();
  for (size_t at; (at = problems.find('\n')) != std::string::npos;)
    problems.replace(at, 1, ";"); /* a diagnostic is one line */
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INTERNAL, "linking", nullptr, "%s",
                         problems.empty() ? "the linker gave no reason" : problems.c_str());
}
