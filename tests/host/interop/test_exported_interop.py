"""A network that PyTorch exported, converted: Burn's own crates read the file as we do."""

from pathlib import Path

import burnstore
from burnpack.reader import Reader
from kit import support
from kit.interop import interop_judge as judge


def test_every_converted_program_is_read_by_burn(tmp_path):
    paths = sorted(Path(support.data("pt2")).glob("*.pt2"))
    assert paths
    for path in paths:
        burnstore.convert(path, tmp_path / f"{path.stem}.bpk")
    seen = judge.read(tmp_path)
    files = sorted(tmp_path.glob("*.bpk"))
    assert len(seen) == len(files) == len(paths)
    for found, file in zip(seen, files, strict=True):
        assert found == judge.ours(Reader.from_static(file.read_bytes())), file.name
