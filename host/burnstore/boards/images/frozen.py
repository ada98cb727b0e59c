"""What a firmware build takes to have models in it: blobs, one runtime, a manifest, and a README."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from burnpack.errors import LimitExceeded, SaveFailed
from burnpack.qfloat import QFloat
from burnpack.reader import Reader
from burnstore.boards.images import c_module, frozen_texts
from burnstore.boards.images.frozen_models import (
    RECORD,
    Frozen,
    read_models,
    record,
    runtime_for,
    with_model,
)
from burnstore.boards.images.names import check_name
from burnstore.boards.runtime import contents, needs
from burnstore.boards.runtime import modules as runtime
from burnstore.boards.runtime.bundle import NAME, Bundle
from burnstore.io.files import Buffer, PathLike, check_target, replace_all
from burnstore.programs.uses import Uses

# Bytes of a blob as a Python literal: the freezing tool's time grows with the square of its length, and
# the cross-compiler's heap is 2 MB.
LITERAL_MOST = 64 << 10

_TEXTS = ("manifest.py", "README.md", RECORD)
_BUNDLE = f"{NAME}.py"
_CMAKE = "micropython.cmake"

Files = Iterable[tuple[str, Iterable[Buffer]]]


@dataclass(frozen=True)
class Written:
    """What a folder has: its models, and the runtime of all."""

    models: list[Frozen]
    runtime: Bundle | list[str]


def write(
    folder: PathLike, model: Frozen, blob: memoryview, architecture: str | None, overwrite: bool
) -> Written:
    """Write the folder of a firmware build, or put a model into one that was written before.

    architecture: the processor, for kernels in native code; without it, all is bytecode. Raises
    `BurnpackError`.
    """
    check_name(model.name)
    models = with_model(read_models(Path(folder)), model)
    found = Written(models, runtime_for(models, architecture))
    files = [*_blob_files(model, blob), *_runtime_files(found.runtime), *_texts(Path(folder), found)]
    replace_all([(Path(folder) / file, content) for file, content in files], overwrite)
    return found


def check_folder(folder: PathLike, overwrite: bool) -> None:
    """Refuse a folder with models in it, unless one more may be put into it, or what is none."""
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise SaveFailed("not a folder", source=str(path))
    for file in _TEXTS:
        check_target(path / file, overwrite, str(path / file))
    read_models(path)


def runtime_of(
    reader: Reader, uses: Uses | None, source: Path | None = None, architecture: str | None = None
) -> list[str]:
    """Return the modules of the packages that loading and running a model takes.

    uses: what its program calls, or None. source: the file with the class that runs it otherwise; without it,
    all layers are counted. architecture: the processor, for kernels in native code; without it, all is
    bytecode. Raises `Malformed` for the source.
    """
    if uses is not None:
        return runtime.needed(contents.entries(uses, None, architecture))
    quantized = any(isinstance(tensor.dtype, QFloat) for tensor in reader)
    of_content = [*needs.SCALARS] * bool(reader.scalars()) + [*needs.QUANTIZED] * quantized
    entries = contents.entries(None, source, architecture)
    return runtime.needed([*entries, *of_content])


def check_literal(name: str, size: int) -> None:
    """Refuse a blob that is too large for a literal; raises `LimitExceeded`."""
    if size > LITERAL_MOST:
        what = (
            "too large to freeze as a Python module: the build's time grows with the square of the size "
            "(256 KB take 20 seconds, 1 MB over 3 minutes, and mpy-cross needs -X heapsize=). "
            "--as c-module takes any size in under a second; --force writes the module all the same"
        )
        raise LimitExceeded(what, name, expected=f"at most {LITERAL_MOST} bytes", found=size)


def _blob_files(model: Frozen, blob: memoryview) -> Iterator[tuple[str, Iterable[Buffer]]]:
    if model.form == "module":
        yield f"{model.name}.py", [f"DATA = {bytes(blob)!r}\n".encode()]
        return
    files = c_module.portable_files if model.form == "portable" else c_module.files
    for file, content in files(model.name, blob):
        yield f"{model.name}/{file}", content


def _runtime_files(found: Bundle | list[str]) -> Iterator[tuple[str, Iterable[Buffer]]]:
    if isinstance(found, Bundle):
        yield _BUNDLE, [found.source.encode()]
        return
    for module in found:
        yield "lib/" + runtime.file_name(module), [runtime.modules()[module].read_bytes()]


def _texts(folder: Path, found: Written) -> Iterator[tuple[str, Iterable[Buffer]]]:
    """Yield what says how the folder is built, and which models it has."""
    in_c = [model.name for model in found.models if model.form != "module"]
    if in_c:
        yield _CMAKE, [c_module.cmake_of(in_c).encode()]
    readme = frozen_texts.readme(folder, found.models, found.runtime)
    texts = (frozen_texts.manifest(found.models, found.runtime), readme)
    for name, text in zip(_TEXTS, texts, strict=False):
        # Within its quotes, what stands for a byte of a path that is no text means that byte to Python.
        yield name, [text.encode(errors="backslashreplace")]
    yield RECORD, [record(found.models)]
