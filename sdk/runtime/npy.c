// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/npy.c: NumPy's .npy files.
 *
 *   1. "\x93NUMPY"
 *   2. version: one byte major (1 to 3), one byte minor (0)
 *   3. length of the header: 2 bytes in version 1, 4 bytes in 2 and 3, little-endian
 *   4. the header: a Python dictionary with exactly the keys 'descr' (a string), 'fortran_order'
 * (True or False) and 'shape' (a tuple of integers), in any order; then spaces and a line feed
 *   5. the elements, dense
 *
 * Nothing of the header is trusted: its grammar is the one above, sizes are multiplied with
 * overflow checks, and the file must have exactly the bytes that they ask for. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/tensor.h"
#include "core/base/infile.h"
#include "core/base/memory.h"
#include "core/base/outfile.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "sdk/runtime/npy.h"
#include "sdk/runtime/strided.h"

#define MAGIC "\x93NUMPY"
#define MAX_HEADER (1u << 20)

static const struct {
  const char *descr; /* without the byte order */
  buddy_dtype dtype;
} types[] = {{"b1", BUDDY_BOOL}, {"u1", BUDDY_U8},   {"i1", BUDDY_I8},  {"i2", BUDDY_I16},
             {"i4", BUDDY_I32},  {"i8", BUDDY_I64},  {"u2", BUDDY_U16}, {"u4", BUDDY_U32},
             {"u8", BUDDY_U64},  {"f2", BUDDY_F16},  {"f4", BUDDY_F32}, {"f8", BUDDY_F64},
             {"c8", BUDDY_C64},  {"c16", BUDDY_C128}};

/* Types that NumPy lacks travel as the unsigned integer of their width; complex halves as that of 4
 * bytes. */
static const struct {
  buddy_dtype dtype, carrier;
} carriers[] = {{BUDDY_BF16, BUDDY_U16},      {BUDDY_C32, BUDDY_U32},
                {BUDDY_F8E4M3FN, BUDDY_U8},   {BUDDY_F8E5M2, BUDDY_U8},
                {BUDDY_F8E4M3FNUZ, BUDDY_U8}, {BUDDY_F8E5M2FNUZ, BUDDY_U8},
                {BUDDY_F8E8M0FNU, BUDDY_U8}};

static buddy_dtype carrier_of(buddy_dtype dtype) {
  for (size_t i = 0; i < sizeof(carriers) / sizeof(carriers[0]); ++i) {
    if (carriers[i].dtype == dtype) return carriers[i].carrier;
  }
  return dtype;
}

/* ---- The header ---- */

typedef struct header {
  buddy_dtype dtype;
  bool is_fortran;
  uint32_t rank;
  int64_t sizes[BD_MAX_RANK];
} header;

/* Reads the dictionary from front to back; `problem` is set once and ends the reading. */
typedef struct reader {
  const char *at, *end;
  const char *problem;
} reader;

static int fail(reader *r, const char *problem) {
  if (!r->problem) r->problem = problem;
  return 0;
}

static void skip_spaces(reader *r) {
  while (r->at < r->end && *r->at == ' ') ++r->at;
}

static int accept(reader *r, char c) {
  skip_spaces(r);
  if (r->at == r->end || *r->at != c) return 0;
  ++r->at;
  return 1;
}

static int accept_word(reader *r, const char *word) {
  const size_t n = strlen(word);
  skip_spaces(r);
  if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0) return 0;
  r->at += n;
  return 1;
}

/* A quoted string without escapes. */
static int read_string(reader *r, buddy_sv *out) {
  skip_spaces(r);
  if (r->at == r->end || (*r->at != '\'' && *r->at != '"')) return fail(r, "a string was expected");
  const char quote = *r->at++;
  const char *start = r->at;
  while (r->at < r->end && *r->at != quote) {
    if (*r->at == '\\' || *r->at == '\n') return fail(r, "a string of the header has an escape");
    ++r->at;
  }
  if (r->at == r->end) return fail(r, "a string of the header has no end");
  *out = (buddy_sv){start, (size_t)(r->at++ - start)};
  return 1;
}

