# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model of Triton's Python backend: PyTorch eager over all rows of the requests that the server has put together."""

import json
import os
import sys

sys.path += os.environ["PYTHONPATH"].split(":")  # which the backend does not look at

import torch  # noqa: E402
import triton_python_backend_utils as pb_utils  # noqa: E402
from bench_models import make  # noqa: E402


class TritonPythonModel:
    def initialize(self, args: dict) -> None:
        parameters = json.loads(args["model_config"])["parameters"]
        torch.set_num_threads(int(parameters["threads"]["string_value"]))
        self.model = make(parameters["model"]["string_value"])

    def execute(self, requests: list) -> list:
        """By DLPack: the backend is of NumPy 1."""
        inputs = [torch.from_dlpack(pb_utils.get_input_tensor_by_name(request, "x").to_dlpack()) for request in requests]
        with torch.no_grad():
            results = self.model(torch.cat(inputs)).split([len(x) for x in inputs])
        return [pb_utils.InferenceResponse([pb_utils.Tensor.from_dlpack("y", y)]) for y in results]
