"""The archives in which `torch.export.save` puts a program, its tensors and the inputs that it was made with.

Since PyTorch 2.8, all in one folder of a zip archive:

    archive_format, archive_version, byteorder    "pt2", "0", "little" or "big"
    models/<name>.json                            the program
    data/weights/<name>_weights_config.json       parameters and buffers by name, see `metas`
    data/weights/weight_<number>                  the bytes of a storage
    data/constants/<name>_constants_config.json   buffers that are no part of the state, and other constants
    data/constants/...
    data/sample_inputs/<name>.pt                  what the program was made with, as torch.save writes it

The first of these releases have one checkpoint each, data/weights/<name>.pt and data/constants/<name>.pt.
Before them there was no folder, the program is serialized_exported_program.json, and the tensors are in
serialized_state_dict.pt and serialized_constants.pt.
"""

from typing import NamedTuple

from burnpack.errors import DuplicateName, Malformed, Unsupported, printable
from burnpack.limits import Limits
from burnstore.exported.items import parse_json
from burnstore.exported.metas import stored_tensor
from burnstore.exported.program import ExportedProgram
from burnstore.pytorch.archive import ZipArchive
from burnstore.pytorch.checkpoint import Checkpoint
from burnstore.pytorch.objects import Dict, Opaque, Refused
from burnstore.pytorch.rebuild import TensorView
from burnstore.pytorch.storage import Storage, Storages
from burnstore.pytorch.zipped import load_inside

FORMAT = "archive_format"  # the record that marks a packaged archive
FORMAT_NAME = b"pt2"
VERSION = b"0"
FLAT = "serialized_exported_program.json"  # the record that marks a flat archive
MODELS = "models/"
ENDING = ".json"
CONTAINER = "pt2"  # what the facts of the container call it


class Records(NamedTuple):
    """The records of one program. Those of tensors may be configurations or checkpoints."""

    program: str
    weights: str
    constants: str
    samples: str


def load_exported(archive: ZipArchive, limits: Limits) -> Checkpoint:
    """Return the tensors of an exported program as a checkpoint, which has the program, too."""
    is_flat = not any(name.rpartition("/")[2] == FORMAT for name in archive.names())
    archive.enter(FLAT if is_flat else FORMAT)
    records = _flat(archive) if is_flat else _packaged(archive)
    tensors = _Tensors(archive, limits)
    for name in (records.weights, records.constants):
        tensors.add(name)
    facts = [("format", "pytorch"), ("container", CONTAINER), ("byteorder", tensors.order)]
    version = archive.fact("version" if is_flat else "archive_version")
    if version is not None:
        facts.append(("version", version.decode("utf-8", "replace")))
    found = Checkpoint(tensors.root, tensors.storages, tensors.order == "big", facts, tensors.beside)
    found.program = ExportedProgram(archive, records.program, records.samples, tensors.root, limits)
    return found


def _flat(archive: ZipArchive) -> Records:
    return Records(
        FLAT, "serialized_state_dict.pt", "serialized_constants.pt", "serialized_example_inputs.pt"
    )


def _packaged(archive: ZipArchive) -> Records:
    for record, known in ((FORMAT, FORMAT_NAME), ("archive_version", VERSION)):
        found = archive.fact(record)
        if found is not None and found != known:
            stated = found.decode("utf-8", "replace")
            what = "an exported program in another form than is read here"
            raise Unsupported(what, f"record {archive.top}{record}", expected=known.decode(), found=stated)
    name = _model(archive)
    weights, constants = f"data/weights/{name}", f"data/constants/{name}"
    return Records(
        f"{MODELS}{name}{ENDING}",
        _one_of(archive, f"{weights}_weights_config.json", f"{weights}.pt"),
        _one_of(archive, f"{constants}_constants_config.json", f"{constants}.pt"),
        f"data/sample_inputs/{name}.pt",
    )


def _model(archive: ZipArchive) -> str:
    """Return the name of the program in the archive, which must be the only one."""
    files = [name for name in archive.names_in(MODELS) if name.endswith(ENDING)]
    names = [name[len(MODELS) : -len(ENDING)] for name in files]
    if not names:
        if archive.names_in("data/aotinductor/"):
            raise Unsupported("compiled by AOTInductor: the archive has no program, only machine code")
        raise Malformed("the archive has no program", expected=f"{archive.top}{MODELS}<name>{ENDING}")
    if len(names) > 1:
        what = "the archive has several programs (torch.export.save writes an archive of one)"
        raise Unsupported(what, expected="one", found=", ".join(sorted(names)))
    return names[0]


def _one_of(archive: ZipArchive, *names: str) -> str:
    return next((name for name in names if archive.has(name)), names[0])


class _Tensors:
    """The tensors of a program by name, as they are found."""

    def __init__(self, archive: ZipArchive, limits: Limits) -> None:
        self.root = Dict()
        self.storages = Storages(archive.record, limits.tensors)
        self.beside: list[tuple[str, object]] = []
        self.order = archive.byte_order()
        self._archive = archive
        self._limits = limits
        self._names: set[str] = set()

    def add(self, name: str) -> None:
        """Add those of a configuration, or of a checkpoint."""
        if not name.endswith(ENDING):
            self._add_checkpoint(name)
            return
        folder = name[: name.rindex("/") + 1]
        for key, item in parse_json(self._archive.text(name), name).field("config").pairs():
            record, meta = folder + item.field("path_name").text(), item.get("tensor_meta")
            if meta is None:
                self.beside.append((key, Refused("an object that is no tensor")))
            elif item.field("use_pickle").flag():
                checkpoint = self._load(record)
                self._put(key, _of_class(checkpoint.root), checkpoint.swapped)
            else:
                storage = Storage(record, "U8", self._archive.record(record).size)
                self._put(key, stored_tensor(meta, self.storages.add(storage)))

    def _add_checkpoint(self, name: str) -> None:
        checkpoint = self._load(name)
        self.order = dict(checkpoint.facts)["byteorder"]
        if type(checkpoint.root) is not Dict:
            raise Malformed("a checkpoint of an exported program is no dict", f"record {name}")
        for key, value in checkpoint.root.pairs:
            if type(key) is not str:
                raise Malformed("a key is no text", f"record {name}", found=type(key).__name__)
            if isinstance(value, (TensorView, Refused)):
                self._put(key, value, checkpoint.swapped)
            else:
                self.beside.append((key, value))

    def _put(self, key: str, value: TensorView | Refused, swapped: bool | None = None) -> None:
        if key in self._names:
            raise DuplicateName("two tensors would have this name", key)
        self._names.add(key)
        if isinstance(value, TensorView):
            value.swapped = swapped
        self.root.pairs.append((key, value))

    def _load(self, name: str) -> Checkpoint:
        checkpoint = load_inside(self._archive, name, self._limits)
        for key, storage in checkpoint.storages.known.items():
            checkpoint.storages.locate(storage)
            storage.key = f"{name}/{key}"
            self.storages.add(storage)
        return checkpoint


def _of_class(root: object) -> TensorView | Refused:
    if isinstance(root, (TensorView, Refused)):
        return root
    kind = f"a tensor of the class {printable(root.origin.path)}" if type(root) is Opaque else "no tensor"
    return Refused(kind)