static int read_descr(reader *r, header *h) {
  buddy_sv descr;
  if (accept(r, '[')) return fail(r, "structured types are not supported");
  if (!read_string(r, &descr) || descr.size < 2) return fail(r, "the type is not readable");
  const char order = descr.data[0];
  if (order == '>') return fail(r, "the elements are big-endian; save them little-endian");
  const size_t skip = order == '<' || order == '|' || order == '=' ? 1 : 0;
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); ++i) {
    if (strlen(types[i].descr) == descr.size - skip &&
        memcmp(types[i].descr, descr.data + skip, descr.size - skip) == 0) {
      h->dtype = types[i].dtype;
      return 1;
    }
  }
  return fail(r, "elements of that type are not supported");
}

static int read_size(reader *r, header *h) {
  int64_t size = 0;
  const char *start = r->at;
  while (r->at < r->end && *r->at >= '0' && *r->at <= '9') {
    if (__builtin_mul_overflow(size, 10, &size) ||
        __builtin_add_overflow(size, *r->at - '0', &size)) {
      return fail(r, "a size of the shape is too large");
    }
    ++r->at;
  }
  if (r->at == start) return fail(r, "the shape is not a tuple of sizes");
  if (r->at < r->end && *r->at == 'L') ++r->at; /* Python 2 wrote 3L */
  if (h->rank == BD_MAX_RANK) return fail(r, "the shape has more than 64 dimensions");
  h->sizes[h->rank++] = size;
  return 1;
}

static int read_shape(reader *r, header *h) {
  if (!accept(r, '(')) return fail(r, "the shape is not a tuple");
  while (!accept(r, ')')) {
    if (!read_size(r, h)) return 0;
    if (accept(r, ',')) continue;
    if (!accept(r, ')')) return fail(r, "the shape is not a tuple of sizes");
    return h->rank != 1 || fail(r, "the shape is not a tuple"); /* (3) is a number in Python */
  }
  return 1;
}

static int read_order(reader *r, header *h) {
  h->is_fortran = accept_word(r, "True");
  return h->is_fortran || accept_word(r, "False") ||
         fail(r, "fortran_order is neither True nor False");
}

static int read_entry(reader *r, header *h, unsigned *seen) {
  static const struct {
    const char *key;
    int (*read)(reader *, header *);
  } entries[] = {{"descr", read_descr}, {"fortran_order", read_order}, {"shape", read_shape}};
  buddy_sv key;
  if (!read_string(r, &key) || !accept(r, ':')) return fail(r, "the header is not a dictionary");
  for (unsigned i = 0; i < 3; ++i) {
    if (strlen(entries[i].key) != key.size || memcmp(entries[i].key, key.data, key.size) != 0)
      continue;
    if (*seen & (1u << i)) return fail(r, "the header has a key twice");
    *seen |= 1u << i;
    return entries[i].read(r, h);
  }
  return fail(r, "the header has a key that is not descr, fortran_order or shape");
}

static const char *read_header(const char *text, size_t n, header *h) {
  reader r = {text, text + n, NULL};
  unsigned seen = 0;
  *h = (header){.dtype = BUDDY_DTYPE_NONE};
  if (!accept(&r, '{')) return "the header is not a dictionary";
  while (!accept(&r, '}')) {
    if (!read_entry(&r, h, &seen)) return r.problem;
    if (!accept(&r, ',') && (r.at == r.end || *r.at != '}'))
      return "the header is not a dictionary";
  }
  skip_spaces(&r);
  if (r.at < r.end && *r.at == '\n') ++r.at;
  if (r.at != r.end) return "there is more after the header's dictionary";
  return seen == 7 ? NULL : "the header lacks descr, fortran_order or shape";
}

/* Bytes of the elements; false on overflow. */
static int count_bytes(const header *h, uint64_t *out) {
  uint64_t n = buddy_dtype_size(h->dtype);
  bool is_empty = false;
  for (uint32_t d = 0; d < h->rank; ++d) is_empty |= h->sizes[d] == 0;
  for (uint32_t d = 0; d < h->rank && !is_empty; ++d) {
    if (__builtin_mul_overflow(n, (uint64_t)h->sizes[d], &n)) return 0;
  }
  *out = is_empty ? 0 : n;
  return 1;
}

