set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "")
set(BUDDY_SANITIZE address,undefined CACHE STRING "")
