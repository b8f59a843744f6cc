// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/zip.c: minizip over memory.
 *
 * A zip file, as far as this reader goes:
 *
 *   1  for each entry: local header (30 bytes, name, extra field), then its bytes
 *   2  central directory: for each entry a header with name, method, sizes, checksum, place
 *   3  zip64 end record and its locator, if a number does not fit into 16 or 32 bits
 *   4  end record: number of entries, where the directory lies
 *
 * minizip reads 2 to 4 and compares each central header with its local one. What it does not look
 * at is checked here: that an entry's bytes lie within the file, that no two entries share bytes,
 * and that the end record is whole. Minizip reads through three functions over a cursor; each read
 * is cut at the end of the file. */
#include "sdk/import/zip.h"

#include <minizip/unzip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/base/array.h"
#include "core/base/arena.h"
#include "core/base/hash.h"
#include "core/base/try.h"

#define METHOD_STORED 0u
#define METHOD_DEFLATED 8u
#define FLAG_ENCRYPTED 1u

typedef struct cursor {
  const uint8_t *bytes;
  uint64_t size, at;
} cursor;

typedef struct item {
  bd_zip_entry entry;
  unz64_file_pos position; /* for inflating */
  UT_hash_handle hh;       /* by entry.name */
} item;

struct bd_zip {
  cursor file;
  unzFile reader;
  const char *where;
  bd_arena arena;
  item **items;
  size_t n_items, capacity;
  item *by_name;
};

/* ---- The cursor ---- */

static voidpf open_cursor(voidpf opaque, const void *path, int mode) {
  (void)mode;
  (void)path;
  return opaque;
}

static uLong read_cursor(voidpf opaque, voidpf stream, void *out, uLong size) {
  (void)opaque;
  cursor *file = stream;
  const uint64_t left = file->size - file->at;
  const uLong n = size < left ? size : (uLong)left;
  if (n) memcpy(out, file->bytes + file->at, n);
  file->at += n;
  return n;
}

static uLong write_cursor(voidpf opaque, voidpf stream, const void *data, uLong size) {
  (void)opaque;
  (void)stream;
  (void)data;
  (void)size;
  return 0;
}

static ZPOS64_T tell_cursor(voidpf opaque, voidpf stream) {
  (void)opaque;
  return ((const cursor *)stream)->at;
}

static long seek_cursor(voidpf opaque, voidpf stream, ZPOS64_T offset, int origin) {
  (void)opaque;
  cursor *file = stream;
  const uint64_t base = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                        : origin == ZLIB_FILEFUNC_SEEK_CUR ? file->at
                                                           : file->size;
  if (offset > file->size - base) return -1;
  file->at = base + offset;
  return 0;
}

/* As it is closed, and as it is asked for an error. */
static int cursor_is_well(voidpf opaque, voidpf stream) {
  (void)opaque;
  (void)stream;
  return 0;
}

static unzFile open_reader(cursor *file) {
  zlib_filefunc64_def functions = {.zopen64_file = open_cursor,
                                   .zread_file = read_cursor,
                                   .zwrite_file = write_cursor,
                                   .ztell64_file = tell_cursor,
                                   .zseek64_file = seek_cursor,
                                   .zclose_file = cursor_is_well,
                                   .zerror_file = cursor_is_well,
                                   .opaque = file};
  return unzOpen2_64("", &functions);
}

/* ---- Entries ---- */

static buddy_code corrupt(const bd_zip *zip, buddy_diags *diags, const char *name,
                          const char *what) {
  return buddy_diags_add(
      diags, BUDDY_ERROR, BUDDY_CORRUPT, zip->where,
      "the file is damaged or was not written by torch.export.save: save it again",
      "the entry '%.200s' of the archive %s", name, what);
}

/* A name is a path below the archive's folder: no absolute path, no "..", no backslash. */
static bool is_safe_name(const char *name, size_t size) {
  if (size == 0 || strlen(name) != size || name[0] == '/' || strchr(name, '\\')) return false;
  for (const char *part = name;; ++part) {
    const size_t n = strcspn(part, "/");
    if (n == 2 && part[0] == '.' && part[1] == '.') return false;
    part += n;
    if (!*part) return true;
  }
}

