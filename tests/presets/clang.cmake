# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(CMAKE_C_COMPILER clang-22 CACHE STRING "")
set(CMAKE_CXX_COMPILER clang++-22 CACHE STRING "")
