// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/elf.c: the preflight of a plugin file.
 *
 * dlopen trusts what it maps: a truncated file ends the process with SIGBUS, a hash table without
 * buckets with SIGFPE, and constructors run before we could ask anything. So this looks first, at
 *
 *   1  the ELF header         64 bits, our byte order and machine, ET_DYN
 *   2  the program headers    each PT_LOAD inside the file and in ascending order; PT_DYNAMIC and
 *                             PT_NOTE inside it
 *   3  the note "buddy"       in a PT_NOTE: versions, sanitizer, sizes, name, version, vendor,
 *                             license (registry.h, 7)
 *   4  the dynamic section    DT_STRTAB and DT_SYMTAB inside a PT_LOAD; no DT_NEEDED of another
 *                             LLVM; no program
 *   5  the symbol hash        DT_GNU_HASH or DT_HASH well-formed; defines buddy_registry_query, and
 *                             no LLVM of its own
 *
 * Section headers are not looked at: they may be stripped. Offsets are uint64_t and compared before
 * use. */
#define _GNU_SOURCE
#include "core/registry/elf.h"

#include <elf.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/registry/spelling.h"

#if defined(__x86_64__)
#define HOST_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define HOST_MACHINE EM_AARCH64
#elif defined(__riscv)
#define HOST_MACHINE EM_RISCV
#elif defined(__powerpc64__)
#define HOST_MACHINE EM_PPC64
#elif defined(__s390x__)
#define HOST_MACHINE EM_S390
#elif defined(__loongarch__)
#define HOST_MACHINE 258
#else
#error "the ELF number of this machine is not known here"
#endif
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HOST_DATA ELFDATA2LSB
#else
#define HOST_DATA ELFDATA2MSB
#endif
#define MAX_PROGRAM_HEADERS 128

typedef struct elf_file {
  const unsigned char *bytes;
  uint64_t size;
  const bd_elf_host *host;
  bd_elf_info *info;
  Elf64_Phdr segments[MAX_PROGRAM_HEADERS];
  size_t n_segments;
  uint64_t dynamic, dynamic_size;   /* in the file */
  uint64_t strings, strings_size;   /* in the file */
  uint64_t symbols, gnu_hash, hash; /* addresses; 0: none */
} elf_file;

__attribute__((format(printf, 3, 4))) static bool refuse(elf_file *file, buddy_code code,
                                                         const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(file->info->refusal, sizeof file->info->refusal, format, args);
  va_end(args);
  file->info->code = code;
  return false;
}

/* ---- Reading, within bounds ---- */
static bool is_inside(const elf_file *file, uint64_t offset, uint64_t size) {
  return offset <= file->size && size <= file->size - offset;
}

static bool read_at(const elf_file *file, uint64_t offset, void *out, uint64_t size) {
  if (!is_inside(file, offset, size)) return false;
  memcpy(out, file->bytes + offset, size);
  return true;
}

/* Where in the file `size` bytes at an address of the loaded object are. */
static bool find_offset(const elf_file *file, uint64_t address, uint64_t size,
                        uint64_t *out_offset) {
  for (size_t i = 0; i < file->n_segments; ++i) {
    const Elf64_Phdr *segment = &file->segments[i];
    if (segment->p_type != PT_LOAD || address < segment->p_vaddr) continue;
    const uint64_t within = address - segment->p_vaddr;
    if (within > segment->p_filesz || size > segment->p_filesz - within) continue;
    *out_offset = segment->p_offset + within;
    return true;
  }
  return false;
}

static bool read_address(const elf_file *file, uint64_t address, void *out, uint64_t size) {
  uint64_t offset;
  return find_offset(file, address, size, &offset) && read_at(file, offset, out, size);
}

/* A string of the dynamic string table; null if it leaves the table. */
static const char *string_at(const elf_file *file, uint64_t at) {
  if (at >= file->strings_size) return NULL;
  const char *string = (const char *)file->bytes + file->strings + at;
  return memchr(string, 0, file->strings_size - at) ? string : NULL;
}

