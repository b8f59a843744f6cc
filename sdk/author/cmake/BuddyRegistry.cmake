# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# buddy_add_registry: builds a registry. The registries of buddy's own tree are built by this very function.
#
#   buddy_add_registry(<name> [PORTABLE] <source>...)
#
# makes the target buddy_registry_<name>, whose file is buddy_<name>.so and exports one symbol, buddy_registry_query.
# Without PORTABLE the registry is of the native tier: it may include buddy/emit.h and buddy/mlir.h, and is linked with
# Buddy::emit and Buddy::mlir. With PORTABLE it sees buddy/registry.h and buddy/kit.h alone, and needs no library of buddy.
#
# These variables, if set, say what holds for all registries of a project: BUDDY_REGISTRY_LIBRARIES is linked to each,
# BUDDY_REGISTRY_OUTPUT_DIR is where the files go, BUDDY_REGISTRY_INSTALL_DIR where they are installed, and
# BUDDY_REGISTRY_INSTALL_RPATH where they then look for libraries of their own.
#
#   buddy_check_registry(<name> [CASES <file>...])
#
# adds the test check_<name>: `buddy plugin check` on the file, with the author's own cases.
include_guard(GLOBAL)
set(BUDDY_REGISTRY_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})

function(buddy_add_registry name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PORTABLE" "" "")
  if(NOT name MATCHES "^[a-z][a-z0-9_]*$")
    message(FATAL_ERROR "buddy_add_registry: '${name}' is no name of a registry: [a-z][a-z0-9_]*, at most 31 letters")
  endif()
  set(target buddy_registry_${name})
  add_library(${target} MODULE ${arg_UNPARSED_ARGUMENTS})
  if(arg_PORTABLE)
    target_link_libraries(${target} PRIVATE Buddy::kit m)
  else()
    target_link_libraries(${target} PRIVATE Buddy::emit Buddy::mlir m)
  endif()
  target_link_libraries(${target} PRIVATE ${BUDDY_REGISTRY_LIBRARIES})
  # --as-needed: a registry that only expands needs no MLIR, and does not ask for it.
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL -Wl,--as-needed)
  if(NOT BUDDY_SANITIZE) # clang's sanitizers leave their runtime to the program
    set(exports ${BUDDY_REGISTRY_CMAKE_DIR}/registry.map)
    target_link_options(${target} PRIVATE -Wl,--no-undefined -Wl,--version-script=${exports})
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${exports})
  endif()
  set_target_properties(
    ${target}
    PROPERTIES PREFIX ""
               SUFFIX ".so"
               OUTPUT_NAME buddy_${name}
               POSITION_INDEPENDENT_CODE ON
               C_VISIBILITY_PRESET hidden
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON)
  if(BUDDY_REGISTRY_OUTPUT_DIR)
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${BUDDY_REGISTRY_OUTPUT_DIR})
  endif()
  if(BUDDY_REGISTRY_INSTALL_DIR)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "${BUDDY_REGISTRY_INSTALL_RPATH}")
    install(TARGETS ${target} LIBRARY DESTINATION ${BUDDY_REGISTRY_INSTALL_DIR})
  endif()
endfunction()

function(buddy_check_registry name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "CASES")
  set(options)
  foreach(cases ${arg_CASES})
    list(APPEND options --cases ${CMAKE_CURRENT_SOURCE_DIR}/${cases})
  endforeach()
  add_test(NAME check_${name} COMMAND Buddy::command plugin check ${options} $<TARGET_FILE:buddy_registry_${name}>)
endfunction()
