# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a notebook shows of graphs, of who took their ops and of where their time goes; in Chromium, where it is there."""

import html
import json
import re
import sys
from pathlib import Path

import pytest
import torch

import buddy
from buddy.compiler.frontend import DynamoCompiler
from buddy.compiler.graph.explain import Decision, Explanation, Try
from buddy.compiler.graph.operation import Location
from buddy.compiler.graph.profile import Profile

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "command"))

from browser import ELEMENT, IS_THERE, Browser  # noqa: E402

HOSTILE = "</script></iframe>\"'><img src=x onerror='window.broken=1'>"


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(4, 8), torch.nn.Linear(8, 3)

    def forward(self, x):
        return self.second(torch.relu(self.first(x))).softmax(1)


@pytest.fixture(scope="module")
def graph():
    return DynamoCompiler().importer_by_export(Net().eval(), torch.randn(2, 4))[0]


def data_of(page):
    """What the page in the frame has as its data."""
    (text,) = re.findall(r'<iframe [^<>]*srcdoc="([^"]*)"[^<>]*></iframe>', page)
    (data,) = re.findall(r'<script id="data" type="application/json">(.*?)</script>', html.unescape(text), re.DOTALL)
    return json.loads(data)


def test_profile_tells_steps(graph):
    inputs = torch.randn(2, 4)
    profile = graph.profile(inputs, repeat=3)
    steps = profile.steps
    assert steps and all(step.seconds > 0 for step in steps) and profile.seconds == sum(step.seconds for step in steps)
    modules = {step.module for step in steps}
    assert {"first", "second"} <= modules
    first = next(step for step in steps if step.module == "first")
    assert first.nodes == ("linear", "relu")  # one loop, told by what it begins with
    assert first.op == "aten.linear.default" and first.registries and re.search(r"test_notebook\.py:\d+", first.where)
    lines = str(profile).splitlines()
    assert lines[0].split() == ["SHARE", "MS", "OP", "NODES", "KERNEL", "WHERE"] and len(lines) == len(steps) + 3
    assert sum(float(line.split()[0]) for line in lines[1:-2]) == pytest.approx(100, abs=0.1 * len(steps))
    assert "of 3 runs" in repr(profile)
    # What is measured is not what runs: the same program as before.
    assert graph.compile().program.steps() == []
    torch.testing.assert_close(graph(inputs)[0], graph.compile()([inputs])[0])


def test_profile_refuses_what_it_cannot_run(graph):
    with pytest.raises(buddy.InvalidArgumentError, match="repeat=0"):
        graph.profile(torch.randn(2, 4), repeat=0)
    with pytest.raises(buddy.InvalidArgumentError, match="takes 1 inputs"):
        graph.profile()


def test_pages_have_every_node(graph):
    nodes = data_of(graph._repr_html_())["views"][0]
    assert [row[0] for row in nodes["rows"]] == [decision.name for decision in graph.decisions]
    assert [row[4] for row in nodes["rows"]] == ["first", "", "second", ""]
    steps = data_of(graph.profile(torch.randn(2, 4), repeat=1)._repr_html_())["views"][0]
    assert {row[5] for row in steps["rows"]} >= {"first", "second"}


def hostile_pages():
    """Every text is hostile."""
    place = Location(HOSTILE, 1, HOSTILE, HOSTILE, HOSTILE)
    inner = Decision(HOSTILE, HOSTILE, HOSTILE, place, False, (Try(HOSTILE, "DECLINED", HOSTILE),), ())
    decision = Decision(HOSTILE, HOSTILE, HOSTILE, place, True, (Try(HOSTILE, "DECLINED", HOSTILE), Try(HOSTILE, "OK", "")), (inner,))
    profile = Profile(HOSTILE, [(HOSTILE, HOSTILE, HOSTILE, HOSTILE, 1e-3, 0)], [decision], 1)
    return [Explanation([decision])._repr_html_(), profile._repr_html_()]


def test_hostile_texts_stay_within_the_frame():
    for page in hostile_pages():
        assert page.count("<") == 4 and page.count("<iframe") == 1  # the note's two, the frame's two
        assert HOSTILE in json.dumps(data_of(page)).replace('\\"', '"')


@pytest.mark.skipif(not IS_THERE, reason="Debian's chromium and chromium-driver are needed")
def test_a_notebook_shows_them(graph, tmp_path):
    pages = [graph._repr_html_(), graph.explain()._repr_html_(), graph.profile(torch.randn(2, 4))._repr_html_(), *hostile_pages()]
    with Browser() as browser:
        browser.size(1000, 800)
        for i, page in enumerate(pages):
            (tmp_path / "notebook.html").write_text(f"<!DOCTYPE html><meta charset=utf-8><title>x</title>{page}")
            browser.open(tmp_path / "notebook.html")
            element = browser.call("POST", "/element", {"using": "css selector", "value": "iframe"})
            browser.call("POST", "/frame", {"id": {ELEMENT: element[ELEMENT]}})
            rows = browser.js("[...document.querySelectorAll('#lines [role=row]:not([aria-expanded])')].map(row => row.innerText)")
            assert len(rows) >= (3 if i < 3 else 1)
            browser.click("#lines [role=row]:not([aria-expanded])")
            assert browser.js("!document.querySelector('#details').hidden && document.querySelectorAll('img').length === 0")
            assert browser.js("window.broken === undefined && document.querySelector('#pairs').children.length > 4")
            assert (HOSTILE in browser.js("document.querySelector('#pairs').textContent")) == (i >= 3)
            browser.call("POST", "/frame/parent")
            assert browser.js("window.broken === undefined && document.querySelectorAll('img').length === 0")
            assert browser.complaints() == []
