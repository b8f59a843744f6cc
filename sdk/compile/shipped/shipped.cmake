# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kernels that come compiled with the library (shipped.h): buddy_make_kernels compiles programs/ for each level of
# processors, and data.c puts the blobs that it writes into the library. shipped_data: the sources for that.
set(shipped ${CMAKE_CURRENT_SOURCE_DIR}/shipped)
set(shipped_data ${shipped}/making/data.c)
string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" processor)
# The tool runs where the library is built; under a sanitizer it would take a minute. An older LLVM compiles nothing.
option(BUDDY_SHIPPED_KERNELS "Compile common kernels with the library, so that programs need not" ON)
if(BUDDY_SHIPPED_KERNELS AND processor MATCHES "^(x86_64|amd64)$" AND NOT CMAKE_CROSSCOMPILING AND NOT BUDDY_SANITIZE
   AND NOT BUDDY_LLVM_VERSION VERSION_LESS 22)
  add_executable(buddy_make_kernels ${shipped}/making/make.c
    $<TARGET_OBJECTS:buddy_mlir_code>)
  target_include_directories(buddy_make_kernels PRIVATE ${PROJECT_SOURCE_DIR})
  target_include_directories(buddy_make_kernels SYSTEM PRIVATE ${LLVM_ROOT}/include)
  target_link_directories(buddy_make_kernels PRIVATE ${LLVM_ROOT}/lib)
  file(GLOB shipped_mlir_c ${LLVM_ROOT}/lib/libMLIRCAPI*.a)
  target_link_libraries(buddy_make_kernels PRIVATE buddy buddy_runtime buddy_model buddy_import buddy_warnings
    Threads::Threads m ${CMAKE_DL_LIBS} -Wl,--start-group ${shipped_mlir_c} -Wl,--end-group
    lldELF lldCommon ZLIB::ZLIB zstd MLIR MLIRExecutionEngineShared LLVM ${SODIUM_LIBRARY})
  set_target_properties(buddy_make_kernels PROPERTIES
    LINKER_LANGUAGE CXX RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} BUILD_RPATH "${LLVM_ROOT}/lib")
  file(GLOB programs CONFIGURE_DEPENDS ${shipped}/programs/*.mlir)
  set(byte_programs ${programs})
  list(FILTER byte_programs INCLUDE REGEX "/bytes[^/]*$")
  list(FILTER programs EXCLUDE REGEX "/bytes[^/]*$")
  set(shipped_folder ${CMAKE_CURRENT_BINARY_DIR}/shipped)
  file(MAKE_DIRECTORY ${shipped_folder})
  foreach(level v3 v4 v4_vnni)
    set(of_level ${programs})
    if(level STREQUAL "v4_vnni") # what it has beyond v4
      set(of_level ${byte_programs})
    endif()
    add_custom_command(
      OUTPUT ${shipped_folder}/${level}
      COMMAND buddy_make_kernels ${level} ${shipped_folder}/${level} ${of_level}
      DEPENDS buddy_make_kernels ${of_level}
      VERBATIM)
    list(APPEND shipped_blobs ${shipped_folder}/${level})
  endforeach()
  set_source_files_properties(${shipped}/making/data.c PROPERTIES OBJECT_DEPENDS "${shipped_blobs}")
endif()
