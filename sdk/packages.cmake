# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Debian packages: `cpack --config build/CPackConfig.cmake` writes three, which go to /usr.
#
#   libbuddy1     libraries and registries: what a program that runs models needs
#   libbuddy-dev  headers, the CMake package, pkg-config's file, and what `buddy new-registry` copies
#   buddy         the command
#
# Needs dpkg-dev, whose dpkg-shlibdeps finds the packages that the libraries link to.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the buddy developers <buddy@localhost>")
set(CPACK_PACKAGE_VENDOR buddy)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime dev tools)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# They link to one another, and nobody has packed them yet.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib ${LLVM_ROOT}/lib)

set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "brings PyTorch programs to MLIR, and runs them: libraries and registries")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libbuddy${PROJECT_VERSION_MAJOR})
set(CPACK_COMPONENT_DEV_DESCRIPTION "brings PyTorch programs to MLIR, and runs them: headers, and what authors of registries need")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libbuddy-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
# The command is one of the targets of the CMake package, and checks registries.
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "buddy (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "brings PyTorch programs to MLIR, and runs them: the command")
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME buddy)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "libbuddy${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION})")

# The linker's cache is made anew when the libraries come and when they go.
file(WRITE ${PROJECT_BINARY_DIR}/packages/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/packages/triggers)
foreach(pair runtime:libbuddy${PROJECT_VERSION_MAJOR} dev:libbuddy-dev tools:buddy)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 part)
  list(GET pair 1 package)
  install(FILES ${PROJECT_SOURCE_DIR}/include/buddy/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
          RENAME copyright COMPONENT ${part})
endforeach()
include(CPack)
