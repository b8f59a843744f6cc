// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/processor.c: features of this processor. Processors other than x86-64 are taken at
 * their word. */
#include "sdk/runtime/processor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where CPUID tells a feature, and the parts of XCR0 that the system must save for it. */
enum { EBX = 1, ECX, EDX, EAX };
#define XCR0_AVX 0x06u
#define XCR0_AVX512 0xe6u
#define XCR0_AMX 0x60000u
static const struct {
  const char *name;
  unsigned leaf, subleaf;
  int where;
  unsigned bit, saved;
} known[] = {{"sse4.2", 1, 0, ECX, 20, 0},
             {"fma", 1, 0, ECX, 12, XCR0_AVX},
             {"avx", 1, 0, ECX, 28, XCR0_AVX},
             {"bmi", 7, 0, EBX, 3, 0},
             {"avx2", 7, 0, EBX, 5, XCR0_AVX},
             {"bmi2", 7, 0, EBX, 8, 0},
             {"avx512f", 7, 0, EBX, 16, XCR0_AVX512},
             {"avx512dq", 7, 0, EBX, 17, XCR0_AVX512},
             {"avx512bw", 7, 0, EBX, 30, XCR0_AVX512},
             {"avx512vl", 7, 0, EBX, 31, XCR0_AVX512},
             {"avx512vnni", 7, 0, ECX, 11, XCR0_AVX512},
             {"avx512bf16", 7, 1, EAX, 5, XCR0_AVX512},
             {"amx-bf16", 7, 0, EDX, 22, XCR0_AMX},
             {"amx-tile", 7, 0, EDX, 24, XCR0_AMX},
             {"amx-int8", 7, 0, EDX, 25, XCR0_AMX}};

static unsigned saved_by_system(void) {
  unsigned a = 0, b = 0, c = 0, d = 0, low, high;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & (1u << 27))) return 0; /* no XGETBV */
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

/* Linux keeps 8 KB for a thread that uses the registers, and refuses them to a process that has not
 * asked, or some of whose threads have too small a stack for signals. Asked each time: the answer
 * is cheap, and another part of the process may have changed it. */
static bool is_granted(unsigned saved) {
  enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };
  return saved != XCR0_AMX || syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
}

static int has(const char *feature) {
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); ++i) {
    if (strcmp(known[i].name, feature) != 0) continue;
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid_count(known[i].leaf, known[i].subleaf, &a, &b, &c, &d)) return 0;
    const unsigned word = known[i].where == EBX   ? b
                          : known[i].where == ECX ? c
                          : known[i].where == EDX ? d
                                                  : a;
    return ((word >> known[i].bit) & 1u) &&
           (saved_by_system() & known[i].saved) == known[i].saved && is_granted(known[i].saved);
  }
  return 1;
}

void bd_processor_identify(char *text, size_t size) {
  unsigned r[3][4] = {{0}};
  __get_cpuid(1, &r[0][0], &r[0][1], &r[0][2], &r[0][3]); /* EBX tells the core: not taken */
  __get_cpuid_count(7, 0, &r[1][0], &r[1][1], &r[1][2], &r[1][3]);
  __get_cpuid_count(7, 1, &r[2][0], &r[2][1], &r[2][2], &r[2][3]);
  snprintf(text, size, "x86-64 %08x %08x %08x %08x %08x %08x %08x %08x %08x %d", r[0][0], r[0][2],
           r[0][3], r[1][1], r[1][2], r[1][3], r[2][0], r[2][3], saved_by_system(),
           has("amx-tile"));
}
#else
#include <sys/auxv.h>

void bd_processor_identify(char *text, size_t size) {
  const char *platform;
  const unsigned long address = getauxval(AT_PLATFORM);
  memcpy(&platform, &address, sizeof(platform));
  snprintf(text, size, "%s %lx %lx", platform ? platform : "", getauxval(AT_HWCAP),
           getauxval(AT_HWCAP2));
}

static int has(const char *feature) {
  (void)feature;
  return 1;
}
#endif

int bd_processor_has(const char *features, char *missing, size_t size) {
  while (*features != '\0') {
    char feature[32];
    const size_t n = strcspn(features, ",");
    snprintf(feature, sizeof(feature), "%.*s", (int)n, features);
    if (!has(feature)) {
      snprintf(missing, size, "%s", feature);
      return 0;
    }
    features += n + (features[n] == ',');
  }
  return 1;
}
