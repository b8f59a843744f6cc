# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""FileCheck tests: each *.graph file is a graph in its text form, with RUN and CHECK lines in its comments.

    lit -v -D build=BUILD -D llvm=LLVM tests/filecheck
"""

import os

import lit.formats

build, llvm = lit_config.params["build"], lit_config.params["llvm"]  # noqa: F821: lit defines both
config.name = "buddy"  # noqa: F821
config.test_format = lit.formats.ShTest(execute_external=False)  # noqa: F821
config.suffixes = [".graph"]  # noqa: F821
config.test_source_root = os.path.dirname(__file__)  # noqa: F821
config.test_exec_root = os.path.join(build, "tests", "filecheck")  # noqa: F821
config.environment.pop("BUDDY_REGISTRIES", None)  # noqa: F821
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]  # noqa: F821
config.substitutions += [  # noqa: F821
    ("%lower", os.path.join(build, "bin", "graph_to_mlir")),
    ("%opt", os.path.join(llvm, "bin", "mlir-opt")),
    ("FileCheck", os.path.join(llvm, "bin", "FileCheck")),
    (r"\bnot\b", os.path.join(llvm, "bin", "not")),
]
