// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/store.c: entries of the cache's folder. */
#include "sdk/model/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/array.h"
#include "core/base/memory.h"
#include "core/base/outfile.h"
#include "core/base/try.h"
#include "core/base/trust.h"

#define SUFFIX ".code"
#define N_HEX (2u * BD_KEY_SIZE)
#define DEFAULT_LIMIT_MIB 1024u
#define MAX_CODE (UINT64_C(1) << 32)

/* ---- The folder ---- */

buddy_code buddy_cache_path(char *path, size_t size) {
  const char *own = secure_getenv("BUDDY_CACHE_DIR");
  const char *xdg = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
  int n;
  if (own && *own != '\0')
    n = snprintf(path, size, "%s", own);
  else if (xdg && *xdg == '/')
    n = snprintf(path, size, "%s/buddy", xdg);
  else if (home && *home == '/')
    n = snprintf(path, size, "%s/.cache/buddy", home);
  else
    return BUDDY_NOT_FOUND;
  return n >= 0 && (size_t)n < size ? BUDDY_OK : BUDDY_LIMIT;
}

/* Makes the folder and those above it. */
static void make_folders(const char *path) {
  char part[4096];
  for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
    mkdir(part, 0700);
  }
  mkdir(path, 0700);
}

static buddy_code refuse(const char *path, buddy_code code, const char *why, buddy_diags *diags) {
  return buddy_diags_add(diags, BUDDY_ERROR, code, path,
                         "name another folder with BUDDY_CACHE_DIR, or go without: --no-cache",
                         "the cache cannot be used: %s", why);
}

static buddy_code check_folder(const char *path, int descriptor, buddy_diags *diags) {
  struct stat status;
  bd_fault fault;
  if (fstat(descriptor, &status) != 0) return refuse(path, BUDDY_IO, strerror(errno), diags);
  if (bd_trust(&status, "the folder", &fault)) return BUDDY_OK;
  return refuse(path, fault.code, fault.text, diags);
}

buddy_code bd_store_open(const char *dir, int make, buddy_diags *diags, bd_store *out_store) {
  char usual[4096];
  *out_store = (bd_store){NULL, -1};
  buddy_code code = dir ? BUDDY_OK : buddy_cache_path(usual, sizeof(usual));
  if (code != BUDDY_OK) return refuse("", code, "there is no home for it", diags);
  if (!dir) dir = usual;
  if (make) make_folders(dir);
  const int descriptor = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return refuse(dir, BUDDY_IO, strerror(errno), diags);
  code = check_folder(dir, descriptor, diags);
  out_store->path = code == BUDDY_OK ? bd_strdup(dir) : NULL;
  if (code == BUDDY_OK && !out_store->path) code = BUDDY_OUT_OF_MEMORY;
  if (code != BUDDY_OK) {
    close(descriptor);
    return code;
  }
  out_store->descriptor = descriptor;
  return BUDDY_OK;
}

void bd_store_close(bd_store *store) {
  free(store->path);
  if (store->descriptor >= 0) close(store->descriptor);
  *store = (bd_store){NULL, -1};
}

static void name_entry(const uint8_t *key, char *name) {
  sodium_bin2hex(name, N_HEX + 1, key, BD_KEY_SIZE);
  strcat(name, SUFFIX);
}

#define NAME_SIZE (N_HEX + sizeof(SUFFIX))

/* ---- Reading ---- */

typedef struct header {
  char magic[16];
  uint8_t key[BD_KEY_SIZE];
  uint64_t size, zero;
  uint8_t hash[32];
  uint8_t room[32];
} header;
_Static_assert(sizeof(header) == BD_STORE_HEADER, "store.h gives the layout");

static void hash_code(const void *code, size_t size, uint8_t *out_hash) {
  crypto_generichash(out_hash, 32, code, size, NULL, 0);
}

static bool is_whole(const char *bytes, size_t size, const uint8_t *key) {
  header head;
  uint8_t hash[32];
  memcpy(&head, bytes, sizeof(head));
  if (memcmp(head.magic, BD_STORE_MAGIC, sizeof(head.magic)) != 0) return false;
  if (memcmp(head.key, key, BD_KEY_SIZE) != 0 || head.size != size - BD_STORE_HEADER) return false;
  hash_code(bytes + BD_STORE_HEADER, size - BD_STORE_HEADER, hash);
  return memcmp(hash, head.hash, sizeof(hash)) == 0;
}

/* Whatever has the name, a folder too if nothing is in it. */
static bool remove_entry(const bd_store *store, const char *name) {
  return unlinkat(store->descriptor, name, 0) == 0 ||
         (errno == EISDIR && unlinkat(store->descriptor, name, AT_REMOVEDIR) == 0);
}

static void drop(const bd_store *store, const char *name, const char *fault, buddy_diags *diags) {
  if (remove_entry(store, name)) {
    buddy_diags_add(diags, BUDDY_WARNING, BUDDY_CORRUPT, store->path, NULL,
                    "the entry %s %s, and is made again", name, fault);
  } else {
    buddy_diags_add(diags, BUDDY_WARNING, BUDDY_CORRUPT, store->path, "remove it",
                    "the entry %s %s, and cannot be removed: %s", name, fault, strerror(errno));
  }
}

