# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The registry ``composite``: ``ops_registry`` lists its rows, and takes lowerings written in Python."""

from buddy.compiler.registry import OpsRegistry

ops_registry = OpsRegistry("composite")
