"""The manifest and the README of a folder for a firmware build."""

from collections.abc import Sequence
from pathlib import Path

from burnstore.boards.images.frozen_models import Frozen
from burnstore.boards.runtime import kernel_sets, needs
from burnstore.boards.runtime import modules as runtime
from burnstore.boards.runtime.bundle import NAME, Bundle

_MANIFEST = """\
# Made by `burnstore freeze`: what the firmware of these models freezes. A line that you don't need may go.
"""

_README = """\
# %(names)s in your firmware

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

A firmware has one runtime. A second model goes into this folder, not into another one: `burnstore freeze`
with `--overwrite` adds it, and makes the runtime anew for all models here.
"""

_CLASS_USE = """\
```python
from burnpack import BurnpackStore
from %(name)s import DATA

model.load_from(BurnpackStore.from_static(DATA))  # reads the weights where they are, in flash
```

`burnrt.blob.find("%(name)s")` finds it too."""

_PROGRAM_USE = """\
```python
from burnrt import Model

model = Model("%(name)s")  # reads the weights where they are, in flash
```"""

_NATIVE = """
Of these, %(files)s native code, so your build's
mpy-cross has to be told the processor. Ports do it with `-march=`; on nrf, which does not, add
`MPY_CROSS_FLAGS=-march=` and the processor to the line above."""

_C_BUILD = """\
The two lines that a build takes, on the ports with make and on those with CMake (rp2, esp32):

```sh
make USER_C_MODULES=%(folder)s FROZEN_MANIFEST=your/manifest.py
make USER_C_MODULES=%(folder)s/micropython.cmake FROZEN_MANIFEST=your/manifest.py
```

A blob begins on a multiple of 256 bytes, in a section whose name begins with `.rodata`. Where your port's
linker script puts `.rodata` into RAM, as on the ESP8266, give that section a place in flash."""

_MODULE_BUILD = """\
The two lines that a build takes are the `include` below, in your manifest, and

```sh
make FROZEN_MANIFEST=your/manifest.py
```"""

_LITERALS = """

Where the bytes of %s begin is up to the compiler: any address. Everything answers the same there. What must
lie at a multiple of 4 is then copied to the heap."""


def manifest(models: Sequence[Frozen], found: Bundle | list[str]) -> str:
    """Return the manifest that freezes literals, and the runtime: without line numbers, if it is a bundle."""
    lines = [_MANIFEST, *(f'module("{model.name}.py")\n' for model in models if model.form == "module")]
    if isinstance(found, Bundle):
        return "".join([*lines, f'module("{NAME}.py", opt=3)\n'])
    names = [runtime.file_name(module).partition("/") for module in found]
    for package in needs.PACKAGES:
        files = [file for home, _, file in names if home == package]
        lines.append(f'package(\n    "{package}",\n    base_path="lib",\n    files=(\n')
        lines += [f'        "{file}",\n' for file in files]
        lines.append("    ),\n)\n")
    return "".join(lines)


def readme(folder: Path, models: Sequence[Frozen], found: Bundle | list[str]) -> str:
    """Return the text with the lines that a build takes, and those that a board runs."""
    literals = [f"`{model.name}.py`" for model in models if model.form == "module"]
    build = _C_BUILD if len(literals) < len(models) else _MODULE_BUILD
    uses = [(_PROGRAM_USE if model.uses else _CLASS_USE) % {"name": model.name} for model in models]
    path = folder.absolute().as_posix()
    return _README % {
        "names": ", ".join(model.name for model in models),
        "folder": path,
        "use": "\n\n".join(uses),
        "build": build % {"folder": path} + (_LITERALS % ", ".join(literals) if literals else ""),
        "frozen": _listed([*literals, _of_runtime(found)]),
        "native": _native(found),
    }


def _listed(texts: list[str]) -> str:
    return ", and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))


def _of_runtime(found: Bundle | list[str]) -> str:
    if isinstance(found, Bundle):
        kernels = ", ".join(f"`{name}`" for name in found.kernels)
        return f"`{NAME}.py`, the runtime of these models" + (f" with {kernels}" if kernels else "")
    return "`burnpack` and `burnrt`, as far as loading and running the models takes them"


def _native(found: Bundle | list[str]) -> str:
    if isinstance(found, Bundle):
        homes = [home for home in found.kernels.values() if kernel_sets.processors(home)]
        return _NATIVE % {"files": f"`{NAME}.py` holds"} if homes else ""
    files = [f"`{runtime.file_name(module)}`" for module in found if kernel_sets.processors(module)]
    return _NATIVE % {"files": ", ".join(files) + " hold"} if files else ""
