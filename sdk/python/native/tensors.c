// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/python/native/tensors.c: tensors in by pointer, out by DLPack. */
#include <stdlib.h>

#include "core/base/memory.h"
#include "sdk/python/native/objects.h"

int bp_numbers_read(PyObject *sequence, Py_ssize_t n, int64_t *numbers) {
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject *item = PySequence_GetItem(sequence, i);
    numbers[i] = item ? PyLong_AsLongLong(item) : -1;
    Py_XDECREF(item);
    if (PyErr_Occurred()) return 0;
  }
  return 1;
}

int bp_tensor_read(PyObject *tuple, int64_t *numbers, buddy_tensor *out_tensor) {
  unsigned long long address;
  int dtype;
  PyObject *sizes, *strides;
  *out_tensor = (buddy_tensor){0};
  if (!PyTuple_Check(tuple)) {
    PyErr_SetString(PyExc_TypeError, "a tensor is a tuple (address, dtype, sizes, strides)");
    return 0;
  }
  if (!PyArg_ParseTuple(tuple, "KiOO", &address, &dtype, &sizes, &strides)) return 0;
  const Py_ssize_t rank = PySequence_Size(sizes);
  if (rank < 0 || PySequence_Size(strides) != rank || rank > BP_MAX_RANK) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "sizes and strides do not agree");
    return 0;
  }
  if (!bp_numbers_read(sizes, rank, numbers) || !bp_numbers_read(strides, rank, numbers + rank))
    return 0;
  *out_tensor = (buddy_tensor){.dtype = dtype,
                               .rank = (uint32_t)rank,
                               .sizes = numbers,
                               .strides = numbers + rank,
                               .bytes = (void *)(uintptr_t)address};
  return 1;
}

/* ---- DLPack, as its specification lays it out (version 0, which every consumer reads) ---- */
typedef struct dl_tensor {
  void *data;
  struct {
    int32_t type, id;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} dl_tensor;
typedef struct dl_managed_tensor {
  dl_tensor tensor;
  void *manager_ctx;
  void (*deleter)(struct dl_managed_tensor *self);
} dl_managed_tensor;
enum { DL_CPU = 1 };
enum { DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2, DL_BFLOAT = 4, DL_COMPLEX = 5, DL_BOOL = 6 };

static uint8_t code_of(buddy_dtype dtype) {
  switch (dtype) {
    case BUDDY_BOOL:
      return DL_BOOL;
    case BUDDY_I8:
    case BUDDY_I16:
    case BUDDY_I32:
    case BUDDY_I64:
      return DL_INT;
    case BUDDY_F16:
    case BUDDY_F32:
    case BUDDY_F64:
      return DL_FLOAT;
    case BUDDY_BF16:
      return DL_BFLOAT;
    case BUDDY_C32:
    case BUDDY_C64:
    case BUDDY_C128:
      return DL_COMPLEX;
    default: /* unsigned, and 8-bit floats, which Python views as what they are */
      return DL_UINT;
  }
}

typedef struct owner {
  dl_managed_tensor managed;
  buddy_tensor tensor;
} owner;

/* Runs on any thread, with or without the GIL. */
static void release(dl_managed_tensor *managed) {
  owner *held = managed->manager_ctx;
  buddy_tensor_release(&held->tensor);
  free(held);
}

static void drop_capsule(PyObject *capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor")) return; /* consumed: the consumer owns it */
  dl_managed_tensor *managed = PyCapsule_GetPointer(capsule, "dltensor");
  if (managed) managed->deleter(managed);
}

PyObject *bp_tensor_capsule(buddy_tensor *tensor) {
  owner *held = bd_calloc(1, sizeof *held);
  if (!held) return PyErr_NoMemory();
  held->tensor = *tensor;
  *tensor = (buddy_tensor){0};
  dl_tensor *out = &held->managed.tensor;
  out->data = held->tensor.bytes;
  out->device.type = DL_CPU;
  out->ndim = (int32_t)held->tensor.rank;
  out->dtype.code = code_of(held->tensor.dtype);
  out->dtype.bits = (uint8_t)(8 * buddy_dtype_size(held->tensor.dtype));
  out->dtype.lanes = 1;
  out->shape = held->tensor.sizes;
  out->strides = held->tensor.strides;
  held->managed.manager_ctx = held;
  held->managed.deleter = release;
  PyObject *capsule = PyCapsule_New(&held->managed, "dltensor", drop_capsule);
  if (!capsule) release(&held->managed);
  return capsule;
}

/* ---- Many of them ---- */
int bp_tensors_alloc(size_t n, bp_tensors *out) {
  out->items = bd_calloc(n + 1, sizeof *out->items);
  out->numbers = bd_malloc((n + 1) * 2 * BP_MAX_RANK * sizeof *out->numbers);
  out->n = n;
  if (out->items && out->numbers) return 1;
  PyErr_NoMemory();
  return 0;
}

void bp_tensors_free(bp_tensors *list) {
  free(list->items);
  free(list->numbers);
}

/* Fills from a list; None leaves a tensor zeroed. */
int bp_tensors_read(PyObject *list, bp_tensors *out) {
  for (size_t i = 0; i < out->n; ++i) {
    PyObject *item = PyList_GetItem(list, (Py_ssize_t)i);
    if (!item) return 0;
    if (item == Py_None) continue;
    if (!bp_tensor_read(item, out->numbers + i * 2 * BP_MAX_RANK, &out->items[i])) return 0;
  }
  return 1;
}

/* What the program allocated, as capsules; None for what was given, and for None. */
PyObject *bp_tensors_results(bp_tensors *outputs, const char *is_given) {
  PyObject *list = PyList_New((Py_ssize_t)outputs->n);
  for (size_t i = 0; i < outputs->n; ++i) {
    buddy_tensor *output = &outputs->items[i];
    PyObject *item = NULL;
    if (list && (is_given[i] || output->dtype == BUDDY_DTYPE_NONE)) {
      item = Py_None;
      Py_INCREF(item);
    } else if (list) {
      item = bp_tensor_capsule(output);
    }
    if (list && (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0)) Py_CLEAR(list);
    if (!list && !is_given[i]) buddy_tensor_release(output);
  }
  return list;
}
