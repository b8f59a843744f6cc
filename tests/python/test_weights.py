# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters from files of safetensors and GGUF in place of the archive's, against PyTorch with the same weights."""

import subprocess
import sys

import pytest
import torch
from safetensors.torch import save_file
from torch.export import export

import buddy


class Net(torch.nn.Module):
    def __init__(self, seed, dtype=torch.float32):
        super().__init__()
        torch.manual_seed(seed)
        self.embed = torch.nn.Embedding(16, 8)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(8, 8) for _ in range(2)])
        self.head = torch.nn.Linear(8, 16, bias=False)
        self.head.weight = self.embed.weight
        self.register_buffer("scale", torch.rand(8))
        self.register_parameter("transposed", torch.nn.Parameter(torch.rand(6, 8).t()))
        self.to(dtype)

    def forward(self, ids):
        x = self.embed(ids) * self.scale
        for layer in self.layers:
            x = layer(x).relu()
        return self.head(x), x @ self.transposed


IDS = torch.tensor([[1, 5, 3], [0, 15, 7]])


@pytest.fixture(params=[torch.float32, torch.bfloat16, torch.float16], ids=str)
def nets(request, tmp_path):
    """(the net of the archive, another one, path of the archive)"""
    first, other = Net(0, request.param).eval(), Net(1, request.param).eval()
    torch.export.save(export(first, (IDS,)), tmp_path / "net.pt2")
    return first, other, tmp_path / "net.pt2"


def tensors(net, rename=lambda name: name):
    """As transformers writes them: what is tied is there once."""
    return {rename(name): p.detach().contiguous() for name, p in net.state_dict().items() if name != "head.weight"}


def close(results, net):
    with torch.no_grad():
        expected = net(IDS)
    for one, other in zip(results, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=2e-2, atol=2e-2) if one.dtype != torch.float32 else torch.testing.assert_close(one, other)


@pytest.mark.parametrize("cache", [True, False])
def test_safetensors(nets, cache, tmp_path):
    first, other, path = nets
    save_file(tensors(other), tmp_path / "w.safetensors")
    for _ in range(2):  # the second time, code comes from the cache
        close(buddy.load(path, weights=tmp_path / "w.safetensors", cache=cache)(IDS), other)
    close(buddy.load(path, cache=cache)(IDS), first)
    # The same header, other bytes: none of the code may remember the first.
    third = Net(2, first.scale.dtype).eval()
    save_file(tensors(third), tmp_path / "w.safetensors")
    close(buddy.load(path, weights=tmp_path / "w.safetensors", cache=cache)(IDS), third)


def test_buffers_that_the_file_lacks_stay(nets, tmp_path):
    first, other, path = nets
    save_file({name: tensor for name, tensor in tensors(other).items() if name != "scale"}, tmp_path / "w.safetensors")
    other.scale = first.scale
    close(buddy.load(path, weights=tmp_path / "w.safetensors")(IDS), other)


def test_names_of_a_table(nets, tmp_path):
    _, other, path = nets
    save_file(tensors(other, lambda name: name.replace("layers.", "blk.").replace(".weight", ".w").replace("embed", "tok")), tmp_path / "w.safetensors")
    names = {"layers.*.weight": "blk.*.w", "layers.*": "blk.*", "embed.weight": "tok.w"}
    close(buddy.load(path, weights=tmp_path / "w.safetensors", weight_names=names)(IDS), other)
    with pytest.raises(buddy.InvalidArgumentError, match="line 1 of the table"):
        buddy.load(path, weights=tmp_path / "w.safetensors", weight_names={"layers.*": "blk"})
    with pytest.raises(buddy.BuddyError, match=r"(?s)no tensor 'layers.0.weight'.*no tensor 'layers.1.bias'"):
        buddy.load(path, weights=tmp_path / "w.safetensors")


def test_gguf(nets, tmp_path):
    gguf = pytest.importorskip("gguf")
    _, other, path = nets
    kinds = {torch.float32: gguf.GGMLQuantizationType.F32, torch.float16: gguf.GGMLQuantizationType.F16, torch.bfloat16: gguf.GGMLQuantizationType.BF16}
    writer = gguf.GGUFWriter(tmp_path / "w.gguf", "net")
    writer.add_array("tokens", ["a", "b"])
    for name, tensor in tensors(other).items():
        kind = kinds[tensor.dtype]
        numbers = tensor.view(torch.uint8).numpy() if kind == gguf.GGMLQuantizationType.BF16 else tensor.numpy()
        writer.add_tensor(name, numbers, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    close(buddy.load(path, weights=tmp_path / "w.gguf")(IDS), other)


def test_what_does_not_fit_is_refused(tmp_path):
    path, net = tmp_path / "net.pt2", Net(0).eval()
    torch.export.save(export(net, (IDS,)), path)

    def refused(changes, match, error=buddy.BuddyError):
        save_file({**tensors(net), **changes}, tmp_path / "w.safetensors")
        with pytest.raises(error, match=match):
            buddy.load(path, weights=tmp_path / "w.safetensors")

    refused({"embed.weight": torch.zeros(16, 8, dtype=torch.bfloat16)}, r"f32\[16,8\] in the program, and 'embed.weight' of the file is BF16\[16,8\]")
    refused({"embed.weight": torch.zeros(8, 16)}, r"F32\[8,16\]")
    refused({"scale": torch.zeros(9)}, r"F32\[9\]")
    for bytes_ in (b"", b"PK", bytes(100), (tmp_path / "w.safetensors").read_bytes()[:-1]):
        (tmp_path / "bad").write_bytes(bytes_)
        with pytest.raises(buddy.BuddyError, match="bad"):
            buddy.load(path, weights=tmp_path / "bad")
    with pytest.raises(buddy.BuddyError, match="none"):
        buddy.load(path, weights=tmp_path / "none")


def test_the_command(tmp_path):
    path, other = tmp_path / "net.pt2", Net(1).eval()
    torch.export.save(export(Net(0).eval(), (IDS,)), path)
    save_file(tensors(other, lambda name: "m." + name), tmp_path / "w.safetensors")
    (tmp_path / "names").write_text("# all have it\n\n* m.*  # so\n")

    def command(*words):
        return subprocess.run([sys.executable, "-m", "buddy", *map(str, words)], capture_output=True, text=True, check=False)

    flags = ("--weights-from", tmp_path / "w.safetensors", "--weight-names", tmp_path / "names")
    done = command("compile", path, "-o", tmp_path / "net.so", *flags)
    assert done.returncode == 0, done.stderr
    close(buddy.load(tmp_path / "net.so")(IDS), other)
    done = command("run", path, *flags)
    assert done.returncode == 0, done.stderr
    done = command("run", path, "--weight-names", tmp_path / "names")
    assert done.returncode == 2 and "--weights-from" in done.stderr
    done = command("run", path, "--weights-from", path)
    assert done.returncode == 1 and "no file of weights" in done.stderr