/* ---- 1, 2: headers ---- */
static bool check_header(elf_file *file, Elf64_Ehdr *header) {
  if (!read_at(file, 0, header, SELFMAG) || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) {
    return refuse(file, BUDDY_CORRUPT, "is no ELF file");
  }
  if (!read_at(file, 0, header, sizeof *header)) {
    return refuse(file, BUDDY_CORRUPT, "file has %llu bytes, less than an ELF header",
                  (unsigned long long)file->size);
  }
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != HOST_DATA) {
    return refuse(file, BUDDY_INCOMPATIBLE, "is not a 64-bit ELF file of this byte order");
  }
  if (header->e_machine != HOST_MACHINE) {
    return refuse(file, BUDDY_INCOMPATIBLE, "built for another machine (ELF number %u, here %u)",
                  header->e_machine, (unsigned)HOST_MACHINE);
  }
  if (header->e_type != ET_DYN) {
    return refuse(file, BUDDY_INCOMPATIBLE, "is no shared object (ELF type %u)", header->e_type);
  }
  return true;
}

static bool read_segments(elf_file *file, const Elf64_Ehdr *header) {
  const uint64_t n = header->e_phnum;
  if (header->e_phentsize != sizeof(Elf64_Phdr) || n == 0 || n > MAX_PROGRAM_HEADERS) {
    return refuse(file, BUDDY_CORRUPT, "has %u program headers of %u bytes", header->e_phnum,
                  header->e_phentsize);
  }
  if (!read_at(file, header->e_phoff, file->segments, n * sizeof(Elf64_Phdr))) {
    return refuse(file, BUDDY_CORRUPT, "file has %llu bytes, its program headers end after them",
                  (unsigned long long)file->size);
  }
  file->n_segments = (size_t)n;
  return true;
}

/* Whether the segment is mapped from bytes that are there; `*lowest` is the first address that is
 * still free. */
static bool check_load(elf_file *file, const Elf64_Phdr *segment, uint64_t *lowest) {
  uint64_t end;
  if (!is_inside(file, segment->p_offset, segment->p_filesz)) {
    return refuse(file, BUDDY_CORRUPT,
                  "file has %llu bytes, but a segment of %llu begins at %llu: truncated",
                  (unsigned long long)file->size, (unsigned long long)segment->p_filesz,
                  (unsigned long long)segment->p_offset);
  }
  if (segment->p_filesz > segment->p_memsz || segment->p_vaddr < *lowest ||
      __builtin_add_overflow(segment->p_vaddr, segment->p_memsz, &end) || end > INT64_MAX) {
    return refuse(file, BUDDY_CORRUPT, "has segments that contradict each other");
  }
  *lowest = end;
  return true;
}

static bool check_segments(elf_file *file) {
  uint64_t lowest = 0;
  for (size_t i = 0; i < file->n_segments; ++i) {
    const Elf64_Phdr *segment = &file->segments[i];
    if (segment->p_type == PT_LOAD && !check_load(file, segment, &lowest)) return false;
    if (segment->p_type != PT_DYNAMIC) continue;
    file->dynamic_size = segment->p_filesz;
    if (!is_inside(file, segment->p_offset, segment->p_filesz)) {
      return refuse(file, BUDDY_CORRUPT, "file has %llu bytes, its dynamic section ends after them",
                    (unsigned long long)file->size);
    }
  }
  if (lowest == 0) return refuse(file, BUDDY_CORRUPT, "has nothing to load");
  for (size_t i = 0; i < file->n_segments; ++i) {
    const Elf64_Phdr *segment = &file->segments[i];
    if (segment->p_type != PT_DYNAMIC) continue;
    /* The linker reads it by address, we by offset: both must mean the same bytes. */
    if (!find_offset(file, segment->p_vaddr, segment->p_filesz, &file->dynamic) ||
        file->dynamic != segment->p_offset) {
      return refuse(file, BUDDY_CORRUPT, "has a dynamic section outside of its segments");
    }
    return true;
  }
  return refuse(file, BUDDY_INCOMPATIBLE,
                "has no dynamic section: no shared object, or statically linked");
}

/* ---- 3: the note ---- */
/* The end of something of `size` bytes at `at`, rounded up. False if it does not fit. */
static bool padded_end(uint64_t at, uint64_t size, uint64_t alignment, uint64_t *out_end) {
  if (__builtin_add_overflow(at, size, out_end)) return false;
  if (__builtin_add_overflow(*out_end, alignment - 1, out_end)) return false;
  *out_end &= ~(alignment - 1);
  return true;
}

static bool is_ours(const elf_file *file, uint64_t offset, const Elf64_Nhdr *head) {
  return head->n_type == BUDDY_NOTE_TYPE && head->n_namesz == 8 &&
         is_inside(file, offset + sizeof *head, 8) &&
         memcmp(file->bytes + offset + sizeof *head, "buddy\0\0", 8) == 0;
}