/* ---- The whole file ---- */

typedef struct prelude {
  size_t header_at, n_header;
} prelude;

/* The first bytes of a file of n: where the header lies. */
static const char *read_prelude(const unsigned char *bytes, size_t n, prelude *out) {
  if (n < 10 || memcmp(bytes, MAGIC, 6) != 0) return "not a .npy file";
  if (bytes[6] < 1 || bytes[6] > 3) return "of a version that is not 1, 2 or 3";
  out->header_at = bytes[6] == 1 ? 10 : 12;
  if (n < out->header_at) return "cut off inside its header";
  out->n_header = (size_t)bytes[8] | (size_t)bytes[9] << 8;
  if (bytes[6] > 1) out->n_header |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
  if (out->n_header > MAX_HEADER) return "not readable: its header is longer than a mebibyte";
  return out->n_header <= n - out->header_at ? NULL : "cut off inside its header";
}

/* Fortran order is row-major order of the transposed tensor. */
static void store(const header *h, const unsigned char *elements, buddy_tensor *tensor) {
  int64_t sizes[BD_MAX_RANK], strides[BD_MAX_RANK];
  int64_t stride = 1;
  for (uint32_t k = 0; k < h->rank; ++k) {
    const uint32_t d = h->is_fortran ? k : h->rank - 1 - k;
    sizes[d] = h->sizes[d];
    strides[d] = stride;
    stride *= h->sizes[d];
  }
  buddy_tensor view = {.dtype = tensor->dtype, .rank = h->rank, .sizes = sizes, .strides = strides};
  memcpy(&view.bytes, &elements,
         sizeof(elements)); /* read only: bd_strided_copy does not write to its source */
  bd_strided_copy(&view, tensor);
}

/* "f32[2,?]", cut to size. */
static void type_text(buddy_dtype dtype, uint32_t rank, const int64_t *sizes, char text[256]) {
  bd_text out;
  bd_text_init_fixed(&out, text, 256);
  bd_text_format(&out, "%s[", buddy_dtype_name(dtype));
  for (uint32_t d = 0; d < rank; ++d) {
    if (d > 0) bd_text_char(&out, ',');
    if (sizes[d] < 0)
      bd_text_char(&out, '?');
    else
      bd_text_int(&out, sizes[d]);
  }
  bd_text_char(&out, ']');
}

/* A file or bytes: the header, then the elements. */
typedef struct npy {
  const char *name;
  buddy_diags *diags;
  const bd_infile *file;      /* null: bytes */
  const unsigned char *bytes; /* what was read of it so far */
  size_t n_bytes, n_whole;
  header head;
  size_t n_elements; /* bytes of the elements */
} npy;

static buddy_code refuse(const npy *f, buddy_code code, const char *problem) {
  return buddy_diags_add(f->diags, BUDDY_ERROR, code, f->name, NULL, "the file cannot be read: %s",
                         problem);
}

static buddy_code read_bytes(const npy *f, void *to, size_t n) {
  const buddy_code code = bd_infile_read(f->file, to, n);
  if (code == BUDDY_OK) return code;
  return refuse(f, code, code == BUDDY_IO ? strerror(errno) : "it was cut meanwhile");
}

/* bytes: at least all that is before the elements. */
static buddy_code take_header(npy *f) {
  prelude p;
  uint64_t wanted = 0;
  const char *problem = read_prelude(f->bytes, f->n_bytes, &p);
  if (!problem) problem = read_header((const char *)f->bytes + p.header_at, p.n_header, &f->head);
  if (!problem && !count_bytes(&f->head, &wanted)) problem = "its shape is too large";
  if (problem) return refuse(f, BUDDY_CORRUPT, problem);
  f->n_elements = f->n_whole - p.header_at - p.n_header;
  if (wanted == f->n_elements) return BUDDY_OK;
  return buddy_diags_add(f->diags, BUDDY_ERROR, BUDDY_CORRUPT, f->name, NULL,
                         "its header asks for %" PRIu64 " bytes of elements, the file has %zu",
                         wanted, f->n_elements);
}

