# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Which form of LLVM and MLIR the library has. llvm_libraries: what it links; llvm_sources: what it compiles for that.
option(BUDDY_LLVM_INSIDE "Link what is used of LLVM and MLIR into buddy's library, instead of their shared libraries" OFF)
set(BUDDY_LLVM_TARGETS X86 AArch64 RISCV CACHE STRING "Processors that an LLVM inside generates code for")
set(llvm_libraries MLIR MLIRExecutionEngineShared LLVM)
set(llvm_sources)
# What stands before all else that is linked: the loader looks up 48,000 of their names when they are loaded, each in the libraries in this
# order until it is found.
set(BUDDY_LLVM_FIRST "" CACHE INTERNAL "LLVM's shared libraries, linked first")
if(NOT BUDDY_LLVM_INSIDE)
  set(BUDDY_LLVM_FIRST -Wl,--push-state,--no-as-needed -L${LLVM_ROOT}/lib -lMLIR -lLLVM -Wl,--pop-state CACHE INTERNAL
      "LLVM's shared libraries, linked first")
  return()
endif()
if(llvm_MAJOR LESS 22)
  message(FATAL_ERROR "BUDDY_LLVM_INSIDE: LLVM 22 is needed, LLVM_ROOT has ${BUDDY_LLVM_VERSION}")
endif()
file(STRINGS ${LLVM_ROOT}/include/llvm/Config/Targets.def targets REGEX "^LLVM_TARGET\\(")
list(TRANSFORM targets REPLACE "^LLVM_TARGET\\(([A-Za-z0-9_]+)\\).*" "\\1")
set(absent ${targets})
list(REMOVE_ITEM absent ${BUDDY_LLVM_TARGETS})
list(TRANSFORM absent PREPEND "ABSENT(" OUTPUT_VARIABLE absent_targets)
list(TRANSFORM absent_targets APPEND ")")
string(REPLACE ";" "\n" absent_targets "${absent_targets}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/absent.cc.in ${CMAKE_CURRENT_BINARY_DIR}/absent.cc @ONLY)
set(llvm_sources ${CMAKE_CURRENT_BINARY_DIR}/absent.cc)
# The linker takes of the archives what is asked for.
file(GLOB archives ${LLVM_ROOT}/lib/libMLIR*.a ${LLVM_ROOT}/lib/libLLVM*.a)
list(JOIN absent "|" absent)
list(FILTER archives EXCLUDE REGEX "/lib(MLIRCAPI.*|MLIR.*Test.*|LLVMBOLT.*|LLVM(${absent})[A-Z][A-Za-z]*)[.]a$")
set(llvm_libraries -Wl,--start-group ${archives} -Wl,--end-group)