static bool take_note(elf_file *file, uint64_t offset, const Elf64_Nhdr *head) {
  if (file->info->has_note) return refuse(file, BUDDY_CORRUPT, "has more than one note 'buddy'");
  if (head->n_descsz < BUDDY_NOTE_DESC_SIZE ||
      !read_at(file, offset, &file->info->note, sizeof(buddy_elf_note))) {
    return refuse(file, BUDDY_CORRUPT, "has a note 'buddy' of %u bytes, less than %u",
                  head->n_descsz, BUDDY_NOTE_DESC_SIZE);
  }
  file->info->has_note = true;
  return true;
}

/* All notes of one segment. */
static bool scan_notes(elf_file *file, const Elf64_Phdr *segment) {
  if (!is_inside(file, segment->p_offset, segment->p_filesz)) {
    return refuse(file, BUDDY_CORRUPT, "file has %llu bytes, its notes end after them",
                  (unsigned long long)file->size);
  }
  const uint64_t alignment = segment->p_align == 8 ? 8 : 4;
  uint64_t at = segment->p_offset;
  const uint64_t end = segment->p_offset + segment->p_filesz;
  Elf64_Nhdr head;
  while (end - at >= sizeof head && read_at(file, at, &head, sizeof head)) {
    uint64_t description, next;
    if (!padded_end(at + sizeof head, head.n_namesz, alignment, &description) ||
        description > end || head.n_descsz > end - description ||
        !padded_end(description, head.n_descsz, alignment, &next)) {
      return refuse(file, BUDDY_CORRUPT, "has a note that is longer than its segment");
    }
    if (is_ours(file, at, &head) && !take_note(file, at, &head)) return false;
    if (next >= end) break;
    at = next;
  }
  return true;
}

/* Text of the note: terminated, and fit to be shown. */
static bool check_note_text(elf_file *file, const char *what, const char *text, size_t size) {
  const size_t length = strnlen(text, size);
  if (length < size && bd_is_shown(text, length)) return true;
  return refuse(file, BUDDY_CORRUPT, "has a note 'buddy' whose %s is no text", what);
}

static bool check_note_texts(elf_file *file) {
  const buddy_elf_note *note = &file->info->note;
  if (!check_note_text(file, "name", note->registry_name, sizeof note->registry_name) ||
      !check_note_text(file, "version", note->version, sizeof note->version) ||
      !check_note_text(file, "vendor", note->vendor, sizeof note->vendor) ||
      !check_note_text(file, "license", note->license, sizeof note->license)) {
    return false;
  }
  if (bd_is_registry_name(note->registry_name, strlen(note->registry_name))) return true;
  return refuse(file, BUDDY_CORRUPT,
                "calls itself '%s', which is no name of a registry: [a-z][a-z0-9_]*",
                note->registry_name);
}

static bool scan_all_notes(elf_file *file) {
  for (size_t i = 0; i < file->n_segments; ++i) {
    if (file->segments[i].p_type == PT_NOTE && !scan_notes(file, &file->segments[i])) return false;
  }
  if (file->info->has_note) return check_note_texts(file);
  return refuse(
      file, BUDDY_INCOMPATIBLE,
      "has no note 'buddy': not built with BUDDY_REGISTRY, or for a buddy without a C plugin ABI");
}

/* Afterwards there is a note whose texts can be shown, or none. */
static bool find_note(elf_file *file) {
  if (scan_all_notes(file)) return true;
  memset(&file->info->note, 0, sizeof file->info->note);
  file->info->has_note = false;
  return false;
}

static const char *sanitizer_flag(uint32_t sanitizer) {
  static const char *const flags[] = {"", "-fsanitize=address", "-fsanitize=thread"};
  return sanitizer < sizeof flags / sizeof *flags ? flags[sanitizer] : "a sanitizer unknown here";
}

static bool check_note(elf_file *file) {
  const buddy_elf_note *note = &file->info->note;
  const bd_elf_host *host = file->host;
  if (note->abi_version >> 16 != host->abi_version >> 16) {
    return refuse(file, BUDDY_INCOMPATIBLE, "plugin ABI %u.%u, this buddy has %u.%u; rebuild it",
                  note->abi_version >> 16, note->abi_version & 0xFFFF, host->abi_version >> 16,
                  host->abi_version & 0xFFFF);
  }
  if (note->llvm_version && host->llvm_version && note->llvm_version != host->llvm_version) {
    return refuse(
        file, BUDDY_INCOMPATIBLE,
        "built for LLVM %u.%u, this buddy has %u.%u; rebuild it, or use the portable tier",
        note->llvm_version >> 16, note->llvm_version & 0xFFFF, host->llvm_version >> 16,
        host->llvm_version & 0xFFFF);
  }
  if (note->sanitizer && note->sanitizer != host->sanitizer) {
    return refuse(file, BUDDY_INCOMPATIBLE, "built with %s, and this buddy is not",
                  sanitizer_flag(note->sanitizer));
  }
  return true;
}

