"""Models with programs in a firmware: one runtime for all of them, with the kernels of their steps."""

import json

import pytest

from burnpack.tensor import Tensor
from burnpack.writer import Writer
from kit.boards.freezing import frozen_at, frozen_runs, manifest_files, run
from kit.int8.small_int8 import INPUT, OUTPUT, Parts
from kit.int8.small_program import Program, end

ANSWERS = """
from burnrt import KERNELS, Model
model = Model("net")
model.input[:] = %r
model.run()
print(bytes(model.output) == %r, "int8.linear" in KERNELS)
""" % (bytes(INPUT), OUTPUT)

BOTH = (
    ANSWERS
    + """
model = Model("other")
model.input[:] = bytes(range(4))
model.run()
print(list(model.output))
"""
)


def other():
    """Return a model that looks up."""
    parts = Program(16, [end((1, 4), 0, 0.5)], [end((1, 4), 8, 0.5)])
    parts.weights["table"] = bytes(255 - place for place in range(256))
    parts.step("int8.lookup", ("weight", "table"), 256, 0, 0, 8, 0, 255, 0, 0, 4)
    return parts.to_bytes()


@pytest.fixture
def model(tmp_path):
    (tmp_path / "net.bpk").write_bytes(Parts().to_bytes())
    (tmp_path / "other.bpk").write_bytes(other())
    return tmp_path / "net.bpk"


@pytest.mark.parametrize("options", ((), ("--march", "x64")))
def test_a_frozen_model_answers_with_nothing_but_its_file_and_the_runtime(model, options):
    folder = frozen_at(model, "--as", "module", *options)
    assert set(manifest_files(folder)) == {"net.py", "burnrt.py"} and not (folder / "lib").exists()
    assert frozen_runs(folder, ANSWERS).stdout.split() == ["True", "True"]
    text = (folder / "README.md").read_text()
    assert 'Model("net")' in text and "%" not in text and "`int8.linear`" in text
    assert ("mpy-cross has to be told the processor" in text) == bool(options)


def test_two_models_of_one_folder_share_a_runtime_that_has_the_kernels_of_both(model):
    frozen_at(model.with_name("other.bpk"), "--as", "module")
    folder = frozen_at(model, "--as", "module", "--overwrite")
    assert sorted(manifest_files(folder)) == ["burnrt.py", "net.py", "other.py"]
    assert frozen_runs(folder, BOTH).stdout.splitlines() == ["True True", "[255, 254, 253, 252]"]
    text = (folder / "README.md").read_text()
    assert text.startswith("# net, other in your firmware") and 'Model("other")' in text


def test_what_a_folder_has_does_not_depend_on_the_order_in_which_models_came(model, tmp_path):
    found = []
    for names in (("net", "other"), ("other", "net", "net")):
        folder = tmp_path / "firmware"
        for name in names:
            frozen_at(tmp_path / (name + ".bpk"), "--overwrite")
        found.append({file.name: file.read_bytes() for file in folder.rglob("*") if file.is_file()})
        folder.rename(tmp_path / "-".join(names))
    assert found[0] == found[1]


def test_one_file_for_cmake_includes_the_modules_of_all_models(model):
    frozen_at(model.with_name("other.bpk"))
    folder = frozen_at(model, "--overwrite")
    included = [f"include(${{CMAKE_CURRENT_LIST_DIR}}/{name}/micropython.cmake)" for name in ("net", "other")]
    assert (folder / "micropython.cmake").read_text().splitlines() == included
    assert f"USER_C_MODULES={folder.as_posix()}/micropython.cmake" in (folder / "README.md").read_text()


def test_beside_a_model_that_its_class_runs_the_runtime_is_packages(model):
    path = model.with_name("floats.bpk")
    path.write_bytes(without_program())
    frozen_at(path, "--as", "module")
    done = frozen_at(model, "--as", "module", "--overwrite")
    files = manifest_files(done)
    assert {"net.py", "floats.py", "lib/burnrt/model.py", "lib/burnrt/nn/linear.py"} <= set(files)
    assert "burnrt.py" not in files


def without_program():
    """Return a model of floats that has no program."""
    return Writer([Tensor("weight", "F32", (2,), bytes(8))]).to_bytes()


def test_a_second_model_needs_overwrite_and_the_first_stays(model):
    folder = frozen_at(model)
    done = run("freeze", model.with_name("other.bpk"), "-o", folder)
    assert done.returncode == 1 and "exists" in done.stderr
    assert not (folder / "other").exists()


RECORDS = [
    "",
    "{",
    "[]",
    '{"models": 3}',
    '{"models": [{}]}',
    '{"models": [{"name": "../a"}]}',
    "[" * 100_000,
]


@pytest.mark.parametrize("text", RECORDS, ids=range(len(RECORDS)))
def test_a_record_that_is_none_is_refused_and_nothing_is_written(model, text):
    folder = frozen_at(model)
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    before[folder / "models.json"] = text.encode()
    (folder / "models.json").write_text(text)
    done = run("freeze", model.with_name("other.bpk"), "-o", folder, "--overwrite")
    assert done.returncode == 1 and "models.json" in done.stderr and len(done.stderr.splitlines()) == 1
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == before


def test_the_command_names_the_kernels_and_the_models_of_the_folder(model):
    frozen_at(model.with_name("other.bpk"))
    words = ("freeze", model, "-o", model.parent / "firmware", "--overwrite")
    said = json.loads(run(*words, "--json").stdout)
    assert said["models"] == ["net", "other"] and "int8.softmax" in said["kernels"]
    assert "net, " in run(*words).stdout and "(with other)" in run(*words).stdout
