# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler: ``frontend`` imports, ``graph`` is what was imported, ``ops`` are the registries that lower it."""