/* ---- 4: the dynamic section ---- */
static bool read_dynamic(const elf_file *file, size_t i, Elf64_Dyn *entry) {
  return (i + 1) * sizeof *entry <= file->dynamic_size &&
         read_at(file, file->dynamic + i * sizeof *entry, entry, sizeof *entry) &&
         entry->d_tag != DT_NULL;
}

static bool find_tables(elf_file *file) {
  uint64_t strings = 0;
  Elf64_Dyn entry;
  for (size_t i = 0; read_dynamic(file, i, &entry); ++i) {
    const uint64_t value = entry.d_un.d_val;
    if (entry.d_tag == DT_STRTAB) strings = value;
    if (entry.d_tag == DT_STRSZ) file->strings_size = value;
    if (entry.d_tag == DT_SYMTAB) file->symbols = value;
    if (entry.d_tag == DT_GNU_HASH) file->gnu_hash = value;
    if (entry.d_tag == DT_HASH) file->hash = value;
    if (entry.d_tag == DT_FLAGS_1 && (value & DF_1_PIE)) {
      return refuse(file, BUDDY_INCOMPATIBLE, "is a program, no shared object");
    }
  }
  Elf64_Sym symbol;
  if (!strings || !find_offset(file, strings, file->strings_size, &file->strings) ||
      !file->symbols || !read_address(file, file->symbols, &symbol, sizeof symbol)) {
    return refuse(file, BUDDY_CORRUPT, "has no table of dynamic symbols inside its segments");
  }
  return true;
}

/* A library of LLVM that is not the host's: two of them in one process end in crashes. */
static bool is_foreign_llvm(const elf_file *file, const char *needed) {
  if (strncmp(needed, "libMLIR", 7) != 0 && strncmp(needed, "libLLVM", 7) != 0) return false;
  const uint32_t version =
      file->host->llvm_version ? file->host->llvm_version : file->info->note.llvm_version;
  if (!version) return true;
  char wanted[32];
  snprintf(wanted, sizeof wanted, ".so.%u.%u", version >> 16, version & 0xFFFF);
  const size_t size = strlen(needed), tail = strlen(wanted);
  return size < tail || strcmp(needed + size - tail, wanted) != 0;
}

static bool check_needed(elf_file *file) {
  Elf64_Dyn entry;
  for (size_t i = 0; read_dynamic(file, i, &entry); ++i) {
    if (entry.d_tag != DT_NEEDED) continue;
    const char *needed = string_at(file, entry.d_un.d_val);
    if (!needed)
      return refuse(file, BUDDY_CORRUPT,
                    "needs a library whose name is outside of its string table");
    if (!is_foreign_llvm(file, needed)) continue;
    return refuse(file, BUDDY_INCOMPATIBLE,
                  "brings %.64s along, another LLVM than this buddy's; rebuild it",
                  bd_is_shown(needed, strlen(needed)) ? needed : "an LLVM");
  }
  return true;
}

/* ---- 5: symbols ---- */
static bool is_definition(const elf_file *file, uint64_t i, const char *name) {
  Elf64_Sym symbol;
  uint64_t address;
  if (__builtin_mul_overflow(i, sizeof symbol, &address) ||
      __builtin_add_overflow(address, file->symbols, &address) ||
      !read_address(file, address, &symbol, sizeof symbol)) {
    return false;
  }
  const char *found = string_at(file, symbol.st_name);
  return found && symbol.st_shndx != SHN_UNDEF && strcmp(found, name) == 0;
}

typedef struct gnu_hash_head {
  uint32_t n_buckets, first_symbol, n_bloom, bloom_shift;
} gnu_hash_head;

