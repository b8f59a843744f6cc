# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pairs that grow (past_key_values in and out): kept by the session with room to grow, and written in place."""

import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import torch
from conftest import close, shared_runtime
from test_programs import private_dirty
from torch.export import Dim, export
from transformers import DynamicCache, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

import buddy

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "generate"))
from export import write as write_archive  # noqa: E402

STEPS = int(os.environ.get("BUDDY_TEST_STEPS", "300"))
VOCABULARY, LAYERS, HEADS, WIDTH = 128, 2, 2, 16


class Decoding(torch.nn.Module):
    """Tokens, and the keys and values so far, give the last token's logits and the longer cache."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, tokens, *past_key_values):
        cache = DynamicCache(list(zip(past_key_values[::2], past_key_values[1::2], strict=True)))
        logits = self.inner(input_ids=tokens, past_key_values=cache, use_cache=True).logits
        return (logits[:, -1], *(part for layer in cache.layers for part in (layer.keys, layer.values)))


def llama():
    config = LlamaConfig(vocab_size=VOCABULARY, hidden_size=64, intermediate_size=96, num_hidden_layers=LAYERS,
                         num_attention_heads=4, num_key_value_heads=HEADS, head_dim=WIDTH, max_position_embeddings=256)  # fmt: skip
    return LlamaForCausalLM(config)


def gpt2():
    return GPT2LMHeadModel(GPT2Config(vocab_size=VOCABULARY, n_positions=256, n_embd=HEADS * WIDTH, n_layer=LAYERS, n_head=HEADS))


@pytest.fixture(scope="module", params=[llama, gpt2], ids=["llama", "gpt2"])
def decoder(request, tmp_path_factory):
    """(transformers' model, the models of an archive whose one program takes any number of tokens)"""
    torch.manual_seed(0)
    inner = request.param().eval()
    path = tmp_path_factory.mktemp("growing") / f"{request.param.__name__}.pt2"
    past = [torch.randn(1, HEADS, 5, WIDTH) for _ in range(2 * LAYERS)]
    shapes = {"tokens": {1: Dim("tokens", max=256)}, "past_key_values": tuple({2: Dim("past", max=256)} for _ in past)}
    torch.export.save(export(Decoding(inner), (torch.zeros(1, 3, dtype=torch.int64), *past), dynamic_shapes=shapes), path)
    return inner, path, buddy.load(path, pairs_in_place=True)


def names():
    return [f"past_key_values_{i}" for i in range(2 * LAYERS)]


def drawn(n, seed):
    return torch.randint(0, VOCABULARY, (1, n), generator=torch.Generator().manual_seed(seed))


def generate(inner, prompt, n):
    with torch.no_grad():
        return inner.generate(prompt, max_new_tokens=n, do_sample=False, eos_token_id=None, pad_token_id=0)[0, prompt.shape[1]:].tolist()


def greedy(session, tokens, n):
    """The next n tokens after `tokens`, of which the session has not heard."""
    found = []
    for _ in range(n):
        found.append(int(session.step(tokens).argmax()))
        tokens = torch.tensor([found[-1:]])
    return found


def test_tokens_are_those_of_transformers(decoder):
    inner, _, model = decoder
    session, prompt = buddy.Session(model), drawn(7, 1)
    assert session.states == names() and [port.name for port in session.inputs()] == ["tokens"]
    assert len(session.outputs()) == 1 and session.n_bytes == 0
    assert greedy(session, prompt, 64) == generate(inner, prompt, 64)
    assert session["past_key_values_0"].shape == (1, HEADS, 7 + 63, WIDTH)
    assert session.n_bytes == 4 * 2 * LAYERS * HEADS * WIDTH * (7 + 63)


def test_the_first_program_may_be_another(decoder, tmp_path):
    """Prefill gives a pair's value without a cache that goes in."""
    inner, path, model = decoder

    class Prefill(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = inner

        def forward(self, tokens):
            found = self.inner(input_ids=tokens, use_cache=True)
            return (found.logits[:, -1], *(part for layer in found.past_key_values.layers for part in (layer.keys, layer.values)))

    prompt = drawn(6, 2)
    torch.export.save(export(Prefill(), (prompt,), dynamic_shapes=({1: Dim("tokens", max=256)},)), tmp_path / "prefill.pt2")
    prefill = buddy.load(tmp_path / "prefill.pt2", pairs_in_place=True)
    plain = buddy.load(path)
    session = buddy.Session({"prefill": prefill, "decode": model, "plain": plain})
    assert session.states == names() and len(session.outputs("prefill")) == 1
    expected = generate(inner, prompt, 9)
    for mode in ("decode", "plain"):  # one that copies its caches has the same state
        session.rewind()
        first = int(session.step(prompt, model="prefill").argmax())
        found = [first]
        for i in range(8):
            step = mode if i % 2 else "decode"
            found.append(int(session.step(torch.tensor([found[-1:]]), model=step).argmax()))
        assert found == expected


def test_nothing_is_copied_until_the_room_is_full(decoder):
    session = buddy.Session(decoder[2])
    session.step(drawn(17, 3))
    places = []
    for i in range(200):
        session.step(drawn(1, i))
        if not places or session.address("past_key_values_1") != places[-1]:
            places.append(session.address("past_key_values_1"))
    assert len(places) <= 4  # 32, 64, 128, 256 rows


def test_forks_and_rewinds(decoder):
    inner, _, model = decoder
    trunk, prompt = buddy.Session(model), drawn(9, 4)
    expected = greedy(trunk.fork(), prompt, 20)
    trunk.step(prompt)
    first = torch.tensor([expected[:1]])
    place = trunk.address("past_key_values_0")
    forks = [trunk.fork() for _ in range(3)]
    assert greedy(trunk, first, 6) == expected[1:7]
    assert trunk.address("past_key_values_0") == place  # forks stay behind: the longest goes on where it is
    wrong = torch.tensor([[(expected[0] + 1) % VOCABULARY]])
    assert len({fork.step(wrong).argmax().item() for fork in forks[:2]}) == 1
    assert forks[0].address("past_key_values_0") != place
    assert greedy(trunk, torch.tensor([expected[6:7]]), 4) == expected[7:11]
    for _ in range(3):
        trunk.rewind(forks[2])
        assert trunk.address("past_key_values_0") == place
        trunk.step(wrong)  # what was after the fork nobody has: no copy either
        assert trunk.address("past_key_values_0") == place
        trunk.rewind(forks[2])
        assert greedy(trunk, first, 12) == expected[1:13]
    trunk.rewind()
    assert trunk.step(prompt).argmax().item() == expected[0]


def test_saved_set_and_dropped(decoder, tmp_path):
    session, prompt = buddy.Session(decoder[2]), drawn(5, 5)
    session.step(prompt)
    session.save(tmp_path / "state")
    states = {name: session[name] for name in names()}
    expected = greedy(session, drawn(1, 6), 10)
    other = buddy.Session(decoder[2])
    other.load(tmp_path / "state")
    for name in names():
        assert torch.equal(other[name], states[name])
    assert greedy(other, drawn(1, 6), 10) == expected
    other.rewind()
    for name, tensor in states.items():
        other[name] = tensor
    assert greedy(other, drawn(1, 6), 10) == expected
    with pytest.raises(buddy.InvalidArgumentError, match="of another type"):
        other["past_key_values_0"] = torch.zeros(1, HEADS + 1, 4, WIDTH)


def test_random_joins_forks_rewinds_and_drops(decoder):
    """Every conversation has the bits that it has alone, whatever goes on beside it. BUDDY_TEST_STEPS: how many things happen."""
    model, draw = decoder[2], random.Random(7)
    empty, living = buddy.Session(model), []  # (session, what it has heard, in pieces)

    def alone(pieces):
        session = buddy.Session(model)
        return [session.step(torch.tensor([piece])) for piece in pieces][-1]

    for _ in range(STEPS):
        action, i = draw.random(), draw.randrange(len(living)) if living else -1
        if i < 0 or (action < 0.1 and len(living) < 24):
            living.append((empty.fork(), ()))
        elif action < 0.25 and len(living) < 24:
            living.append((living[i][0].fork(), living[i][1]))
        elif action < 0.35:
            living.pop(i)
        elif action < 0.45:
            to, pieces = draw.choice(living)
            living[i][0].rewind(to)
            living[i] = (living[i][0], pieces)
        else:
            session, pieces = living[i]
            if len(pieces) > 24:
                session.rewind()
                pieces = ()
            pieces += (tuple(draw.randrange(VOCABULARY) for _ in range(draw.choice([1, 1, 1, 2, 5]))),)
            found = session.step(torch.tensor([pieces[-1]]))
            living[i] = (session, pieces)
            assert torch.equal(found, alone(pieces))


def test_on_two_threads(decoder):
    model, prompt = decoder[2], drawn(11, 8)
    trunk = buddy.Session(model)
    trunk.step(prompt)
    starts = [drawn(1, 20 + i) for i in range(6)]
    expected = [greedy(trunk.fork(), start, 25) for start in starts]
    found = [None] * 6

    def run(k, forks):
        for i in range(k, 6, 2):
            found[i] = greedy(forks[i], starts[i], 25)

    for _ in range(4):
        forks = [trunk.fork() for _ in range(6)]
        threads = [threading.Thread(target=run, args=(k, forks)) for k in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == expected


@pytest.fixture(scope="module")
def library(decoder, tmp_path_factory):
    path = tmp_path_factory.mktemp("growing") / "decoder.so"
    compiled(decoder[1], path, "--pairs-in-place")
    return path


def compiled(archive, path, *options):
    words = [sys.executable, "-m", "buddy", "compile", archive, *options, "-o", path, "--runtime", shared_runtime()]
    done = subprocess.run([*map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_ahead_of_time(decoder, library):
    session, prompt = buddy.Session(buddy.load(library)), drawn(7, 1)
    assert greedy(session, prompt, 20) == generate(decoder[0], prompt, 20)


def random_sessions(library, program):
    """Under ASan: the same libraries with that build's random_sessions (tests/fuzz/sessions)."""
    binary = shared_runtime().parent.parent / "bin" / "random_sessions"
    if not binary.exists():
        pytest.skip("the package is not in a build's folder")
    done = subprocess.run([binary, library, program, str(STEPS)], capture_output=True, text=True)
    assert done.returncode == 0 and " 0 wrong" in done.stdout, done.stdout + done.stderr
    return done.stdout


def test_conversations_at_random(library):
    assert "1 in one run at most" in random_sessions(library, "-")


def test_conversations_at_random_in_batches(tmp_path):
    torch.manual_seed(0)
    write_archive(llama().eval(), tmp_path / "rows.pt2", 64, rows=16)
    compiled(tmp_path / "rows.pt2", tmp_path / "rows.so")
    assert "16 in one run at most" in random_sessions(tmp_path / "rows.so", "decode")


class Any(torch.nn.Module):
    """Caches that grow in each place, one of which is read besides, and one by two rows."""

    def forward(self, x, first, last, middle):
        before = first.sum() + middle.mean()
        first = torch.cat([first, x[:, :1, None].expand(1, 3, 2)], 0)
        last = torch.cat([last, x[:, None, :].expand(1, 2, 4)], -1)
        middle = torch.cat([middle, torch.stack([x, 2 * x], 1)], dim=-2)
        return before + first.sum() + (last * last).sum(), first, last, middle.clone() * 1, middle


def test_any_dim_and_other_readers(tmp_path):
    values = [torch.randn(1, 4), torch.randn(5, 3, 2), torch.randn(1, 2, 3), torch.randn(1, 6, 4)]
    shapes = (None, {0: Dim("a", max=64)}, {2: Dim("b", max=400)}, {1: Dim("c", max=64)})
    torch.export.save(export(Any(), tuple(values), dynamic_shapes=shapes), tmp_path / "any.pt2")
    session = buddy.Session(buddy.load(tmp_path / "any.pt2", pairs_in_place=True))
    assert sorted(session.states) == ["first", "last", "middle"]
    state = values[1:]
    for name, value in zip(("first", "last", "middle"), state, strict=True):
        session[name] = value
    for i in range(20):
        x = torch.randn(1, 4, generator=torch.Generator().manual_seed(i))
        total, first, last, shown, middle = Any()(x, *state)
        state = [first, last, middle]
        close(list(session.step(x)), [total, shown])
    for name, value in zip(("first", "last", "middle"), state, strict=True):
        assert torch.equal(session[name], value)


def test_a_step_moves_no_cache(tmp_path):
    class Long(torch.nn.Module):
        def forward(self, x, cache):
            cache = torch.cat([cache, x[:, None]], 2)
            return cache[:, :, -4:].sum(2), cache

    width, length = 64, (1 << 18) - 16  # 64 MiB, and room for 16 rows
    cache = torch.randn(1, 1, 8, width)
    torch.export.save(export(Long(), (torch.randn(1, 1, width), cache), dynamic_shapes=(None, {2: Dim("n", min=3, max=1 << 20)})),
                      tmp_path / "long.pt2")  # fmt: skip
    session = buddy.Session(buddy.load(tmp_path / "long.pt2", pairs_in_place=True, threads=1))
    session["cache"] = torch.ones(1, 1, length, width)
    session.step(torch.ones(1, 1, width))
    address, before = session.address("cache"), private_dirty()
    for _ in range(10):
        assert torch.equal(session.step(torch.ones(1, 1, width)), torch.full((1, 1, width), 4.0))
    assert session.address("cache") == address and private_dirty() - before < 4 << 20


def test_inputs_of_another_type_are_named(decoder):
    session = buddy.Session(decoder[2])
    with pytest.raises(buddy.InvalidArgumentError, match="how much|expected"):
        session.step(torch.zeros(2, 2, 2, dtype=torch.int64))
    assert session.n_bytes == 0