static buddy_code add_item(bd_zip *zip, buddy_diags *diags, const item *from) {
  item *found;
  HASH_FIND(hh, zip->by_name, from->entry.name, strlen(from->entry.name), found);
  if (found) return corrupt(zip, diags, from->entry.name, "is there twice");
  item *added = bd_arena_alloc(&zip->arena, sizeof *added);
  void *items = bd_array_grow(zip->items, &zip->capacity, zip->n_items + 1, sizeof *zip->items);
  if (items) zip->items = items;
  if (!added || !items) return BUDDY_OUT_OF_MEMORY;
  *added = *from;
  added->entry.name = bd_arena_strdup(&zip->arena, from->entry.name);
  if (!added->entry.name) return BUDDY_OUT_OF_MEMORY;
  bool hash_is_full = false;
  HASH_ADD_KEYPTR(hh, zip->by_name, added->entry.name, strlen(added->entry.name), added);
  if (hash_is_full) return BUDDY_OUT_OF_MEMORY;
  zip->items[zip->n_items++] = added;
  return BUDDY_OK;
}

/* Where the bytes of the current entry begin; false if its local header does not agree with the
 * directory. */
static bool find_bytes(bd_zip *zip, uint64_t *out_offset) {
  int method, level;
  if (unzOpenCurrentFile2(zip->reader, &method, &level, 1) != UNZ_OK) return false;
  *out_offset = unzGetCurrentFileZStreamPos64(zip->reader);
  unzCloseCurrentFile(zip->reader);
  return true;
}

static const char *wrong_header(const unz_file_info64 *info) {
  if (info->flag & FLAG_ENCRYPTED) return "is encrypted";
  if (info->compression_method == METHOD_STORED) {
    return info->compressed_size == info->uncompressed_size ? NULL : "is stored, yet has two sizes";
  }
  return info->compression_method == METHOD_DEFLATED
             ? NULL
             : "is compressed by a method that torch.export.save never uses";
}

static buddy_code read_entry(bd_zip *zip, buddy_diags *diags) {
  unz_file_info64 info;
  char name[BD_ZIP_MAX_NAME + 1]; /* not zeroed: 4 KiB for each entry */
  name[0] = 0;
  if (unzGetCurrentFileInfo64(zip->reader, &info, name, BD_ZIP_MAX_NAME, NULL, 0, NULL, 0) !=
      UNZ_OK) {
    return corrupt(zip, diags, name, "has a damaged header in the directory");
  }
  name[BD_ZIP_MAX_NAME] = 0;
  if (info.size_filename > BD_ZIP_MAX_NAME) {
    return corrupt(zip, diags, name, "has a name of more than 4,096 bytes");
  }
  if (!is_safe_name(name, info.size_filename)) {
    return corrupt(zip, diags, name, "has a name that is no path below the archive's folder");
  }
  if (name[info.size_filename - 1] == '/') return BUDDY_OK; /* a folder */
  const char *wrong = wrong_header(&info);
  if (wrong) return corrupt(zip, diags, name, wrong);
  uint64_t offset;
  if (!find_bytes(zip, &offset)) {
    return corrupt(zip, diags, name, "has a local header that contradicts the directory");
  }
  if (offset > zip->file.size || info.compressed_size > zip->file.size - offset) {
    return corrupt(zip, diags, name, "reaches beyond the end of the file");
  }
  item added = {.entry = {.name = name,
                          .bytes = zip->file.bytes + offset,
                          .size = info.uncompressed_size,
                          .stored_size = info.compressed_size,
                          .crc = (uint32_t)info.crc,
                          .is_stored = info.compression_method == METHOD_STORED}};
  if (unzGetFilePos64(zip->reader, &added.position) != UNZ_OK) {
    return corrupt(zip, diags, name, "cannot be found again");
  }
  return add_item(zip, diags, &added);
}