/* The whole file, if it may be trusted to be ours; read and not mapped: it might be cut while we
 * look. Null, and no fault: memory is out. */
static char *read_entry(const bd_infile *file, const uint8_t *key, bd_fault *fault) {
  *fault = (bd_fault){.code = BUDDY_OK};
  if (!bd_trust(&file->status, "is damaged: it", fault)) return NULL;
  *fault = (bd_fault){BUDDY_CORRUPT, "was damaged"};
  if (file->size < BD_STORE_HEADER || file->size > MAX_CODE) return NULL;
  char *bytes = bd_malloc(file->size);
  if (!bytes) {
    fault->code = BUDDY_OK;
    return NULL;
  }
  if (bd_infile_read(file, bytes, file->size) == BUDDY_OK && is_whole(bytes, file->size, key))
    return bytes;
  bd_free(bytes);
  return NULL;
}

/* The entry's file, which bd_free frees; null: there is none. */
static char *load_entry(const bd_store *store, const uint8_t *key, buddy_diags *diags,
                        size_t *out_size) {
  char name[NAME_SIZE], *bytes = NULL;
  bd_infile file;
  bd_fault fault;
  name_entry(key, name);
  if (bd_infile_try_in(store->descriptor, name, &file, &fault)) {
    bytes = read_entry(&file, key, &fault);
    *out_size = file.size;
    if (bytes) futimens(file.descriptor, NULL); /* it is used now */
    bd_infile_close(&file);
  } else if (fault.code != BUDDY_CORRUPT) {
    return NULL; /* nothing is there, or a link, which the entry replaces */
  }
  if (!bytes && fault.code != BUDDY_OK) drop(store, name, fault.text, diags);
  return bytes;
}

int bd_store_find(const bd_store *store, const uint8_t *key, buddy_diags *diags) {
  size_t size = 0;
  char *bytes = load_entry(store, key, diags, &size);
  if (!bytes) return -1;
  const int memory = bd_memory_file(bytes + BD_STORE_HEADER, size - BD_STORE_HEADER, true);
  bd_free(bytes);
  return memory;
}

char *bd_store_read(const bd_store *store, const uint8_t *key, buddy_diags *diags,
                    size_t *out_size) {
  size_t size = 0;
  char *bytes = load_entry(store, key, diags, &size);
  if (!bytes) return NULL;
  *out_size = size - BD_STORE_HEADER;
  char *text = bd_malloc(*out_size + 1);
  if (text) {
    memcpy(text, bytes + BD_STORE_HEADER, *out_size);
    text[*out_size] = '\0';
  }
  bd_free(bytes);
  return text;
}

/* ---- The list ---- */

typedef struct item {
  char name[NAME_SIZE];
  uint64_t n_bytes;
  struct timespec used;
} item;

typedef struct items {
  item *list;
  size_t n, capacity;
  uint64_t n_bytes;
} items;

static int by_use(const void *a, const void *b) { /* the last used first */
  const item *x = a, *y = b;
  if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? 1 : -1;
  if (x->used.tv_nsec != y->used.tv_nsec) return x->used.tv_nsec < y->used.tv_nsec ? 1 : -1;
  return strcmp(x->name, y->name);
}

static bool is_entry(const char *name) {
  return strlen(name) == NAME_SIZE - 1 && strspn(name, "0123456789abcdef") == N_HEX &&
         strcmp(name + N_HEX, SUFFIX) == 0;
}

static buddy_code append(items *all, const char *name, const struct stat *status) {
  item *list = bd_array_grow(all->list, &all->capacity, all->n + 1, sizeof(item));
  if (!list) return BUDDY_OUT_OF_MEMORY;
  all->list = list;
  item *new = &all->list[all->n++];
  memcpy(new->name, name, NAME_SIZE);
  new->n_bytes = (uint64_t)status->st_size;
  new->used = status->st_mtim;
  all->n_bytes += new->n_bytes;
  return BUDDY_OK;
}

