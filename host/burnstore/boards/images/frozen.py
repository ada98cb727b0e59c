"""What a firmware build takes to have a model in it: the blob, the runtime, a manifest, and a README."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from burnpack.errors import LimitExceeded, SaveFailed
from burnpack.qfloat import QFloat
from burnpack.reader import Reader
from burnstore.boards.images import c_module
from burnstore.boards.images.names import check_name
from burnstore.boards.runtime import contents, kernel_sets, needs
from burnstore.boards.runtime import modules as runtime
from burnstore.io.files import Buffer, PathLike, check_target, replace_all

# Bytes of a blob as a Python literal: the freezing tool's time grows with the square of its length, and
# the cross-compiler's heap is 2 MB.
LITERAL_MOST = 64 << 10

_TEXTS = ("manifest.py", "README.md")

Files = Iterable[tuple[str, Iterable[Buffer]]]

_MANIFEST = """\
# Made by `burnstore freeze`: what this model's firmware freezes. A line that you don't need may go.
"""

_README = """\
# %(name)s in your firmware

Made by `burnstore freeze`. On the board:

%(use)s

%(build)s

`manifest.py` freezes %(frozen)s.%(native)s
Your own manifest takes it in with one line:

```python
include("%(folder)s/manifest.py")
```

Without a manifest of your own, put your board's into one first, for instance
`include("$(PORT_DIR)/boards/manifest.py")`, and name it with `FROZEN_MANIFEST=`.
"""

_LAYERS_USE = """\
```python
from burnpack import BurnpackStore
from %(name)s import DATA

model.load_from(BurnpackStore.from_static(DATA))  # reads the weights where they are, in flash
```

`burnrt.blob.find("%(name)s")` finds it too."""

_INTEGERS_USE = """\
```python
from burnrt import blob, int8

model = int8.Model(blob.find("%(name)s").reader())  # reads the weights where they are, in flash
```"""

_NATIVE = """
Of these, %(modules)s hold native code, so your build's
mpy-cross has to be told the processor. Ports do it with `-march=`; on nrf, which does not, add
`MPY_CROSS_FLAGS=-march=` and the processor to the line above."""

_C_BUILD = """\
The two lines that a build takes, on the ports with make and on those with CMake (rp2, esp32):

```sh
make USER_C_MODULES=%(folder)s FROZEN_MANIFEST=your/manifest.py
make USER_C_MODULES=%(folder)s/%(name)s/micropython.cmake FROZEN_MANIFEST=your/manifest.py
```

The blob begins on a multiple of 256 bytes, in a section whose name begins with `.rodata`. Where your port's
linker script puts `.rodata` into RAM, as on the ESP8266, give that section a place in flash."""

_MODULE_BUILD = """\
The two lines that a build takes are the `include` below, in your manifest, and

```sh
make FROZEN_MANIFEST=your/manifest.py
```

Where the bytes begin is up to the compiler: any address. Everything answers the same there, slower where a
processor can't read numbers at such an address."""


def write_c_module(folder: PathLike, name: str, blob: memoryview, needed: list[str], overwrite: bool) -> None:
    """Write the folder of a firmware build; the assembler includes the blob.

    needed: the modules of the runtime, as from `runtime_of`. Raises `BurnpackError`.
    """
    _write(folder, name, _in_folder(name, c_module.files(name, blob)), needed, _C_BUILD, overwrite)


def write_portable_c_module(
    folder: PathLike, name: str, blob: memoryview, needed: list[str], overwrite: bool
) -> None:
    """Write the same with the blob as a C array, which every compiler takes."""
    _write(folder, name, _in_folder(name, c_module.portable_files(name, blob)), needed, _C_BUILD, overwrite)


def write_module(folder: PathLike, name: str, blob: memoryview, needed: list[str], overwrite: bool) -> None:
    """Write the same with the blob as a literal in a module of Python."""
    content = [f"DATA = {bytes(blob)!r}\n".encode()]
    _write(folder, name, [(f"{name}.py", content)], needed, _MODULE_BUILD, overwrite)


def check_folder(folder: PathLike, overwrite: bool) -> None:
    """Refuse a folder with a model in it already, or what is none; raises `SaveFailed`."""
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise SaveFailed("not a folder", source=str(path))
    for file in _TEXTS:
        check_target(path / file, overwrite, str(path / file))


def runtime_of(reader: Reader, source: Path | None = None, architecture: str | None = None) -> list[str]:
    """Return the modules that loading and running a model takes.

    source: the file with a float model's class; without it, all layers are counted. architecture: the
    processor, for kernels in native code; without it, all is bytecode. Raises `Malformed` for the source.
    """
    quantized = any(isinstance(tensor.dtype, QFloat) for tensor in reader)
    of_content = [*needs.SCALARS] * bool(reader.scalars()) + [*needs.QUANTIZED] * quantized
    entries = contents.entries(contents.operations(reader), source, architecture)
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


def _write(
    folder: PathLike, name: str, blob_files: Files, needed: list[str], build: str, overwrite: bool
) -> None:
    check_name(name)
    literal = [f"{name}.py"] if build is _MODULE_BUILD else []
    readme = _readme(folder, name, needed, build)
    texts = zip(_TEXTS, (_manifest(literal, needed), readme), strict=True)
    # Within its quotes, what stands for a byte of a path that is no text means that byte to Python.
    encoded = ((file, [text.encode(errors="backslashreplace")]) for file, text in texts)
    written = [*blob_files, *_runtime_files(needed), *encoded]
    replace_all([(Path(folder) / file, content) for file, content in written], overwrite)


def _in_folder(name: str, blob_files: Files) -> Files:
    return ((f"{name}/{file}", content) for file, content in blob_files)


def _runtime_files(needed: list[str]) -> Iterator[tuple[str, Iterable[Buffer]]]:
    for module in needed:
        yield "lib/" + runtime.file_name(module), [runtime.modules()[module].read_bytes()]


def _manifest(literal: list[str], needed: list[str]) -> str:
    lines = [_MANIFEST] + [f'module("{file}")\n' for file in literal]
    for package in needs.PACKAGES:
        names = [runtime.file_name(module).partition("/") for module in needed]
        files = [file for found, _, file in names if found == package]
        lines.append(f'package(\n    "{package}",\n    base_path="lib",\n    files=(\n')
        lines += [f'        "{file}",\n' for file in files]
        lines.append("    ),\n)\n")
    return "".join(lines)


def _readme(folder: PathLike, name: str, needed: list[str], build: str) -> str:
    frozen = "`burnpack` and `burnrt`, as far as loading and running the model takes them"
    if build is _MODULE_BUILD:
        frozen = f"`{name}.py`, and " + frozen
    facts = {"name": name, "folder": Path(folder).absolute().as_posix(), "frozen": frozen}
    use = _INTEGERS_USE if "burnrt.int8" in needed else _LAYERS_USE
    return _README % {**facts, "build": build % facts, "use": use % facts, "native": _native(needed)}


def _native(needed: list[str]) -> str:
    files = [f"`{runtime.file_name(module)}`" for module in needed if kernel_sets.processors(module)]
    return _NATIVE % {"modules": ", ".join(files)} if files else ""
