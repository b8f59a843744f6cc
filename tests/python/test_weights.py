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


@pytest.mark.parametrize("to", [torch.float32, torch.bfloat16, torch.float16, torch.float64], ids=str)
def test_other_floats_are_rounded(nets, to, tmp_path):
    """As load_state_dict copies them."""
    first, other, path = nets
    save_file({name: p.to(to) if name != "scale" else p for name, p in tensors(other).items()}, tmp_path / "w.safetensors")
    first.load_state_dict({name: p.to(to) for name, p in other.state_dict().items()})
    first.scale.copy_(other.scale)
    close(buddy.load(path, weights=tmp_path / "w.safetensors")(IDS), first)


class Scaled(torch.nn.Module):
    """MXFP8: blocks of 32, whose scales are exponents alone."""

    def __init__(self, codes, scales):
        super().__init__()
        self.register_buffer("codes", codes.view(torch.float8_e4m3fn))
        self.register_buffer("scales", scales.view(torch.float8_e8m0fnu))

    def forward(self, x):
        return x @ (self.codes.float().reshape(8, 2, 32) * self.scales.float()[..., None]).reshape(8, 64).t(), self.scales


def test_short_floats(tmp_path):
    torch.manual_seed(0)
    x, bytes_of = torch.rand(3, 64), lambda low, high, *size: torch.randint(low, high, size, dtype=torch.uint8)
    first, other = (Scaled(bytes_of(0, 120, 8, 64), bytes_of(120, 130, 8, 2)) for _ in range(2))
    torch.export.save(export(first, (x,)), tmp_path / "net.pt2")
    save_file(dict(other.state_dict()), tmp_path / "w.safetensors")
    for net, weights in ((first, None), (other, tmp_path / "w.safetensors")):
        result, scales = buddy.load(tmp_path / "net.pt2", weights=weights)(x)
        torch.testing.assert_close(result, net(x)[0])
        assert torch.equal(scales.view(torch.uint8), net.scales.view(torch.uint8))


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


KINDS = {"Q8_0": (32, 34, (0,)), "Q4_0": (32, 18, (0,)), "Q4_1": (32, 20, (0, 1)), "Q4_K": (256, 144, (0, 1)), "Q5_K": (256, 176, (0, 1)),
         "Q6_K": (256, 210, (104,))}  # fmt: skip


