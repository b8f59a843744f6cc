/* sdk/compile/ahead/staged.c: see staged.h. */
#include "sdk/compile/ahead/staged.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static buddy_code io_error(const char *path, const char *what, buddy_diags *diags) {
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_IO, path, NULL, "%s: %s", what, strerror(errno));
}

buddy_code bd_staged_open(const char *path, buddy_diags *diags, bd_staged *out_staged) {
  static const char suffix[] = ".XXXXXX";
  const size_t n = strlen(path);
  *out_staged = (bd_staged){strdup(path), malloc(n + sizeof(suffix)), NULL};
  if (out_staged->path == NULL || out_staged->temporary == NULL) {
    free(out_staged->path);
    free(out_staged->temporary);
    *out_staged = (bd_staged){NULL, NULL, NULL};
    return BUDDY_OUT_OF_MEMORY;
  }
  memcpy(out_staged->temporary, path, n);
  memcpy(out_staged->temporary + n, suffix, sizeof(suffix));
  const int descriptor = mkstemp(out_staged->temporary);
  if (descriptor < 0) {
    const buddy_code code = io_error(path, "cannot be created", diags);
    free(out_staged->temporary); /* it is not ours to remove */
    out_staged->temporary = NULL;
    bd_staged_deinit(out_staged);
    return code;
  }
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor, 0666 & ~mask); /* mkstemp's 0600 is for secrets, this is a result */
  out_staged->file = fdopen(descriptor, "wb");
  if (out_staged->file != NULL) return BUDDY_OK;
  close(descriptor);
  bd_staged_deinit(out_staged);
  return BUDDY_OUT_OF_MEMORY;
}

static buddy_code write_file(void *user, const char *data, size_t size) {
  return fwrite(data, 1, size, user) == size ? BUDDY_OK : BUDDY_IO;
}

buddy_writer bd_staged_writer(bd_staged *staged) {
  return (buddy_writer){write_file, staged->file};
}

buddy_code bd_staged_close(bd_staged *staged, buddy_diags *diags) {
  if (staged->file == NULL) return BUDDY_OK;
  const int has_failed = ferror(staged->file);
  const int failed = fclose(staged->file) != 0 || has_failed;
  staged->file = NULL;
  return failed ? io_error(staged->path, "cannot be written", diags) : BUDDY_OK;
}

buddy_code bd_staged_commit(bd_staged *staged, buddy_diags *diags) {
  const buddy_code code = bd_staged_close(staged, diags);
  if (code != BUDDY_OK) return code;
  if (rename(staged->temporary, staged->path) != 0)
    return io_error(staged->path, "cannot be put in place", diags);
  free(staged->temporary);
  staged->temporary = NULL;
  return BUDDY_OK;
}

void bd_staged_deinit(bd_staged *staged) {
  if (staged->file != NULL) fclose(staged->file);
  if (staged->temporary != NULL) unlink(staged->temporary);
  free(staged->temporary);
  free(staged->path);
  *staged = (bd_staged){NULL, NULL, NULL};
}
