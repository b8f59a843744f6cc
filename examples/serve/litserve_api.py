# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model behind LitServe: {"x": […]}, one row, to /predict is answered with {"y": […]}; rows of several clients are one run.

    pip install litserve
    python litserve_api.py model.pt2 [PORT]
"""

import sys

import litserve
import torch

import buddy


class Model(litserve.LitAPI):
    def setup(self, device: str) -> None:
        self.model = buddy.load(sys.argv[1])

    def decode_request(self, request: dict) -> torch.Tensor:
        return torch.tensor(request["x"])

    def predict(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x)

    def encode_response(self, y: torch.Tensor) -> dict:
        return {"y": y.tolist()}


if __name__ == "__main__":
    server = litserve.LitServer(Model(max_batch_size=8, batch_timeout=0.002), accelerator="cpu")
    server.run(host="127.0.0.1", port=int(sys.argv[2]) if len(sys.argv) > 2 else 8000, generate_client_file=False)
