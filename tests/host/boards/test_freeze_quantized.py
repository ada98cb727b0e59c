"""A quantized model in a firmware: bytecode for every build, native kernels where the processor is known."""

import shutil

import pytest

from burnrt import int8, nn
from burnstore.models.selftest import any_input, with_quantized_golden
from burnstore.pipeline.writing import save_burnpack
from kit.boards.freezing import frozen_at, frozen_runs, manifest_files
from kit.int8.quantizing import opened, quantized_chain
from tools import interpreters

INTEGERS = """
from burnpack.reader import Reader
from burnrt import blob, int8, selftest

reader = blob.find("net").reader()
model = int8.Model(reader)
print(selftest.run(model, reader).passed, model.copied)
from net import DATA

moved = memoryview(bytes(1) + DATA)[1:]  # where the compiler may put a literal
reader = Reader.from_static(moved)
model = int8.Model(reader)
print(selftest.run(model, reader).passed, 0 < model.copied < len(DATA) // 2)
from burnrt.kernels import int8 as kernels
print(kernels.in_use())
"""


@pytest.fixture
def quantized(tmp_path):
    """Return the path of a quantized model with a case of its own."""
    reader = opened(quantized_chain((40,), first=nn.Linear(40, 40), second=nn.Linear(40, 3))[0])
    tensors, scalars = with_quantized_golden(reader, [any_input(int8.Model(reader), 0)])
    save_burnpack(tmp_path / "net.bpk", tensors, reader.metadata(), reader.scalars() + scalars)
    return tmp_path / "net.bpk"


@pytest.mark.parametrize("options,sets", (((), ["plain"]), (("--march", "x64"), ["viper"])))
def test_a_frozen_quantized_model_answers_right_at_every_address(quantized, options, sets):
    folder = frozen_at(quantized, "--as", "module", *options)
    lib = folder / "lib" / "burnrt"
    shutil.copy(interpreters.ROOT / "device/burnrt/selftest.py", lib)  # of which a frozen model has no need
    done = frozen_runs(folder, INTEGERS)
    assert done.stdout.splitlines() == ["True 0", "True True", repr(sets)], done.stderr


def test_a_quantized_model_is_frozen_without_layers_and_what_loads_them(quantized):
    folder = frozen_at(quantized)
    files = manifest_files(folder)
    assert not [file for file in files if "/nn/" in file or "loading_store" in file or "viper" in file]
    text = (folder / "README.md").read_text()
    assert 'int8.Model(blob.find("net").reader())' in text and "mpy-cross" not in text
    done = frozen_at(quantized, "--march", "armv6m", "--overwrite")
    assert "mpy-cross has to be told the processor" in (done / "README.md").read_text()