def blocks(gguf, kind, rows, columns):
    """(random bytes of blocks whose scales are small, the numbers that PyPI's gguf makes of them)"""
    numbers, size, scales = KINDS[kind]
    data = torch.randint(0, 256, (rows, columns // numbers, size), dtype=torch.uint8)
    for at in scales:
        data.view(torch.float16)[..., at] = torch.rand(rows, columns // numbers).sub(0.3).mul(2e-3).half()
    data = data.flatten(1).numpy()
    return data, torch.from_numpy(gguf.quants.dequantize(data, gguf.GGMLQuantizationType[kind]))


def write_gguf(gguf, path, tensors, architecture="net", **values):
    """tensors: {name: (numpy array, type)}"""
    writer = gguf.GGUFWriter(path, architecture)
    for name, value in values.items():
        writer.add_uint32(f"{architecture}.attention.{name}", value)
    for name, (data, kind) in tensors.items():
        writer.add_tensor(name, data, raw_dtype=gguf.GGMLQuantizationType[kind])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Blocks(torch.nn.Module):
    """A table that is looked up, and the product with it; a product and a matrix that is only read."""

    def __init__(self, tied, columns=512):
        super().__init__()
        self.embed = torch.nn.Embedding(48, columns)
        self.up = torch.nn.Linear(columns, 83)
        self.experts = torch.nn.Parameter(torch.zeros(3, 5, columns))
        self.head = torch.nn.Linear(columns, 48, bias=False)
        if tied:
            self.head.weight = self.embed.weight

    def forward(self, ids):
        x = self.embed(ids)
        return x, self.up(x), self.head(x), torch.einsum("bsc,erc->bser", x, self.experts), self.experts.sum(-1)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("tied", [True, False], ids=["tied", "apart"])
@pytest.mark.parametrize("kind", KINDS)
def test_blocks(kind, tied, dtype, tmp_path):
    gguf = pytest.importorskip("gguf")
    torch.manual_seed(0)
    net = Blocks(tied).eval().to(dtype)
    rows = torch.export.Dim("rows", max=64)
    torch.export.save(export(net, (torch.zeros(2, 3, dtype=torch.int64),), dynamic_shapes=({1: rows},)), tmp_path / "net.pt2")
    tensors = {}
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            if name == "up.bias":
                tensors[name] = torch.randn(parameter.shape).numpy(), "F32"
                parameter.copy_(torch.from_numpy(tensors[name][0]))
            else:
                data, numbers = blocks(gguf, kind, parameter.numel() // 512, 512)
                tensors[name] = data.reshape(*parameter.shape[:-1], -1), kind
                parameter.copy_(numbers.view(parameter.shape))
    write_gguf(gguf, tmp_path / "w.gguf", tensors)
    for cache in (False, True, True):
        model = buddy.load(tmp_path / "net.pt2", weights=tmp_path / "w.gguf", cache=cache)
        for n in (1, 3, 40):
            ids = torch.randint(0, 48, (2, n))
            with torch.no_grad():
                expected = net(ids)
            results = model(ids)
            assert torch.equal(results[0], expected[0])  # what is looked up is what the blocks say, bit by bit
            for one, other in zip(results, expected, strict=True):
                error = 2e-6 if dtype == torch.float32 else 2e-2
                torch.testing.assert_close(one, other, rtol=error, atol=error * float(other.abs().max()))
    done = subprocess.run([sys.executable, "-m", "buddy", "compile", tmp_path / "net.pt2", "-o", tmp_path / "net.so", "--weights-from", tmp_path / "w.gguf"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    # Blocks are there once, whatever types they are read as.
    assert (tmp_path / "net.weights").stat().st_size < (tmp_path / "w.gguf").stat().st_size + 4096
    for one, other in zip(buddy.load(tmp_path / "net.so")(ids), results, strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("columns", [256, 1024, 4096 - 256])
@pytest.mark.parametrize("kind", KINDS)
def test_one_row_of_blocks(kind, columns, tmp_path):
    """The kernel of one row, against float64."""
    gguf = pytest.importorskip("gguf")
    torch.manual_seed(0)
    net, x = torch.nn.Linear(columns, 203, bias=False).eval(), torch.randn(1, columns)
    torch.export.save(export(net, (x,)), tmp_path / "net.pt2")
    data, numbers = blocks(gguf, kind, 203, columns)
    write_gguf(gguf, tmp_path / "w.gguf", {"weight": (data, kind)})
    expected = x.double() @ numbers.double().T
    model = buddy.load(tmp_path / "net.pt2", weights=tmp_path / "w.gguf")
    got = model(x)
    assert model._runner.program.kept_bytes() == 0  # blocks are read where they lie, scales too
    assert (got - expected).abs().max() <= 1e-6 * expected.abs().max()


class Attention(torch.nn.Module):
    def __init__(self, q=4, kv=2, size=64, bias=True):
        super().__init__()
        self.q_proj, self.k_proj = torch.nn.Linear(256, q * size, bias), torch.nn.Linear(256, kv * size, bias)
        self.v_proj = torch.nn.Linear(256, kv * size, bias)

    def forward(self, x):
        return self.q_proj(x), self.k_proj(x), self.v_proj(x)


def in_pairs(tensor, heads):
    """As converters for llama.cpp order rows whose halves are rotated together."""
    return tensor.unflatten(0, (heads, 2, -1)).transpose(1, 2).flatten(0, 2).contiguous()


@pytest.mark.parametrize("kind", ["F32", *KINDS])
def test_rows_that_a_converter_ordered(kind, tmp_path):
    gguf = pytest.importorskip("gguf")
    torch.manual_seed(0)
    net, x = Attention().eval(), torch.randn(3, 256)
    torch.export.save(export(net, (x,)), tmp_path / "net.pt2")
    tensors, heads = {}, {"q": 4, "k": 2, "v": 0}
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            to = f"blk.0.attn_{name[0]}.{name.split('.')[1]}"
            if kind == "F32" or parameter.ndim == 1:
                data, numbers, its = torch.randn(parameter.shape), None, "F32"
                numbers, data = data, data.numpy()
            else:
                (data, numbers), its = blocks(gguf, kind, *parameter.shape), kind
            if heads[name[0]]:  # the file's rows are in pairs: the program's are not
                order = in_pairs(torch.arange(parameter.shape[0]), heads[name[0]])
                numbers = torch.empty_like(numbers).index_copy_(0, order, numbers)
            parameter.copy_(numbers)
            tensors[to] = data, its
        expected = net(x)
    names = {"q_proj.*": "blk.0.attn_q.*", "k_proj.*": "blk.0.attn_k.*", "v_proj.*": "blk.0.attn_v.*"}
    told = {**names, "q_proj.*": "blk.0.attn_q.* heads=4", "k_proj.*": "blk.0.attn_k.* heads=2"}
    as_is = {name: f"{to} as-is" for name, to in names.items()}

    def results(table):
        return buddy.load(tmp_path / "net.pt2", weights=tmp_path / "w.gguf", weight_names=table, cache=False)(x)

    write_gguf(gguf, tmp_path / "w.gguf", tensors, "llama", head_count=4, head_count_kv=2)
    for one, other in zip(results(names), expected, strict=True):
        torch.testing.assert_close(one, other)
    assert not torch.allclose(results(as_is)[0], expected[0])
    write_gguf(gguf, tmp_path / "w.gguf", tensors, "llama")
    with pytest.raises(buddy.BuddyError, match="whose number the file does not tell"):
        results(names)
    for one, other in zip(results(told), expected, strict=True):
        torch.testing.assert_close(one, other)
    write_gguf(gguf, tmp_path / "w.gguf", tensors, "qwen2", head_count=4, head_count_kv=2)
    for one, other in zip(results(names), results(as_is), strict=True):
        assert torch.equal(one, other)
    with pytest.raises(buddy.BuddyError, match="in the program, and"):  # 256 rows are no pairs of 3 heads
        results({**names, "q_proj.*": "blk.0.attn_q.* heads=3"})
    with pytest.raises(buddy.InvalidArgumentError, match="line 1 of the table"):
        results({"q_proj.*": "blk.0.attn_q.* heads=x"})
    write_gguf(gguf, tmp_path / "w.gguf", {**tensors, "ffn_norm.weight": tensors["blk.0.attn_v.bias"]}, "gemma")
    with pytest.raises(buddy.BuddyError, match="1 is added to it"):
        results({"v_proj.bias": "ffn_norm.weight", **names})


def test_what_does_not_fit_is_refused(tmp_path):
    path, net = tmp_path / "net.pt2", Net(0).eval()
    torch.export.save(export(net, (IDS,)), path)

    def refused(changes, match, error=buddy.BuddyError):
        save_file({**tensors(net), **changes}, tmp_path / "w.safetensors")
        with pytest.raises(error, match=match):
            buddy.load(path, weights=tmp_path / "w.safetensors")

    refused({"embed.weight": torch.zeros(16, 8, dtype=torch.int32)}, r"f32\[16,8\] in the program, and 'embed.weight' of the file is I32\[16,8\]")
    refused({"scale": torch.zeros(8, dtype=torch.bfloat16)}, r"BF16\[8\]")  # a buffer may be written to
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