static buddy_code read_entries(bd_zip *zip, buddy_diags *diags) {
  unz_global_info64 info;
  if (unzGetGlobalInfo64(zip->reader, &info) != UNZ_OK || info.number_entry == 0) {
    return corrupt(zip, diags, "", "is missing: the directory is empty");
  }
  if (info.number_entry > BD_ZIP_MAX_ENTRIES) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_LIMIT, zip->where, NULL,
                           "the archive claims to have %llu entries; the limit is %u",
                           (unsigned long long)info.number_entry, BD_ZIP_MAX_ENTRIES);
  }
  int step = unzGoToFirstFile(zip->reader);
  for (; step == UNZ_OK; step = unzGoToNextFile(zip->reader)) {
    BD_TRY(read_entry(zip, diags));
  }
  return step == UNZ_END_OF_LIST_OF_FILE
             ? BUDDY_OK
             : corrupt(zip, diags, zip->n_items ? zip->items[zip->n_items - 1]->entry.name : "",
                       "is followed by a damaged directory");
}

static int compare_bytes(const void *a, const void *b) {
  const item *const *x = a, *const *y = b;
  if ((*x)->entry.bytes != (*y)->entry.bytes) return (*x)->entry.bytes < (*y)->entry.bytes ? -1 : 1;
  return ((*x)->entry.stored_size > (*y)->entry.stored_size) -
         ((*x)->entry.stored_size < (*y)->entry.stored_size);
}

static buddy_code check_overlaps(const bd_zip *zip, buddy_diags *diags) {
  if (zip->n_items < 2) return BUDDY_OK;
  item **sorted = bd_calloc(zip->n_items, sizeof *sorted);
  if (!sorted) return BUDDY_OUT_OF_MEMORY;
  memcpy(sorted, zip->items, zip->n_items * sizeof *sorted);
  qsort(sorted, zip->n_items, sizeof *sorted, compare_bytes);
  buddy_code code = BUDDY_OK;
  for (size_t i = 1; i < zip->n_items && !code; ++i) {
    const bd_zip_entry *before = &sorted[i - 1]->entry;
    if (before->stored_size > (size_t)(sorted[i]->entry.bytes - before->bytes)) {
      code = corrupt(zip, diags, sorted[i]->entry.name, "shares bytes with another entry");
    }
  }
  bd_free(sorted);
  return code;
}

/* Whether the file ends with a whole end record: signature, 16 bytes, length of a comment, comment.
 * Minizip reads one that is cut as if zeros followed. */
static bool has_end(const uint8_t *bytes, size_t n_bytes) {
  static const uint8_t signature[] = {'P', 'K', 5, 6};
  static const size_t record = 22, max_comment = 65535;
  for (size_t comment = 0; comment <= max_comment && n_bytes >= record + comment; ++comment) {
    const uint8_t *end = bytes + n_bytes - record - comment;
    if (!memcmp(end, signature, sizeof signature) && (size_t)(end[20] | end[21] << 8) == comment)
      return true;
  }
  return false;
}

buddy_code bd_zip_open(const uint8_t *bytes, size_t n_bytes, const char *where, buddy_diags *diags,
                       bd_zip **out_zip) {
  *out_zip = NULL;
  bd_zip *zip = bd_calloc(1, sizeof *zip);
  if (!zip) return BUDDY_OUT_OF_MEMORY;
  zip->file = (cursor){.bytes = bytes, .size = n_bytes};
  bd_arena_init(&zip->arena);
  zip->where = bd_arena_strdup(&zip->arena, where);
  buddy_code code = zip->where ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
  if (!code && has_end(bytes, n_bytes)) zip->reader = open_reader(&zip->file);
  if (!code && !zip->reader) {
    code = buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, where,
                           "give an archive that torch.export.save wrote (PyTorch 2.8 or newer)",
                           "the file is no zip archive, or its end is missing");
  }
  if (!code) code = read_entries(zip, diags);
  if (!code) code = check_overlaps(zip, diags);
  if (code) {
    bd_zip_close(zip);
    return code;
  }
  *out_zip = zip;
  return BUDDY_OK;
}