static bool find_by_gnu_hash(const elf_file *file, const gnu_hash_head *head, const char *name) {
  uint32_t hash = 5381;
  for (const char *c = name; *c; ++c) hash = hash * 33 + (unsigned char)*c;
  const uint64_t buckets = file->gnu_hash + sizeof *head + (uint64_t)head->n_bloom * 8;
  const uint64_t chains = buckets + (uint64_t)head->n_buckets * 4;
  uint32_t symbol, chain;
  if (!read_address(file, buckets + (uint64_t)(hash % head->n_buckets) * 4, &symbol, 4))
    return false;
  if (symbol < head->first_symbol) return false;
  for (uint64_t i = symbol;; ++i) { /* ends with the segment at the latest */
    if (!read_address(file, chains + (i - head->first_symbol) * 4, &chain, 4)) return false;
    if ((chain | 1) == (hash | 1) && is_definition(file, i, name)) return true;
    if (chain & 1) return false;
  }
}

static bool find_by_hash(const elf_file *file, const uint32_t head[2], const char *name) {
  uint32_t hash = 0;
  for (const char *c = name; *c; ++c) {
    hash = (hash << 4) + (unsigned char)*c;
    hash = (hash ^ (hash >> 24 & 0xF0)) & 0x0FFFFFFF;
  }
  const uint64_t buckets = file->hash + 8, chains = buckets + (uint64_t)head[0] * 4;
  uint32_t symbol;
  if (!read_address(file, buckets + (uint64_t)(hash % head[0]) * 4, &symbol, 4)) return false;
  for (uint32_t steps = 0; symbol != STN_UNDEF && symbol < head[1] && steps < head[1]; ++steps) {
    if (is_definition(file, symbol, name)) return true;
    if (!read_address(file, chains + (uint64_t)symbol * 4, &symbol, 4)) return false;
  }
  return false;
}

static bool defines(const elf_file *file, const char *name) {
  gnu_hash_head gnu;
  uint32_t sysv[2];
  if (file->gnu_hash && read_address(file, file->gnu_hash, &gnu, sizeof gnu)) {
    return find_by_gnu_hash(file, &gnu, name);
  }
  return file->hash && read_address(file, file->hash, sysv, sizeof sysv) &&
         find_by_hash(file, sysv, name);
}

/* The dynamic linker divides by the number of buckets, masks by the size of the filter, and checks
 * neither. */
static bool check_hash(elf_file *file) {
  gnu_hash_head gnu;
  uint32_t sysv[2];
  uint64_t offset;
  if (file->gnu_hash) {
    if (read_address(file, file->gnu_hash, &gnu, sizeof gnu) && gnu.n_buckets && gnu.n_bloom &&
        (gnu.n_bloom & (gnu.n_bloom - 1)) == 0 && gnu.bloom_shift < 64 &&
        find_offset(file, file->gnu_hash,
                    sizeof gnu + (uint64_t)gnu.n_bloom * 8 + (uint64_t)gnu.n_buckets * 4,
                    &offset)) {
      return true;
    }
  } else if (file->hash) {
    if (read_address(file, file->hash, sysv, sizeof sysv) && sysv[0] &&
        find_offset(file, file->hash, 8 + ((uint64_t)sysv[0] + sysv[1]) * 4, &offset)) {
      return true;
    }
  }
  return refuse(file, BUDDY_CORRUPT, "has no hash table of its symbols, or a malformed one");
}

static bool check_symbols(elf_file *file) {
  if (!defines(file, BUDDY_REGISTRY_QUERY)) {
    return refuse(file, BUDDY_INCOMPATIBLE, "exports no " BUDDY_REGISTRY_QUERY);
  }
  if (defines(file, "LLVMGetVersion")) {
    return refuse(file, BUDDY_INCOMPATIBLE,
                  "has an LLVM of its own linked into it, which cannot live beside this buddy's; "
                  "link libbuddy_mlir");
  }
  return true;
}

void bd_elf_inspect(const void *bytes, uint64_t size, const bd_elf_host *host,
                    bd_elf_info *out_info) {
  memset(out_info, 0, sizeof *out_info);
  Elf64_Ehdr header = {0};
  elf_file file = {.bytes = bytes, .size = size, .host = host, .info = out_info};
  (void)(check_header(&file, &header) && read_segments(&file, &header) && check_segments(&file) &&
         find_note(&file) && check_note(&file) && find_tables(&file) && check_needed(&file) &&
         check_hash(&file) && check_symbols(&file));
}

void bd_elf_inspect_library(const void *bytes, uint64_t size, const bd_elf_host *host,
                            bd_elf_info *out_info) {
  memset(out_info, 0, sizeof *out_info);
  Elf64_Ehdr header = {0};
  elf_file file = {.bytes = bytes, .size = size, .host = host, .info = out_info};
  (void)(check_header(&file, &header) && read_segments(&file, &header) && check_segments(&file) &&
         find_tables(&file) && check_needed(&file) && check_hash(&file));
}