/* The dtype and the shape that are wanted, before there is memory for them. */
static buddy_code check_wish(const npy *f, const bd_npy_wish *wish, buddy_dtype *out_dtype) {
  const header *h = &f->head;
  *out_dtype = wish->dtype == BUDDY_DTYPE_NONE ? h->dtype : wish->dtype;
  if (*out_dtype != h->dtype && carrier_of(*out_dtype) != h->dtype) {
    return buddy_diags_add(f->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, f->name, NULL,
                           "it holds %s, but %s is expected", buddy_dtype_name(h->dtype),
                           buddy_dtype_name(wish->dtype));
  }
  bool is_wanted = !wish->has_shape || h->rank == wish->rank;
  for (uint32_t d = 0; wish->has_shape && is_wanted && d < h->rank; ++d)
    is_wanted = wish->dims[d] < 0 || wish->dims[d] == h->sizes[d];
  if (is_wanted) return BUDDY_OK;
  char own[256], wanted[256];
  type_text(*out_dtype, h->rank, h->sizes, own);
  type_text(*out_dtype, wish->rank, wish->dims, wanted);
  return buddy_diags_add(f->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, f->name, NULL,
                         "it holds %s, but %s is expected", own, wanted);
}

static void make_flags(const buddy_tensor *tensor) {
  unsigned char *flags = tensor->bytes;
  const int64_t n = tensor->dtype == BUDDY_BOOL ? buddy_tensor_n_elements(tensor) : 0;
  for (int64_t i = 0; i < n; ++i)
    flags[i] = flags[i] != 0; /* compiled code takes any other byte amiss */
}

/* Rows come straight into the tensor; columns are turned. */
static buddy_code take_elements(const npy *f, buddy_tensor *tensor) {
  const unsigned char *elements = !f->file ? f->bytes + (f->n_bytes - f->n_elements) : NULL;
  unsigned char *own = NULL;
  buddy_code code = BUDDY_OK;
  if (f->file && !f->head.is_fortran) {
    code = read_bytes(f, tensor->bytes, f->n_elements);
  } else {
    if (f->file) {
      elements = own = bd_malloc(f->n_elements + 1);
      code = !own ? BUDDY_OUT_OF_MEMORY : read_bytes(f, own, f->n_elements);
    }
    if (code == BUDDY_OK) store(&f->head, elements, tensor);
  }
  free(own);
  if (code == BUDDY_OK) make_flags(tensor);
  return code;
}

static buddy_code decode(npy *f, const bd_npy_wish *wish, buddy_tensor *out_tensor) {
  buddy_dtype dtype;
  BD_TRY(take_header(f));
  BD_TRY(check_wish(f, wish, &dtype));
  buddy_code code = buddy_tensor_create(dtype, f->head.rank, f->head.sizes, out_tensor);
  if (code == BUDDY_LIMIT) return refuse(f, code, "its shape is too large");
  if (code == BUDDY_OUT_OF_MEMORY)
    buddy_diags_add(f->diags, BUDDY_ERROR, code, f->name, NULL,
                    "there is no memory for its %zu bytes", f->n_elements);
  if (code == BUDDY_OK) code = take_elements(f, out_tensor);
  if (code != BUDDY_OK) buddy_tensor_release(out_tensor);
  return code;
}

buddy_code bd_npy_decode(const void *data, size_t n, buddy_dtype expected, const char *name,
                         buddy_diags *diags, buddy_tensor *out_tensor) {
  npy f = {.name = name, .diags = diags, .bytes = data, .n_bytes = n, .n_whole = n};
  *out_tensor = (buddy_tensor){.dtype = BUDDY_DTYPE_NONE};
  return decode(&f, &(bd_npy_wish){.dtype = expected}, out_tensor);
}

/* Reads what is before the elements: the first bytes tell how much that is. */
static buddy_code read_head(npy *f, unsigned char **out_bytes) {
  unsigned char first[12];
  prelude p = {0, 0};
  const size_t n_first = f->n_whole < sizeof(first) ? f->n_whole : sizeof(first);
  BD_TRY(read_bytes(f, first, n_first));
  /* What is wrong so early is told by who reads it again. */
  size_t n = n_first;
  if (n_first == sizeof(first) && !read_prelude(first, f->n_whole, &p))
    n = p.header_at + p.n_header;
  if (n < n_first) n = n_first;
  *out_bytes = bd_malloc(n + 1);
  if (!*out_bytes) return BUDDY_OUT_OF_MEMORY;
  memcpy(*out_bytes, first, n_first);
  f->bytes = *out_bytes;
  f->n_bytes = n;
  return read_bytes(f, *out_bytes + n_first, n - n_first);
}

