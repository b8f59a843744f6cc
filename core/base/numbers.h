// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/numbers.h: numbers to and from text, whatever the locale; arithmetic on int64_t that
 * cannot overflow. */
#ifndef BUDDY_CORE_BASE_NUMBERS_H
#define BUDDY_CORE_BASE_NUMBERS_H

#include <stdbool.h>

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No value has more elements, a size of 0 counted as 1: no memory holds them, and what is computed
 * of sizes, strides and bytes after this check cannot overflow. */
#define BD_MAX_ELEMENTS ((int64_t)1 << 48)

#define BD_DOUBLE_TEXT 40 /* bytes that every double fits in as text */

/* The shortest decimal that reads back to the same number, into BD_DOUBLE_TEXT bytes. */
BUDDY_EXPORT void bd_double_print(double number, char *text);
/* Reads the whole of `text`: decimal with optional point and exponent, inf, -inf or nan. */
BUDDY_EXPORT bool bd_double_parse(buddy_sv text, double *out_number);
/* Reads the whole of `text`: an optional minus and decimal digits. */
BUDDY_EXPORT bool bd_int_parse(buddy_sv text, int64_t *out_number);

/* Numbers are text in the C locale from here to the end of the block, whatever the process's locale is: for this
 * thread's printf and strtod, and so for upstream's and the registries' code. */
#define BD_C_LOCALE() \
  __attribute__((cleanup(bd_locale_restore))) const bd_locale c_locale_ = bd_locale_of_c()
typedef struct bd_locale {
  void *before; /* a locale_t */
} bd_locale;
BUDDY_EXPORT bd_locale bd_locale_of_c(void);
BUDDY_EXPORT void bd_locale_restore(const bd_locale *locale);

/* Division as Python has it: rounded towards minus infinity, the remainder has the sign of b. b
 * must not be 0, nor a INT64_MIN with b -1. */
static inline int64_t bd_floordiv(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
static inline int64_t bd_mod(int64_t a, int64_t b) {
  const int64_t r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

#ifdef __cplusplus
}
#endif
#endif
