// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/bisect/golden.c: values that somebody else has computed: an .npz file, which is a zip of .npy
 * files, one for each value by its name. It is mapped, and a value is read when it is wanted. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/infile.h"
#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/cli/bisect/bisect.h"
#include "sdk/import/zip.h"
#include "sdk/runtime/npy.h"

struct bd_golden {
  void *bytes;
  size_t size;
  bd_zip *zip;
};

void bd_golden_close(bd_golden *golden) {
  if (!golden) return;
  bd_zip_close(golden->zip);
  if (golden->bytes) munmap(golden->bytes, golden->size);
  bd_free(golden);
}

buddy_code bd_golden_open(const char *path, buddy_diags *diags, bd_golden **out_golden) {
  bd_infile file;
  bd_golden *golden = *out_golden = bd_calloc(1, sizeof *golden);
  if (!golden) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(bd_infile_open(path, "write it with `python -m buddy golden MODEL.pt2`", diags, &file));
  golden->size = file.size;
  golden->bytes = bd_infile_map(&file);
  bd_infile_close(&file);
  if (!golden->bytes)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, path, NULL, "is empty");
  return bd_zip_open(golden->bytes, golden->size, path, diags, &golden->zip);
}

buddy_code bd_golden_read(const bd_golden *golden, const char *name, buddy_dtype dtype,
                          buddy_diags *diags, buddy_tensor *out_tensor) {
  char entry_name[1024];
  if (snprintf(entry_name, sizeof entry_name, "%s.npy", name) >= (int)sizeof entry_name)
    return BUDDY_NOT_FOUND;
  const bd_zip_entry *entry = bd_zip_find(golden->zip, entry_name);
  if (!entry) return BUDDY_NOT_FOUND;
  if (entry->is_stored)
    return bd_npy_decode(entry->bytes, entry->size, dtype, entry_name, diags, out_tensor);
  uint8_t *bytes = bd_malloc(entry->size);
  buddy_code code = bytes ? bd_zip_inflate(golden->zip, entry, diags, bytes) : BUDDY_OUT_OF_MEMORY;
  if (code == BUDDY_OK)
    code = bd_npy_decode(bytes, entry->size, dtype, entry_name, diags, out_tensor);
  bd_free(bytes);
  return code;
}
