# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All test models, by name: `zoo.MODELS["lenet5"].build()`.

    python tests/models/zoo.py        lists them

Each is a function, registered with `@model`, that returns a module, inputs and, for some, dynamic shapes. Weights and
inputs are random but seeded by the model's name; nothing is downloaded.
"""

from __future__ import annotations

import language  # noqa: F401  (importing registers)
import quantized  # noqa: F401
import sem_memory  # noqa: F401
import sem_structure  # noqa: F401
import sem_values  # noqa: F401
import vision  # noqa: F401
from catalog import MODELS, Model, Sample, parameter_count

__all__ = ["MODELS", "Model", "Sample", "parameter_count"]


def main() -> None:
    for name, entry in MODELS.items():
        sample = entry.build()
        kind = "dynamic" if sample.dynamic_shapes else "static"
        quick = "quick" if entry.quick else "full"
        count = parameter_count(sample.module)
        print(f"{name:32} {entry.group:10} {quick:6} {kind:8} {count:>12,} parameters  seed {entry.seed:#010x}")


if __name__ == "__main__":
    main()
