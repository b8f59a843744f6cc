# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Other compilers that take what buddy imports: examples of a backend of your own. Each is imported by its name, and
tells which package it needs where that is not installed."""
