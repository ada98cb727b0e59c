"""What Burn's own writer writes is read by us as it was meant, and written again byte for byte."""

from pathlib import Path

import pytest

from burnpack.reader import Reader
from burnpack.writer import Writer
from burnstore.io.fast_index import FastReader
from kit.formats import random_containers
from kit.interop import interop_judge as judge

SEED = 2026
COUNT = 10_000
READERS = (Reader, FastReader)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Containers by Burn, as (their path, what was meant by them)."""
    folder = tmp_path_factory.mktemp("burn")
    return [(Path(line["file"]), line) for line in judge.ask("write", folder, SEED, COUNT)]


def without_sizes(meant):
    """Return what was meant, without the sizes that the schemes ask for, in the judge's form."""
    tensors = [{key: tensor[key] for key in tensor if key != "scheme_nbytes"} for tensor in meant["tensors"]]
    return judge.canonical({**meant, "tensors": judge.by_name(tensors)})


def test_both_of_our_readers_see_what_burn_meant(written):
    assert len(written) == COUNT
    for path, meant in written:
        expected = without_sizes(meant)
        data = path.read_bytes()
        for reader in READERS:
            assert judge.ours(reader.from_static(data)) == expected, path.name


def test_a_stream_gives_the_same(written):
    for path, meant in written[::10]:
        with path.open("rb") as file:
            assert judge.ours(Reader.from_stream(file)) == without_sizes(meant), path.name


def test_tensors_come_in_the_order_of_their_data(written):
    """Where one without bytes shares its place with the next, either may be first."""
    for path, meant in written:
        names = [tensor.name for tensor in Reader.from_static(path.read_bytes()) if tensor.nbytes]
        assert names == [tensor["name"] for tensor in meant["tensors"] if tensor["bytes"]], path.name


def test_written_again_it_is_the_same_byte_for_byte(written):
    for path, _ in written:
        data = path.read_bytes()
        reader = FastReader.from_static(data)
        assert Writer(reader, reader.metadata(), reader.scalars()).to_bytes() == data, path.name


def test_we_count_the_bytes_of_a_quantized_tensor_as_burn_does(written):
    counted = 0
    for path, meant in written:
        reader = Reader.from_static(path.read_bytes())
        for tensor in meant["tensors"]:
            if tensor["scheme_nbytes"] is not None:
                scheme = reader.tensor(tensor["name"]).dtype
                assert scheme.nbytes(tensor["shape"]) == tensor["scheme_nbytes"], (scheme, tensor["shape"])
                counted += 1
    assert counted > COUNT / 2


def test_the_random_containers_have_all_that_there_is(written):
    tensors = [tensor for _, meant in written for tensor in meant["tensors"]]
    dtypes = {str(tensor["dtype"]) for tensor in tensors if "QFloat" not in tensor["dtype"]}
    assert len(dtypes) == len(random_containers.PLAIN)
    schemes = [tensor["dtype"]["QFloat"] for tensor in tensors if "QFloat" in tensor["dtype"]]
    assert len({scheme["value"] for scheme in schemes}) == 9
    assert {next(iter(scheme["store"])) for scheme in schemes} == {"N", "PackedNative", "PackedU32"}
    assert {len(tensor["shape"]) for tensor in tensors} == {0, 1, 2, 3, 4, 5, 8}
    assert any(0 in tensor["shape"] for tensor in tensors)
    scalars = [scalar for _, meant in written for scalar in meant["scalars"].values()]
    assert {kind for scalar in scalars for kind in scalar} == {"Int", "UInt", "Float", "Bool"}
