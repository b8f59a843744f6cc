# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model behind Ray Serve: `serve run` starts it on port 8000, and {"x": [[…]]} is answered with {"y": [[…]]}.

    pip install "ray[serve]"
    serve run ray_serve:app model=model.pt2
"""

import asyncio

import torch
from ray import serve
from starlette.requests import Request

import buddy


@serve.deployment(max_ongoing_requests=16, ray_actor_options={"num_cpus": 1})
class Model:
    def __init__(self, path: str) -> None:
        self.model = buddy.load(path, threads=1)  # each request has one thread, and there are many requests

    @serve.batch(max_batch_size=8, batch_wait_timeout_s=0.002)
    async def run(self, rows: list[torch.Tensor]) -> list[torch.Tensor]:
        y = await asyncio.to_thread(self.model, torch.cat(rows))  # nothing waits: the model runs without the GIL
        return list(y.split([len(one) for one in rows]))

    async def __call__(self, request: Request) -> dict[str, list]:
        return {"y": (await self.run(torch.tensor((await request.json())["x"]))).tolist()}


def app(args: dict[str, str]) -> serve.Application:
    return Model.bind(args["model"])
