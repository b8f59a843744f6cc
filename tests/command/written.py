# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that write to their inputs, in verbs that run them more than once: each run gets what was given."""

from __future__ import annotations

import copy
import json

from harness import INPUT, CommandTest, buddy, floats


def adds_to_its_input(program) -> None:
    """The image is brightened where it lies, before anything else."""
    graph = program["graph_module"]["graph"]
    nodes, values = graph["nodes"], graph["tensor_values"]
    node = copy.deepcopy(nodes[0])
    node |= {"target": "torch.ops.aten.add_.Scalar", "name": "brighter", "outputs": [{"as_tensor": {"name": "brighter"}}],
             "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}, "kind": 1},
                        {"name": "other", "arg": {"as_float": 0.25}, "kind": 1}]}
    values["brighter"] = values["x"]
    nodes[0]["inputs"][0]["arg"]["as_tensor"]["name"] = "brighter"
    nodes.insert(0, node)


class Written(CommandTest):
    def setUp(self) -> None:
        super().setUp()
        self.model = self.rewrite_json(adds_to_its_input)
        self.env = {"BUDDY_CACHE_DIR": str(self.folder / "cache")}

    def numbers(self, *options: object) -> list[float]:
        out = self.folder / "out"
        self.check(buddy("run", self.model, "-i", INPUT, "-o", out, *options, env=self.env), 0)
        return floats(out / "output_0.npy")

    def test_runs_are_alike(self) -> None:
        once = self.numbers()
        for options in (("--repeat", "3"), ("--autotune=1",), ("--autotune=1", "--no-cache", "--repeat", "2")):
            with self.subTest(options):
                for one, other in zip(self.numbers(*options), once):
                    self.assertAlmostEqual(one, other, 4)  # another registry may add up in another order

    def test_code_of_the_cache_is_not_accused(self) -> None:
        self.numbers()
        found = buddy("bisect", self.model, "-i", INPUT, "--json", env=self.env)
        self.check(found, 0)
        self.assertFalse(json.loads(found.stdout)["is_off"])
