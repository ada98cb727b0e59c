"""The containers of tests/vectors/burnpack_basic are what their maker makes."""

import importlib.util
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "vectors" / "burnpack_basic"


def test_the_maker_makes_the_files_that_are_there(tmp_path):
    spec = importlib.util.spec_from_file_location("burnpack_basic_make", FOLDER / "make.py")
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    maker.HERE = tmp_path
    maker.main()
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    there = {path.name: path.read_bytes() for path in FOLDER.iterdir() if path.suffix in (".bpk", ".json")}
    assert sorted(made) == sorted(there) and made == there
