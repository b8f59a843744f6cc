# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a person meets: texts, tables, pages, progress, logs, stubs, the command."""

import ast
import inspect
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import buddy
from buddy import _buddy
from buddy.compiler.frontend import DynamoCompiler


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.softmax(self.linear(x).relu(), dim=-1)


@pytest.fixture
def graph():
    return DynamoCompiler().importer_by_export(Net().eval(), torch.randn(2, 4))[0]


def test_the_module_as_text_and_bytes(graph, tmp_path):
    module = graph.module
    assert "func.func @forward" in str(module) and "loc(" not in str(module)
    assert '"func.func"' in module.text(generic=True)
    assert "test_habits.py" in module.text(locations=True)
    assert module.bytecode()[:4] == b"ML\xefR"
    module.save(tmp_path / "net.mlir")
    module.save(tmp_path / "net.mlirbc")
    assert (tmp_path / "net.mlir").read_text() == module.text()
    assert (tmp_path / "net.mlirbc").read_bytes()[:4] == b"ML\xefR"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["net.mlir", "net.mlirbc"]
    (tmp_path / "link").symlink_to("net.mlir")
    (tmp_path / "net.mlir").write_text("old")
    module.save(str(tmp_path / "link"))
    assert (tmp_path / "link").is_symlink() and (tmp_path / "net.mlir").read_text() == module.text()
    with pytest.raises(buddy.NotFoundError, match="cannot be created: No such file"):
        module.save(tmp_path / "none" / "net.mlir")
    with pytest.raises(buddy.FileError, match="No space left on device"):
        module.save("/dev/full")
    assert "lines" in repr(module) and "ops" in repr(graph)


def test_the_ops_of_a_graph(graph):
    ops = list(graph.walk())
    assert [op.target for op in ops] == ["aten.linear.default", "aten.relu.default", "aten.softmax.int"]
    assert ops[0].tensor_meta == {"shape": [2, 3], "dtype": torch.float32} and ops[0].kwargs["bias"]
    assert ops[0].location.line and ops[2].kwargs["dim"] == 1
    assert "aten.linear.default" in graph.text()


def test_explain_is_a_table_and_a_page(graph):
    explanation = graph.explain()
    lines = str(explanation).splitlines()
    assert lines[0].split()[:3] == ["COUNT", "OP", "TAKEN"] and any("aten.softmax.int" in line for line in lines)
    assert lines[-1].startswith("3 ops; with what they expand to:")
    page = explanation._repr_html_()
    assert page.startswith(f"<p>{lines[-1]}</p><iframe ") and page.count("aten.softmax.int") == 1
    assert sum(explanation.taken().values()) >= 3


def test_explain_says_what_nobody_takes(nobodys):
    class Unknown(torch.nn.Module):
        def forward(self, x):
            return nobodys(x)

    explanation = DynamoCompiler().importer_by_export(Unknown(), torch.randn(4))[0].explain()
    assert "NOBODY" in str(explanation) and "NOBODY" in explanation._repr_html_()


def test_progress(graph):
    told = []
    graph.compile(progress=lambda stage, fraction: told.append((stage, fraction)))
    fractions = [fraction for _, fraction in told]
    assert len(told) > 2 and fractions == sorted(fractions) and 0 <= fractions[0] and fractions[-1] <= 1


def test_progress_of_a_file_and_in_the_log(graph, tmp_path, caplog):
    torch.export.save(torch.export.export(Net().eval(), (torch.randn(2, 4),)), tmp_path / "net.pt2")
    told = []
    buddy.load(tmp_path / "net.pt2", cache=False, progress=lambda stage, fraction: told.append(fraction))
    assert len(told) > 2 and told == sorted(told)
    with caplog.at_level(logging.INFO, logger="buddy"):
        graph.compile()
        for cache in (True, False):
            torch._dynamo.reset()
            torch.compile(Net().eval(), backend="buddy", options={"cache": cache})(torch.randn(3, 4))
        buddy.load(tmp_path / "net.pt2", cache=False)
    assert sum("compiling:   0 %" in record.message for record in caplog.records) >= 4


def test_warnings_go_to_logging(tmp_path, monkeypatch, caplog):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BUDDY_CACHE_DIR", str(tmp_path / "file" / "cache"))
    torch.export.save(torch.export.export(Net().eval(), (torch.randn(2, 4),)), tmp_path / "net.pt2")
    with caplog.at_level(logging.WARNING, logger="buddy"):
        buddy.load(tmp_path / "net.pt2")
    assert any(record.name == "buddy" and "cache" in record.message for record in caplog.records)


def test_the_command():
    def run(*words):
        return subprocess.run([sys.executable, "-m", "buddy", *words], capture_output=True, text=True, timeout=60)

    assert buddy.__version__ in run("--version").stdout
    listed = run("registries").stdout
    assert "tosa" in listed and "linalg" in listed
    assert run("no-such-verb").returncode == 2
    text = "import sys, buddy; sys.exit('torch' in sys.modules)"  # the command must not wait for it
    assert subprocess.run([sys.executable, "-c", text], timeout=60).returncode == 0


def test_the_stubs_say_what_the_extension_has():
    stub = ast.parse(Path(_buddy.__file__).with_name("_buddy.pyi").read_text())
    classes = {node.name: {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
               for node in stub.body if isinstance(node, ast.ClassDef)}  # fmt: skip
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    names = {name for name in vars(_buddy) if not name.startswith("_")}
    assert {name for name in names if inspect.isclass(getattr(_buddy, name))} == set(classes)
    assert {name for name in names if inspect.isbuiltin(getattr(_buddy, name))} == functions
    for name, methods in classes.items():
        own = {method for method in vars(getattr(_buddy, name)) if not method.startswith("__")}
        assert own == methods - {"__init__"}, name


# Of what PyTorch's own types tell, nothing: they take a minute to read.
WITHOUT_PYTORCH = ["--follow-imports=skip", "--allow-subclassing-any", "--allow-untyped-decorators", "--no-warn-unused-ignores",
                   "--no-warn-return-any"]  # fmt: skip
IN_FULL = pytest.mark.skipif(not os.environ.get("BUDDY_TEST_ALL"), reason="takes long")


@pytest.mark.parametrize(("folder", "options"), [("sdk/python/buddy", ["--strict", *WITHOUT_PYTORCH]),
                                                 pytest.param("sdk/python/buddy", ["--strict", "--follow-imports=silent"], marks=IN_FULL),
                                                 pytest.param("examples/python", ["--ignore-missing-imports", "--follow-imports=silent"], marks=IN_FULL)])  # fmt: skip
def test_types_are_what_they_are_said_to_be(folder, options, tmp_path):
    """Of the package, strictly, and of the examples as users of it."""
    pytest.importorskip("mypy")
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", tmp_path, *options, root / folder], cwd=tmp_path,
                          env=os.environ | {"MYPYPATH": str(root / "sdk" / "python")}, capture_output=True, text=True, timeout=600)  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_everything_public_is_described():
    import buddy.backend
    import buddy.compiler.frontend
    import buddy.compiler.graph
    import buddy.model

    for module in (buddy, buddy.backend, buddy.compiler.frontend, buddy.compiler.graph, buddy.model):
        names = getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")])
        for value in (getattr(module, name) for name in names):
            if not inspect.isclass(value) and not inspect.isfunction(value) or not value.__module__.startswith("buddy"):
                continue
            assert value.__doc__, value
            for name, method in vars(value).items() if inspect.isclass(value) else ():
                assert name.startswith("_") or not inspect.isfunction(method) or method.__doc__, f"{value.__name__}.{name}"
