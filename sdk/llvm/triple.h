// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/llvm/triple.h: as what LLVM's registry of targets takes a triple. */
#ifndef BUDDY_SDK_LLVM_TRIPLE_H
#define BUDDY_SDK_LLVM_TRIPLE_H

#include <string>

#include "llvm/Config/llvm-config.h"
#include "llvm/TargetParser/Triple.h"

#if LLVM_VERSION_MAJOR < 22
using bd_registry_triple = std::string;
#else
using bd_registry_triple = llvm::Triple;
#endif

#endif
