# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "")
set(BUDDY_SANITIZE thread CACHE STRING "")
set(BUDDY_PARANOID ON CACHE BOOL "")
