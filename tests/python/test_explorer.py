# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Archives and colours in Model Explorer: by its own loader of extensions, and by the classes that it has for its files."""

import json
import subprocess
from pathlib import Path

import pytest

from buddy._paths import command

explorer = pytest.importorskip("model_explorer", reason="PyPI's ai-edge-model-explorer is needed")
dacite = pytest.importorskip("dacite")

MODEL = Path(__file__).resolve().parent.parent.parent / "examples" / "models" / "lenet5.pt2"


def convert(path):
    from model_explorer.extension_manager import ExtensionManager

    manager = ExtensionManager(["buddy.model_explorer"])
    manager.load_extensions()
    assert any(one["id"] == "buddy" and one["fileExts"] == ["pt2"] for one in manager.get_extensions_metadata())
    return manager.run_cmd({"cmdId": "convert", "extensionId": "buddy", "modelPath": str(path), "settings": {},
                            "deleteAfterConversion": False})  # fmt: skip


def test_it_opens_archives():
    (collection,) = convert(MODEL)["graphCollections"]
    (graph,) = collection["graphs"]
    nodes = {node["id"]: node for node in graph["nodes"]}
    assert nodes["conv2d"]["namespace"] == "conv1"
    attributes = {pair["key"]: pair["value"] for pair in nodes["conv2d"]["attrs"]}
    assert attributes["op"] == "aten.conv2d.default" and attributes["registry"] and "export_model.py:72" in attributes["where"]
    for node in graph["nodes"]:
        assert all(edge["sourceNodeId"] in nodes for edge in node["incomingEdges"])


def test_it_says_why_a_file_is_none(tmp_path):
    (tmp_path / "broken.pt2").write_bytes(b"PK")
    with pytest.raises(Exception, match="broken.pt2"):
        convert(tmp_path / "broken.pt2")


@pytest.mark.parametrize("verb", ["explain", "profile", "bisect"])
def test_colours_are_its_node_data(verb, tmp_path):
    from model_explorer.node_data_builder import GraphNodeData, ModelNodeData

    path = tmp_path / "data.json"
    subprocess.run([command(), verb, MODEL, "--node-data", path], check=True, stdout=subprocess.DEVNULL)
    data = json.loads(path.read_text())
    read = ModelNodeData({name: dacite.from_dict(GraphNodeData, one, dacite.Config(strict=True, check_types=verb != "explain"))
                          for name, one in data.items()})  # fmt: skip
    (graph,) = convert(MODEL)["graphCollections"][0]["graphs"]
    (values,) = read.graphsData.values()
    assert list(read.graphsData) == [graph["id"]]
    assert set(values.results) <= {node["id"] for node in graph["nodes"]}
    assert verb == "bisect" or values.results["conv2d"].value
    assert json.loads(read.to_json_string())[graph["id"]]["results"] == data[graph["id"]]["results"]
