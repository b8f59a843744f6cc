# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors cross by address and by DLPack, and the GIL is free while buddy works."""

import ctypes
import gc
import threading
import time
import weakref

import pytest
import torch
from conftest import close

from buddy.compiler.frontend import DynamoCompiler


class Recorder:
    """A program that remembers what it was run on."""

    def __init__(self, program):
        self.program, self.inputs, self.results = program, [], []

    def run(self, inputs):
        self.inputs = inputs
        self.results = self.program.run(inputs)
        self.addresses = [data_of(capsule) for capsule in self.results]
        return self.results


def data_of(capsule):
    """The address in a DLPack capsule: the first field of what it points to."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    return ctypes.c_void_p.from_address(get(capsule, b"dltensor")).value


def compiled(model, *inputs):
    compiler = DynamoCompiler(registries="linalg:*")
    compiler.importer_by_export(model, *inputs)
    return compiler.imported_graphs[0].compile()


def test_inputs_and_parameters_go_in_by_address_and_results_come_out_by_it():
    model, x = torch.nn.Linear(6, 4).eval(), torch.randn(6, 8).t()
    executable = compiled(model, x)
    recorder = executable.program = Recorder(executable.program)
    (result,) = executable([x])
    given = {address: tuple(strides) for address, _, _, strides in recorder.inputs}
    assert given == {model.weight.data_ptr(): (6, 1), model.bias.data_ptr(): (1,), x.data_ptr(): (1, 8)}
    assert recorder.addresses == [result.data_ptr()]
    close(result, model(x).detach())


def test_other_libraries_tensors_go_in_by_address():
    numpy = pytest.importorskip("numpy")
    executable = compiled(torch.nn.ReLU(), torch.randn(5, 3))
    recorder = executable.program = Recorder(executable.program)
    array = numpy.ones((5, 3), numpy.float32)
    (result,) = executable([array])
    assert recorder.inputs[0][0] == array.ctypes.data
    assert numpy.from_dlpack(result).ctypes.data == recorder.addresses[0]


def test_results_outlive_the_program_and_are_freed():
    executable = compiled(torch.nn.ReLU(), torch.randn(5, 3))
    (result,) = executable([torch.ones(5, 3)])
    del executable
    gc.collect()
    assert result.sum() == 15
    gone = weakref.ref(result)
    del result
    assert gone() is None


class Long(torch.nn.Module):
    """Takes long enough to be watched."""

    def forward(self, x):
        for _ in range(12):
            x = torch.tanh(x @ x * 1e-3)
        return x


def ticks_during(work):
    """How often this thread got its turn while another one did the work, and how long that took."""
    done = threading.Event()
    thread = threading.Thread(target=lambda: (work(), done.set()))
    start, ticks = time.monotonic(), 0
    thread.start()
    while not done.is_set():
        ticks += 1
        time.sleep(0.002)
    thread.join()
    return ticks, time.monotonic() - start


def test_the_gil_is_free_while_a_program_runs():
    x = torch.randn(700, 700)
    executable = compiled(Long(), x)
    executable([x])
    ticks, seconds = ticks_during(lambda: executable([x]))
    assert seconds < 0.05 or ticks >= 5, f"{ticks} turns in {seconds} s"


def test_the_gil_is_free_while_a_graph_is_compiled():
    compiler = DynamoCompiler()
    compiler.importer_by_export(torch.nn.TransformerEncoderLayer(32, 4, 64, batch_first=True).eval(), torch.randn(2, 6, 32))
    graph = compiler.imported_graphs[0]
    ticks, seconds = ticks_during(graph.compile)
    assert ticks >= 5, f"{ticks} turns in {seconds} s"
