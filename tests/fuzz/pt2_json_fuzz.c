// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/pt2_json_fuzz.c: any bytes as the program (model.json) of an archive that is whole
 * otherwise.
 *
 * The archive is made anew around each input, with right checksums, so that mutations reach the
 * importer. It holds two storages, under the names that most exported programs of one layer
 * have. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/import.h"
#include "sdk/import/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define META(dtype, sizes, strides)                              \
  "{\"dtype\": " dtype ", \"sizes\": [" sizes                    \
  "], \"requires_grad\": true, \"device\": {\"type\": \"cpu\", " \
  "\"index\": null}, \"strides\": [" strides                     \
  "], \"storage_offset\": {\"as_int\": 0}, \"layout\": 7}"
#define PAYLOAD(name, path, meta)                   \
  "\"" name "\": {\"path_name\": \"" path           \
  "\", \"is_param\": true, \"use_pickle\": false, " \
  "\"tensor_meta\": " meta "}"

static const char weights[] =
    "{\"config\": {" PAYLOAD("weight", "weight_0", META("7", "{\"as_int\": 4}, {\"as_int\": 4}",
                                                        "{\"as_int\": 4}, {\"as_int\": 1}")) ", "
    PAYLOAD("bias", "weight_1", META("7", "{\"as_int\": 4}", "{\"as_int\": 1}")) ", "
    PAYLOAD("count", "weight_1", META("5", "", "")) "}}";
static const char constants[] =
    "{\"config\": {" PAYLOAD("lifted_tensor_0", "tensor_0", META("7", "", "")) "}}";
static const char zeros[64];

typedef struct file {
  const char *name;
  const void *bytes;
  size_t size;
} file;

typedef struct output {
  uint8_t *bytes;
  size_t size;
} output;

static void put(output *out, const void *bytes, size_t size) {
  if (size) memcpy(out->bytes + out->size, bytes, size);
  out->size += size;
}

static void put_number(output *out, uint64_t number, size_t size) {
  for (size_t i = 0; i < size; ++i) out->bytes[out->size++] = (uint8_t)(number >> (8 * i));
}

static uint32_t checksum(const uint8_t *bytes, size_t size) {
  uint32_t crc = ~0u;
  for (size_t i = 0; i < size; ++i) {
    crc ^= bytes[i];
    for (int k = 0; k < 8; ++k) crc = (crc >> 1) ^ (0xEDB88320u & (0u - (crc & 1u)));
  }
  return ~crc;
}

/* What both headers of an entry share, from its flags on. */
static void put_header(output *out, const file *from, size_t padding) {
  put_number(out, 0, 2); /* flags */
  put_number(out, 0, 2); /* stored */
  put_number(out, 0, 4); /* time */
  put_number(out, checksum(from->bytes, from->size), 4);
  put_number(out, from->size, 4);
  put_number(out, from->size, 4);
  put_number(out, strlen(from->name), 2);
  put_number(out, padding, 2);
}

/* Entries begin at multiples of 64, by the length of the extra field, as torch.export.save has
 * it. */
static void put_file(output *out, const file *from) {
  const size_t padding = (64 - (out->size + 30 + strlen(from->name)) % 64) % 64;
  put_number(out, 0x04034b50, 4);
  put_number(out, 20, 2);
  put_header(out, from, padding);
  put(out, from->name, strlen(from->name));
  put(out, zeros, padding);
  put(out, from->bytes, from->size);
}

static void put_entry(output *out, const file *from, size_t offset) {
  put_number(out, 0x02014b50, 4);
  put_number(out, 20, 2);
  put_number(out, 20, 2);
  put_header(out, from, 0);
  put_number(out, 0, 2); /* comment */
  put_number(out, 0, 8); /* disk, attributes */
  put_number(out, offset, 4);
  put(out, from->name, strlen(from->name));
}

static void put_zip(output *out, const file *files, size_t n) {
  size_t offsets[16];
  for (size_t i = 0; i < n; ++i) {
    offsets[i] = out->size;
    put_file(out, &files[i]);
  }
  const size_t directory = out->size;
  for (size_t i = 0; i < n; ++i) put_entry(out, &files[i], offsets[i]);
  const size_t end = out->size;
  put_number(out, 0x06054b50, 4);
  put_number(out, 0, 4);
  put_number(out, n, 2);
  put_number(out, n, 2);
  put_number(out, end - directory, 4);
  put_number(out, directory, 4);
  put_number(out, 0, 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static buddy_opset *opset; /* made once: it does not change */
  const file files[] = {
      {"m/data/weights/weight_0", zeros, 64},
      {"m/data/weights/weight_1", zeros, 16},
      {"m/data/weights/model_weights_config.json", weights, sizeof weights - 1},
      {"m/data/constants/tensor_0", zeros, 4},
      {"m/data/constants/model_constants_config.json", constants, sizeof constants - 1},
      {"m/models/model.json", data, size},
      {"m/archive_format", "pt2", 3},
      {"m/archive_version", "0", 1},
      {"m/byteorder", "little", 6},
  };
  if (size > 1u << 20 || (!opset && buddy_aten_opset_create(&opset))) return 0;
  output zip = {malloc(size + 8192), 0};
  buddy_diags *diags = NULL;
  buddy_archive *archive = NULL;
  buddy_graph *graph = NULL;
  if (zip.bytes && !buddy_diags_create(&diags)) {
    put_zip(&zip, files, sizeof files / sizeof *files);
    if (!bd_archive_open_memory(zip.bytes, zip.size, "fuzz.pt2", diags, &archive)) {
      buddy_archive_import(archive, opset, diags, &graph);
    }
  }
  buddy_graph_destroy(graph);
  buddy_archive_close(archive);
  buddy_diags_destroy(diags);
  free(zip.bytes);
  return 0;
}
