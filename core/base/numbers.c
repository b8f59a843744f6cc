// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/numbers.c: doubles and integers to and from text. C's printf and strtod follow the
 * process's locale, which belongs to the program that uses us: a thread can have one of its own. */
#define _GNU_SOURCE
#include "core/base/numbers.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* glibc hands out a static C locale, and takes no memory for it. */
bd_locale bd_locale_of_c(void) {
  const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return (bd_locale){c_locale ? uselocale(c_locale) : NULL};
}

void bd_locale_restore(const bd_locale *locale) {
  if (!locale->before) return;
  const locale_t c_locale = uselocale(locale->before);
  freelocale(c_locale);
}

void bd_double_print(double number, char *text) {
  BD_C_LOCALE();
  if (isnan(number)) {
    memcpy(text, "nan", 4);
    return;
  }
  if (isinf(number)) {
    strcpy(text, number < 0 ? "-inf" : "inf");
    return;
  }
  for (int digits = 15; digits <= 17; ++digits) {
    snprintf(text, BD_DOUBLE_TEXT, "%.*g", digits, number);
    if (strtod(text, NULL) == number) break;
  }
  if (!strpbrk(text, ".e")) strcat(text, ".0");
}

bool bd_double_parse(buddy_sv text, double *out_number) {
  BD_C_LOCALE();
  char copy[64];
  if (text.size == 0 || text.size >= sizeof copy) return false;
  memcpy(copy, text.data, text.size);
  copy[text.size] = 0;
  const char *digits = copy + (copy[0] == '-' || copy[0] == '+');
  const bool is_word = !strcmp(digits, "inf") || !strcmp(digits, "nan");
  if (!is_word && strspn(digits, "0123456789.eE+-") != strlen(digits)) return false;
  char *end;
  *out_number = strtod(copy, &end);
  return end == copy + text.size;
}

bool bd_int_parse(buddy_sv text, int64_t *out_number) {
  const bool is_negative = text.size > 0 && text.data[0] == '-';
  size_t i = is_negative ? 1 : 0;
  if (i == text.size) return false;
  int64_t number = 0;
  for (; i < text.size; ++i) {
    const int digit = text.data[i] - '0';
    if (digit < 0 || digit > 9 || __builtin_mul_overflow(number, 10, &number)) return false;
    if (__builtin_sub_overflow(number, digit, &number)) return false;
  }
  /* Negative numbers reach one further, so the magnitude is built below zero. */
  if (!is_negative && __builtin_sub_overflow(0, number, &number)) return false;
  *out_number = number;
  return true;
}
