"""What we write is read by Burn's own crates as we meant it."""

import itertools
from pathlib import Path

from burnpack.descriptor import BOOLS, FLOATS, INTEGERS
from burnpack.qfloat import MODES, PACKED, SCALES, VALUES, QFloat
from burnpack.reader import Reader
from burnpack.safetensors_writer import Writer as SafetensorsWriter
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from kit import support
from kit.formats import random_containers
from kit.interop import interop_judge as judge

COUNT = 10_000
DTYPES = (*FLOATS, *INTEGERS, *BOOLS.values())
SHAPES = ((), (1,), (0,), (2, 0), (0, 3), (1, 1, 1), (2, 3), (255,), (256,), (257,), (2,) * 8, (1,) * 64)
# What Burn's store takes out of SafeTensors, by our names.
SAFETENSORS_DTYPES = [name for name in DTYPES if name not in ("Flex32", "U16", "Bool(U8)", "Bool(U32)")]
RUST = Path(support.data("rust"))


def ramp(name, dtype, shape, param_id=None):
    """Return a tensor whose bytes go up."""
    nbytes = Tensor(name, dtype, shape, None).nbytes
    return Tensor(name, dtype, shape, bytes(number % 251 for number in range(nbytes)), param_id)


def check(folder, parts):
    """Write each of the containers in `parts` into `folder`; Burn must read what was meant."""
    for number, (tensors, metadata, scalars) in enumerate(parts):
        (folder / ("%05d.bpk" % number)).write_bytes(Writer(tensors, metadata, scalars).to_bytes())
    seen = judge.read(folder)
    assert len(seen) == len(parts)
    for number, (found, given) in enumerate(zip(seen, parts, strict=True)):
        assert found == judge.meant(*given), number


def schemes():
    """Return every combination of what makes a quantization scheme, for a shape of two dimensions."""
    stores = ("Native", *itertools.product(PACKED, (0, 1)))
    scales = (None, *SCALES)
    extents = ((), (1,), (4,), (2, 3), (1, 255))
    blocks = (None, *itertools.product(extents, SCALES))
    return [QFloat(*found) for found in itertools.product(VALUES, stores, MODES, scales, blocks)]


def test_every_dtype_in_every_shape(tmp_path):
    tensors = [ramp("%s %s" % pair, *pair) for pair in itertools.product(DTYPES, SHAPES)]
    check(tmp_path, [(tensors, [], [])])


def test_every_quantization_scheme(tmp_path):
    tensors = [ramp(str(number), scheme, (3, 10)) for number, scheme in enumerate(schemes())]
    assert len(set(schemes())) == len(tensors) == 9 * 5 * 2 * 6 * 26
    check(tmp_path, [(tensors, [], [])])


def test_every_width_of_param_id(tmp_path):
    ids = [None, *random_containers.EDGES]
    check(tmp_path, [([ramp(str(number), "U8", (1,), number) for number in ids], [], [])])


def test_every_kind_of_name_and_text(tmp_path):
    names = random_containers.NAMES
    texts = list(zip(names, reversed(names), strict=True))
    scalars = [(name, ("Bool", True)) for name in names]
    check(tmp_path, [([ramp(name, "U8", (1,)) for name in names], texts, scalars)])


def test_every_kind_of_scalar(tmp_path):
    edges = random_containers.EDGES
    scalars = [("u%d" % number, ("UInt", number)) for number in edges]
    scalars += [("i%d" % number, ("Int", number)) for number in edges if number < 1 << 63]
    scalars += [("n%d" % number, ("Int", -1 - number)) for number in edges if number < 1 << 63]
    scalars += [("f%r" % number, ("Float", number)) for number in random_containers.FLOAT_EDGES]
    scalars += [("yes", ("Bool", True)), ("no", ("Bool", False))]
    check(tmp_path, [([], [], scalars)])


def test_nothing_at_all(tmp_path):
    check(tmp_path, [([], [], [])])


def test_ten_thousand_random_containers(tmp_path):
    check(tmp_path, random_containers.of_seed(2026, COUNT))


def test_files_of_every_release_of_burn_written_anew(tmp_path):
    """Among them those that today's Burn can't read as they are, or reads wrong."""
    parts = []
    for path in sorted(RUST.glob("*.bpk")):
        reader = Reader.from_static(path.read_bytes())
        parts.append((list(reader), reader.metadata(), reader.scalars()))
    assert len(parts) > 15
    check(tmp_path, parts)


def test_safetensors_of_every_dtype_in_every_shape(tmp_path):
    tensors = [ramp("%s %s" % pair, *pair) for pair in itertools.product(SAFETENSORS_DTYPES, SHAPES)]
    tensors += [ramp(name, "F32", (3,)) for name in random_containers.NAMES if name != "__metadata__"]
    path = tmp_path / "all.safetensors"
    path.write_bytes(SafetensorsWriter(tensors, [("format", "pt"), ("é", "")]).to_bytes())
    (seen,) = judge.read(tmp_path)
    assert seen == {"tensors": judge.by_name(judge.described(tensor) for tensor in tensors)}
