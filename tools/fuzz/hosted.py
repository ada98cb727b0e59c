"""What reads an input on CPython, and the other implementations that judge what was read."""

import io
import zipfile
from binascii import crc32
from typing import Any

import numpy as np
from safetensors import SafetensorError, deserialize

from burnpack.errors import BurnpackError
from burnpack.limits import Limits
from burnpack.safetensors import Reader
from burnpack.safetensors_header import burn_name
from burnrt import Model
from burnrt.checks import program as checks
from burnstore.boards.images.romfs import parse_image
from burnstore.exported.opening import graph_of, sample_inputs, says
from burnstore.io import fast_header, fast_index
from burnstore.io.npy import parse_npy
from burnstore.io.npz import NpzFile
from burnstore.io.opened import open_view
from burnstore.io.shards.index import parse_index
from burnstore.programs import reading
from burnstore.pytorch.reader import PytorchReader
from tools.fuzz.board import verdicts
from tools.fuzz.outcome import Differs

SMALL = Limits(metadata=1 << 20, tensors=1000, depth=64, tensor=1 << 20, file=1 << 24, expansion=1 << 20)
BOARDS = Limits(1 << 16, 1000, 16, 1 << 20, 1 << 24)  # as board/verdicts.py has them
WORK = 4_000  # numbers that a program which is run may look at
_SOURCE = "input"


def burnpack(data: bytes) -> str:
    """Read a Burnpack by the index of CBOR that boards have, and by the one at C speed."""
    return _alike(verdicts.burnpack, fast_index.FastReader, data)


def safetensors(data: bytes) -> str:
    """Read a SafeTensors file by both readers; what they take the reference takes, too."""
    found = _alike(verdicts.safetensors, fast_header.FastReader, data)
    ours = {each.name: each for each in Reader.from_static(data, BOARDS)}
    try:
        theirs = dict(deserialize(data))  # type: ignore[no-untyped-call]
    except SafetensorError as error:
        if "number out of range" in str(error):  # of a member that neither knows: as the docs say
            return found
        raise Differs(f"safetensors refuses what we read: {_cause(error)}") from None
    if theirs.keys() != ours.keys():
        raise Differs("safetensors finds other names")
    for name, each in theirs.items():
        one = ours[name]
        facts = (one.dtype, tuple(one.shape), bytes(one.data()))
        if facts != (burn_name(each["dtype"]), tuple(each["shape"]), bytes(each["data"])):
            raise Differs("safetensors reads another tensor")
    return found


def _cause(error: Exception) -> str:
    return str(error).split(":")[0][:60]


def _alike(read: Any, fast: Any, data: bytes) -> str:
    """Return what two readers of one format say; raises `Differs` where they disagree."""
    refusals: list[str] = []
    found: list[str] = []
    for each in (read, lambda view: verdicts.content(fast.from_static(view, BOARDS))):
        try:
            found.append(each(data))
        except BurnpackError as error:
            last = error
            refusals.append(f"{type(error).__name__} {error}")
    if len({*found, *refusals}) != 1:
        raise Differs("the fast reader says otherwise")
    if refusals:
        raise last
    return found[0]


def checkpoint(data: bytes) -> str:
    """Read all tensors of a PyTorch checkpoint."""
    return _contents(PytorchReader.from_buffer(data, _SOURCE, SMALL))


def opened(data: bytes) -> str:
    """Read a file of whatever format it shows."""
    return _contents(open_view(memoryview(data), _SOURCE, SMALL))


def exported(data: bytes) -> str:
    """Read the tensors, the graph and the sample inputs of a program that PyTorch saved."""
    reader = open_view(memoryview(data), _SOURCE, SMALL)
    found = _contents(reader)
    if says(reader):
        graph = graph_of(reader)
        samples = sample_inputs(reader, graph)
        found += f" {len(graph.nodes)} {len(samples or ())}"
    return found


def _contents(reader: Any) -> str:
    found = 0
    for name in reader.names():
        try:
            data = bytes(reader.tensor(name).data())
        except BurnpackError as error:  # of this tensor alone
            data = str(error).encode("utf-8", "surrogatepass")
        found = crc32(data, crc32(name.encode("utf-8", "surrogatepass"), found))
    for list_more in ("others", "left_out"):
        if hasattr(reader, list_more):
            getattr(reader, list_more)()
    return f"{len(reader)} {found:08x}"


def index(data: bytes) -> str:
    """Read the index of a sharded checkpoint."""
    found = parse_index(memoryview(data), SMALL)
    return f"{len(found.files())}"


def npy(data: bytes) -> str:
    """Read an array; numpy reads the same."""
    ours = parse_npy(memoryview(data), _SOURCE)
    _check_array(ours, lambda: np.load(io.BytesIO(data), allow_pickle=False))
    return f"{ours.dtype} {ours.shape}"


def npz(data: bytes) -> str:
    """Read arrays with names; numpy reads the same."""
    file = NpzFile(memoryview(data), _SOURCE)
    names = file.names()
    for name, array in zip(names, file.arrays(names), strict=True):
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as theirs:
                found = theirs[name + ".npy" if name + ".npy" in theirs.files else name]
        except (ValueError, OSError, KeyError, zipfile.BadZipFile, NotImplementedError) as error:
            raise Differs(f"numpy refuses what we read: {type(error).__name__}") from None
        _check_array(array, lambda found=found: found)
    return f"{len(names)}"


def _check_array(ours: Any, load: Any) -> None:
    try:
        theirs = load()
    except Exception as error:
        raise Differs(f"numpy refuses what we read: {type(error).__name__}") from None
    same = ours.dtype == theirs.dtype and ours.shape == theirs.shape and ours.tobytes() == theirs.tobytes()
    if not same:
        raise Differs("numpy reads another array")


def romfs(data: bytes) -> str:
    """Read the list of an image's files, and their bytes."""
    found = []
    for entry in parse_image(memoryview(data)):
        if not 0 <= entry.offset <= entry.offset + entry.size <= len(data):
            raise Differs("a file reaches beyond the image")
        found.append(f"/{entry.path}:{crc32(data[entry.offset : entry.offset + entry.size]):08x}")
    return " ".join(sorted(found))


def program(data: bytes) -> str:
    """Load a program, read it back for pictures and reports, and run it where that is quick."""
    with np.errstate(all="ignore"):  # what weights make of numbers is no matter here
        found = verdicts.program(data, runs(data))
    reading.program_in(Model(data))
    return found


def runs(data: bytes) -> bool:
    """Tell whether a program is one that looks at few numbers, and so is run. Raises `BurnpackError`."""
    work: list[int] = []

    def hold(place: "int | str", value: int, least: int, most: int) -> None:
        if place == "work":
            work.append(value)
        whole(place, value, least, most)

    whole = checks.__dict__["hold"]
    checks.__dict__["hold"] = hold
    try:
        Model(data)
    finally:
        checks.__dict__["hold"] = whole
    return work[-1] <= WORK