/* All entries; files that somebody began to write, and cannot end any more, are removed. */
static buddy_code list_items(const bd_store *store, items *out) {
  *out = (items){NULL, 0, 0, 0};
  bd_outfile_reap(store->descriptor);
  const int copy = openat(store->descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *folder = copy < 0 ? NULL : fdopendir(copy);
  if (!folder) {
    if (copy >= 0) close(copy);
    return BUDDY_IO;
  }
  buddy_code code = BUDDY_OK;
  const struct dirent *entry;
  while (code == BUDDY_OK && (entry = readdir(folder))) {
    struct stat status;
    if (fstatat(store->descriptor, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (is_entry(entry->d_name)) code = append(out, entry->d_name, &status);
  }
  closedir(folder);
  if (out->n > 0) qsort(out->list, out->n, sizeof(item), by_use);
  return code;
}

/* In MiB. */
static bool read_limit(const char *text, unsigned long *out) {
  char *end = NULL;
  errno = 0;
  *out = text ? strtoul(text, &end, 10) : 0;
  return text && errno == 0 && end != text && *end == '\0' && *out <= UINT64_MAX >> 20 &&
         *text != '-';
}

const char *bd_store_size_unread(void) {
  const char *text = secure_getenv("BUDDY_CACHE_SIZE");
  unsigned long ignored;
  return text && *text != '\0' && !read_limit(text, &ignored) ? text : NULL;
}

static uint64_t limit_of_cache(void) {
  unsigned long mib;
  const bool is_number = read_limit(secure_getenv("BUDDY_CACHE_SIZE"), &mib);
  return (uint64_t)(is_number ? mib : DEFAULT_LIMIT_MIB) << 20;
}

static void keep_limit(const bd_store *store) {
  items all;
  if (list_items(store, &all) == BUDDY_OK) {
    const uint64_t limit = limit_of_cache();
    while (all.n > 1 && all.n_bytes > limit) { /* the last one stays: it was just made */
      const item *last = &all.list[--all.n];
      all.n_bytes -= last->n_bytes;
      unlinkat(store->descriptor, last->name, 0);
    }
  }
  free(all.list);
}

/* ---- Writing ---- */

buddy_code bd_store_add(const bd_store *store, const uint8_t *key, const char *bytes, size_t size,
                        buddy_diags *diags) {
  char name[NAME_SIZE];
  bd_outfile file;
  header head = {BD_STORE_MAGIC, {0}, size, 0, {0}, {0}};
  name_entry(key, name);
  memcpy(head.key, key, BD_KEY_SIZE);
  hash_code(bytes, size, head.hash);
  BD_TRY(bd_outfile_open_in(store->descriptor, store->path, name, diags, &file));
  bd_outfile_write(&file, &head, sizeof(head));
  bd_outfile_write(&file, bytes, size);
  BD_TRY(bd_outfile_commit(&(bd_outfile *){&file}, 1, diags));
  keep_limit(store);
  return BUDDY_OK;
}

buddy_code bd_store_remove(const bd_store *store, const uint8_t *key, bool *out_was_there) {
  char name[NAME_SIZE];
  name_entry(key, name);
  *out_was_there = remove_entry(store, name);
  return *out_was_there || errno == ENOENT ? BUDDY_OK : BUDDY_IO;
}

/* ---- For people ---- */

/* A folder that is not there is an empty cache. */
static buddy_code open_existing(const char *dir, buddy_diags *diags, bd_store *store) {
  char usual[4096];
  *store = (bd_store){NULL, -1};
  if (!dir && buddy_cache_path(usual, sizeof(usual)) == BUDDY_OK) dir = usual;
  if (dir && access(dir, F_OK) != 0 && errno == ENOENT) return BUDDY_OK;
  return bd_store_open(dir, 0, diags, store);
}

buddy_code buddy_cache_list(buddy_diags *diags,
                            buddy_code (*each)(void *user, const buddy_cache_entry *entry),
                            void *user) {
  return buddy_cache_list_dir(NULL, diags, each, user);
}

buddy_code buddy_cache_list_dir(const char *dir, buddy_diags *diags,
                                buddy_code (*each)(void *user, const buddy_cache_entry *entry),
                                void *user) {
  bd_store store;
  items all = {NULL, 0, 0, 0};
  buddy_code code = open_existing(dir, diags, &store);
  if (code == BUDDY_OK && store.descriptor >= 0) code = list_items(&store, &all);
  for (size_t i = 0; i < all.n && code == BUDDY_OK; ++i) {
    all.list[i].name[N_HEX] = '\0';
    const buddy_cache_entry entry = {all.list[i].name, all.list[i].n_bytes,
                                     (int64_t)all.list[i].used.tv_sec};
    code = each(user, &entry);
  }
  free(all.list);
  bd_store_close(&store);
  return code;
}

buddy_code buddy_cache_clear(buddy_diags *diags, size_t *out_n) {
  return buddy_cache_clear_dir(NULL, diags, out_n);
}

buddy_code buddy_cache_clear_dir(const char *dir, buddy_diags *diags, size_t *out_n) {
  bd_store store;
  items all = {NULL, 0, 0, 0};
  *out_n = 0;
  buddy_code code = open_existing(dir, diags, &store);
  if (code == BUDDY_OK && store.descriptor >= 0) code = list_items(&store, &all);
  for (size_t i = 0; i < all.n; ++i) {
    if (remove_entry(&store, all.list[i].name))
      ++*out_n;
    else if (errno != ENOENT)
      code = buddy_diags_add(diags, BUDDY_ERROR, BUDDY_IO, store.path, "remove it",
                             "%s cannot be removed: %s", all.list[i].name, strerror(errno));
  }
  free(all.list);
  bd_store_close(&store);
  return code;
}
