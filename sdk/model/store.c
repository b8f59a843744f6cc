/* sdk/model/store.c: see store.h. */
#include "sdk/model/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/array.h"

#define SUFFIX ".code"
#define TEMPORARY ".writing-" /* leads the names of files that are no entries yet */
#define N_HEX (2u * BD_KEY_SIZE)
#define DEFAULT_LIMIT_MIB 1024u
#define MAX_CODE (UINT64_C(1) << 32)
#define ABANDONED 3600 /* seconds after which nobody writes a temporary file any more */

/* ---- The folder ---- */

buddy_code buddy_cache_path(char *path, size_t size) {
  const char *own = secure_getenv("BUDDY_CACHE_DIR");
  const char *xdg = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
  int n;
  if (own != NULL && *own != '\0')
    n = snprintf(path, size, "%s", own);
  else if (xdg != NULL && *xdg == '/')
    n = snprintf(path, size, "%s/buddy", xdg);
  else if (home != NULL && *home == '/')
    n = snprintf(path, size, "%s/.cache/buddy", home);
  else
    return BUDDY_NOT_FOUND;
  return n >= 0 && (size_t)n < size ? BUDDY_OK : BUDDY_LIMIT;
}

/* Makes the folder and those above it. */
static void make_folders(const char *path) {
  char part[4096];
  for (const char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
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
  if (fstat(descriptor, &status) != 0) return refuse(path, BUDDY_IO, strerror(errno), diags);
  if (status.st_uid != geteuid())
    return refuse(path, BUDDY_PERMISSION, "another user owns it", diags);
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return refuse(path, BUDDY_PERMISSION, "others may write to it", diags);
  return BUDDY_OK;
}

buddy_code bd_store_open(const char *dir, int make, buddy_diags *diags, bd_store *out_store) {
  char usual[4096];
  *out_store = (bd_store){NULL, -1};
  buddy_code code = dir != NULL ? BUDDY_OK : buddy_cache_path(usual, sizeof(usual));
  if (code != BUDDY_OK) return refuse("", code, "there is no home for it", diags);
  if (dir == NULL) dir = usual;
  if (make) make_folders(dir);
  const int descriptor = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return refuse(dir, BUDDY_IO, strerror(errno), diags);
  code = check_folder(dir, descriptor, diags);
  out_store->path = code == BUDDY_OK ? strdup(dir) : NULL;
  if (code == BUDDY_OK && out_store->path == NULL) code = BUDDY_OUT_OF_MEMORY;
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

/* The whole file, if it may be trusted to be ours. */
static void *map_entry(int descriptor, size_t *out_size) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return NULL;
  if (status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return NULL;
  if ((uint64_t)status.st_size < BD_STORE_HEADER || (uint64_t)status.st_size > MAX_CODE)
    return NULL;
  *out_size = (size_t)status.st_size;
  char *bytes = malloc(*out_size); /* read, not mapped: it might be cut while we look */
  size_t n = 0;
  while (bytes != NULL && n < *out_size) {
    const ssize_t got = read(descriptor, bytes + n, *out_size - n);
    if (got <= 0) {
      if (got < 0 && errno == EINTR) continue;
      free(bytes);
      return NULL;
    }
    n += (size_t)got;
  }
  return bytes;
}

static int is_whole(const char *bytes, size_t size, const uint8_t *key) {
  header head;
  uint8_t hash[32];
  memcpy(&head, bytes, sizeof(head));
  if (memcmp(head.magic, BD_STORE_MAGIC, sizeof(head.magic)) != 0) return 0;
  if (memcmp(head.key, key, BD_KEY_SIZE) != 0 || head.size != size - BD_STORE_HEADER) return 0;
  hash_code(bytes + BD_STORE_HEADER, size - BD_STORE_HEADER, hash);
  return memcmp(hash, head.hash, sizeof(hash)) == 0;
}

static int write_all(int descriptor, const char *bytes, size_t size) {
  while (size > 0) {
    const ssize_t n = write(descriptor, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 0;
    bytes += n;
    size -= (size_t)n;
  }
  return 1;
}

/* A file in memory that nobody can change any more. */
static int seal(const char *bytes, size_t size) {
  const int memory = memfd_create("buddy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory < 0) return -1;
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;
  if (write_all(memory, bytes, size) && fcntl(memory, F_ADD_SEALS, seals) == 0) return memory;
  close(memory);
  return -1;
}

int bd_store_find(const bd_store *store, const uint8_t *key, buddy_diags *diags) {
  char name[NAME_SIZE];
  size_t size = 0;
  int memory = -1;
  name_entry(key, name);
  const int descriptor =
      openat(store->descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return -1;
  char *bytes = map_entry(descriptor, &size);
  if (bytes != NULL && is_whole(bytes, size, key)) {
    memory = seal(bytes + BD_STORE_HEADER, size - BD_STORE_HEADER);
    futimens(descriptor, NULL); /* it is used now */
  } else {
    buddy_diags_add(diags, BUDDY_WARNING, BUDDY_CORRUPT, store->path, NULL,
                    "the entry %s was damaged, and is made again", name);
    unlinkat(store->descriptor, name, 0);
  }
  free(bytes);
  close(descriptor);
  return memory;
}

char *bd_store_read(const bd_store *store, const uint8_t *key, buddy_diags *diags,
                    size_t *out_size) {
  struct stat status;
  char *bytes = NULL;
  const int memory = bd_store_find(store, key, diags);
  if (memory < 0) return NULL;
  if (fstat(memory, &status) == 0 && status.st_size >= 0) {
    *out_size = (size_t)status.st_size;
    bytes = malloc(*out_size + 1);
  }
  if (bytes != NULL && pread(memory, bytes, *out_size, 0) == status.st_size) {
    bytes[*out_size] = '\0';
  } else {
    free(bytes);
    bytes = NULL;
  }
  close(memory);
  return bytes;
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

static int is_entry(const char *name) {
  return strlen(name) == NAME_SIZE - 1 && strspn(name, "0123456789abcdef") == N_HEX &&
         strcmp(name + N_HEX, SUFFIX) == 0;
}

static buddy_code append(items *all, const char *name, const struct stat *status) {
  item *list = bd_array_grow(all->list, &all->capacity, all->n + 1, sizeof(item));
  if (list == NULL) return BUDDY_OUT_OF_MEMORY;
  all->list = list;
  item *new = &all->list[all->n++];
  memcpy(new->name, name, NAME_SIZE);
  new->n_bytes = (uint64_t)status->st_size;
  new->used = status->st_mtim;
  all->n_bytes += new->n_bytes;
  return BUDDY_OK;
}

/* All entries; files that somebody began to write long ago are removed on the way. */
static buddy_code list_items(const bd_store *store, items *out) {
  *out = (items){NULL, 0, 0, 0};
  const int copy = openat(store->descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *folder = copy < 0 ? NULL : fdopendir(copy);
  if (folder == NULL) {
    if (copy >= 0) close(copy);
    return BUDDY_IO;
  }
  buddy_code code = BUDDY_OK;
  const struct dirent *entry;
  while (code == BUDDY_OK && (entry = readdir(folder)) != NULL) {
    struct stat status;
    if (fstatat(store->descriptor, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (is_entry(entry->d_name)) {
      code = append(out, entry->d_name, &status);
    } else if (strncmp(entry->d_name, TEMPORARY, sizeof(TEMPORARY) - 1) == 0 &&
               time(NULL) - status.st_mtim.tv_sec > ABANDONED) {
      unlinkat(store->descriptor, entry->d_name, 0);
    }
  }
  closedir(folder);
  if (out->n > 0) qsort(out->list, out->n, sizeof(item), by_use);
  return code;
}

static uint64_t limit_of_cache(void) {
  const char *text = secure_getenv("BUDDY_CACHE_SIZE");
  char *end = NULL;
  errno = 0;
  const unsigned long mib = text != NULL ? strtoul(text, &end, 10) : 0;
  const int is_number = text != NULL && errno == 0 && end != text && *end == '\0' &&
                        mib <= UINT64_MAX >> 20 && *text != '-';
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

buddy_code bd_store_temporary(const bd_store *store, buddy_diags *diags, char **out_path) {
  static const char pattern[] = "/" TEMPORARY "XXXXXX";
  const size_t n = strlen(store->path);
  char *path = malloc(n + sizeof(pattern));
  *out_path = NULL;
  if (path == NULL) return BUDDY_OUT_OF_MEMORY;
  memcpy(path, store->path, n);
  memcpy(path + n, pattern, sizeof(pattern));
  const int descriptor = mkostemp(path, O_CLOEXEC);
  if (descriptor < 0) {
    free(path);
    return refuse(store->path, BUDDY_IO, strerror(errno), diags);
  }
  close(descriptor);
  *out_path = path;
  return BUDDY_OK;
}

/* The code's file, whole. */
static char *read_code(const char *path, size_t *out_size) {
  char *bytes = NULL;
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor >= 0) bytes = map_entry(descriptor, out_size);
  if (descriptor >= 0) close(descriptor);
  return bytes;
}

static int write_entry(const char *path, const header *head, const char *code) {
  const int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return 0;
  int done = write_all(descriptor, (const char *)head, sizeof(*head)) &&
             write_all(descriptor, code, (size_t)head->size);
  if (close(descriptor) != 0) done = 0;
  return done;
}

buddy_code bd_store_add_bytes(const bd_store *store, const uint8_t *key, const char *bytes,
                              size_t size, buddy_diags *diags) {
  char name[NAME_SIZE], *path = NULL;
  header head = {BD_STORE_MAGIC, {0}, size, 0, {0}, {0}};
  name_entry(key, name);
  memcpy(head.key, key, BD_KEY_SIZE);
  hash_code(bytes, size, head.hash);
  buddy_code code = bd_store_temporary(store, diags, &path);
  if (code == BUDDY_OK && (!write_entry(path, &head, bytes) ||
                           renameat(AT_FDCWD, path, store->descriptor, name) != 0)) {
    code = refuse(store->path, BUDDY_IO, strerror(errno), diags);
    unlink(path);
  }
  free(path);
  if (code == BUDDY_OK) keep_limit(store);
  return code;
}

buddy_code bd_store_add(const bd_store *store, const uint8_t *key, const char *code,
                        buddy_diags *diags) {
  size_t size = 0;
  char *bytes = read_code(code, &size);
  if (bytes == NULL) return refuse(store->path, BUDDY_IO, "the code cannot be read again", diags);
  const buddy_code result = bd_store_add_bytes(store, key, bytes, size, diags);
  free(bytes);
  return result;
}

buddy_code bd_store_remove(const bd_store *store, const uint8_t *key, int *out_was_there) {
  char name[NAME_SIZE];
  name_entry(key, name);
  *out_was_there = unlinkat(store->descriptor, name, 0) == 0;
  return *out_was_there || errno == ENOENT ? BUDDY_OK : BUDDY_IO;
}

/* ---- For people ---- */

/* A folder that is not there is an empty cache. */
static buddy_code open_existing(buddy_diags *diags, bd_store *store) {
  char path[4096];
  *store = (bd_store){NULL, -1};
  if (buddy_cache_path(path, sizeof(path)) == BUDDY_OK && access(path, F_OK) != 0) return BUDDY_OK;
  return bd_store_open(NULL, 0, diags, store);
}

buddy_code buddy_cache_list(buddy_diags *diags,
                            buddy_code (*each)(void *user, const buddy_cache_entry *entry),
                            void *user) {
  bd_store store;
  items all = {NULL, 0, 0, 0};
  buddy_code code = open_existing(diags, &store);
  if (code == BUDDY_OK && store.descriptor >= 0) code = list_items(&store, &all);
  for (size_t i = 0; i < all.n && code == BUDDY_OK; i++) {
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
  bd_store store;
  items all = {NULL, 0, 0, 0};
  *out_n = 0;
  buddy_code code = open_existing(diags, &store);
  if (code == BUDDY_OK && store.descriptor >= 0) code = list_items(&store, &all);
  for (size_t i = 0; i < all.n && code == BUDDY_OK; i++)
    *out_n += unlinkat(store.descriptor, all.list[i].name, 0) == 0;
  free(all.list);
  bd_store_close(&store);
  return code;
}
