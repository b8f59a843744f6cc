# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
