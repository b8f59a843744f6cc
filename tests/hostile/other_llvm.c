// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/hostile/other_llvm.c: stands for an LLVM that is not this buddy's. */
int hostile_other_llvm(void);
int hostile_other_llvm(void) { return 0; }