void bd_zip_close(bd_zip *zip) {
  if (!zip) return;
  if (zip->reader) unzClose(zip->reader);
  HASH_CLEAR(hh, zip->by_name);
  bd_free(zip->items);
  bd_arena_deinit(&zip->arena);
  bd_free(zip);
}

/* ---- Use ---- */

size_t bd_zip_n_entries(const bd_zip *zip) { return zip->n_items; }
const bd_zip_entry *bd_zip_entry_at(const bd_zip *zip, size_t i) { return &zip->items[i]->entry; }

const bd_zip_entry *bd_zip_find(const bd_zip *zip, const char *name) {
  item *found;
  HASH_FIND(hh, zip->by_name, name, strlen(name), found);
  return found ? &found->entry : NULL;
}

bool bd_zip_has_behind(const bd_zip *zip, const bd_zip_entry *entry, size_t n) {
  const uint64_t end = (uint64_t)(entry->bytes - zip->file.bytes) + entry->stored_size;
  return zip->file.size - end >= n;
}

/* Of what the entry holds once it is inflated; false: it cannot be inflated, or to another size. */
static bool compute_crc(const bd_zip_entry *entry, uint32_t *out_crc) {
  static const size_t window = 64u << 10;
  uLong crc = crc32_z(0, NULL, 0);
  if (entry->is_stored) {
    *out_crc = (uint32_t)crc32_z(crc, entry->bytes, entry->stored_size);
    return true;
  }
  z_stream stream = {.next_in = (Bytef *)(uintptr_t)entry->bytes};
  Bytef *out = bd_malloc(window);
  if (!out || inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    bd_free(out);
    return false;
  }
  size_t left = entry->stored_size, size = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    const uInt n = left < 1u << 30 ? (uInt)left : 1u << 30;
    const uInt before = stream.avail_in = n;
    stream.next_out = out;
    stream.avail_out = (uInt)window;
    state = inflate(&stream, Z_NO_FLUSH);
    left -= before - stream.avail_in;
    size += window - stream.avail_out;
    crc = crc32_z(crc, out, window - stream.avail_out);
    if (size > entry->size) state = Z_DATA_ERROR;
  }
  inflateEnd(&stream);
  bd_free(out);
  *out_crc = (uint32_t)crc;
  return state == Z_STREAM_END && size == entry->size && left == 0;
}

buddy_code bd_zip_check(const bd_zip *zip, const bd_zip_entry *entry, buddy_diags *diags) {
  uint32_t crc = 0;
  if (!compute_crc(entry, &crc)) return corrupt(zip, diags, entry->name, "cannot be inflated");
  if (crc == entry->crc) return BUDDY_OK;
  char what[96];
  snprintf(what, sizeof what, "does not match its checksum: that is %08x, its %zu bytes have %08x",
           entry->crc, entry->size, crc);
  return corrupt(zip, diags, entry->name, what);
}

buddy_code bd_zip_inflate(bd_zip *zip, const bd_zip_entry *entry, buddy_diags *diags,
                          uint8_t *out) {
  item *found;
  HASH_FIND(hh, zip->by_name, entry->name, strlen(entry->name), found);
  bool is_read = found && unzGoToFilePos64(zip->reader, &found->position) == UNZ_OK &&
                 unzOpenCurrentFile(zip->reader) == UNZ_OK;
  for (size_t at = 0; is_read && at < entry->size;) {
    const size_t left = entry->size - at;
    const int n =
        unzReadCurrentFile(zip->reader, out + at, left < 1u << 30 ? (unsigned)left : 1u << 30);
    is_read = n > 0;
    at += is_read ? (size_t)n : 0;
  }
  /* Closing compares the checksum. */
  if (unzCloseCurrentFile(zip->reader) != UNZ_OK) is_read = false;
  return is_read ? BUDDY_OK : corrupt(zip, diags, entry->name, "cannot be inflated");
}