buddy_code bd_npy_read(const char *path, const bd_npy_wish *wish, buddy_diags *diags,
                       buddy_tensor *out_tensor) {
  bd_infile file;
  unsigned char *bytes = NULL;
  *out_tensor = (buddy_tensor){.dtype = BUDDY_DTYPE_NONE};
  BD_TRY(bd_infile_open(path, NULL, diags, &file));
  npy f = {.name = path, .diags = diags, .file = &file, .n_whole = file.size};
  buddy_code code = read_head(&f, &bytes);
  if (code == BUDDY_OK) code = decode(&f, wish, out_tensor);
  free(bytes);
  bd_infile_close(&file);
  return code;
}

buddy_code buddy_npy_read(const char *path, buddy_dtype expected, buddy_diags *diags,
                          buddy_tensor *out_tensor) {
  return bd_npy_read(path, &(bd_npy_wish){.dtype = expected}, diags, out_tensor);
}

/* ---- Writing ---- */

static const char *descr_of(buddy_dtype dtype) {
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); ++i) {
    if (types[i].dtype == carrier_of(dtype)) return types[i].descr;
  }
  return NULL;
}

/* Prelude and header, padded so that the elements are aligned. Returns their length. */
static size_t compose_header(const buddy_tensor *tensor, char *out, size_t size) {
  const char *descr = descr_of(tensor->dtype);
  char *text = out + 10;
  const size_t room = size - 10;
  int n = snprintf(text, room, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                   buddy_dtype_size(tensor->dtype) == 1 ? '|' : '<', descr);
  for (uint32_t d = 0; d < tensor->rank; ++d) {
    n += snprintf(text + n, room - (size_t)n, "%s%" PRId64, d > 0 ? ", " : "", tensor->sizes[d]);
  }
  n += snprintf(text + n, room - (size_t)n, "%s), }", tensor->rank == 1 ? "," : "");
  while ((10 + n + 1) % 64 != 0) text[n++] = ' ';
  text[n++] = '\n';
  memcpy(out, MAGIC "\x01", 7);
  out[7] = 0;
  out[8] = (char)(n & 0xff);
  out[9] = (char)(n >> 8);
  return (size_t)n + 10;
}

static buddy_code write_tensor(bd_outfile *file, const buddy_tensor *tensor) {
  char head[64 + 24 * BD_MAX_RANK + 128];
  const size_t n_head = compose_header(tensor, head, sizeof(head));
  const size_t n_bytes = (size_t)buddy_tensor_n_elements(tensor) * buddy_dtype_size(tensor->dtype);
  buddy_code code = bd_outfile_write(file, head, n_head);
  if (code != BUDDY_OK || n_bytes == 0) return code;
  if (buddy_tensor_is_contiguous(tensor)) return bd_outfile_write(file, tensor->bytes, n_bytes);
  char *dense = bd_malloc(n_bytes);
  if (!dense) return BUDDY_OUT_OF_MEMORY;
  bd_strided_pack(tensor, dense);
  code = bd_outfile_write(file, dense, n_bytes);
  free(dense);
  return code;
}

buddy_code buddy_npy_write(const char *path, const buddy_tensor *tensor, buddy_diags *diags) {
  const char *problem = bd_tensor_problem(tensor);
  if (!descr_of(tensor->dtype) || tensor->rank > BD_MAX_RANK || problem) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, path, NULL,
                           "a tensor of this dtype and rank%s cannot be written",
                           problem ? problem : "");
  }
  bd_outfile file;
  BD_TRY(bd_outfile_open(path, diags, &file));
  buddy_code code = write_tensor(&file, tensor);
  if (code == BUDDY_OUT_OF_MEMORY) {
    bd_outfile_discard(&file);
    return code;
  }
  return bd_outfile_commit(&(bd_outfile *){&file}, 1, diags);
}
