"""What mip installs and firmware builds include: package.json and manifest.py, made from the tree.

    python -m tools.mip_packages          write them
    python -m tools.mip_packages --check  exit 1 where one is not what it would be

    package.json                  burnpack and burnrt, whole
    shared/*.json                 burnpack, whole (package.json) or as far as loading a model takes it
    device/*.json                 burnrt, whole (package.json) or in parts: a board pays for what it imports
    manifests/NAME/manifest.py    each of them for a firmware build

Kernels in native code are parts of their own, for the processors that have it; burnrt takes none of them, so
that every firmware build takes burnrt. A package.json, whole, has them as sources: a board passes over those
that it can't compile.

Each .json names all files that its part needs of its own package, so one is enough, from a folder or from
a repository. burnrt needs burnpack-read beside it. An index of packages knows that: see mip_index. A firmware
build does too, where its own manifest says

    add_library("burn", "path/to/manifests")
    require("burnrt-dense")
"""

import argparse
import json
import sys
from pathlib import Path
from typing import NamedTuple

from burnpack.version import VERSION
from burnstore.boards.runtime import modules as runtime
from burnstore.boards.runtime import needs
from burnstore.boards.runtime.kernel_sets import processors

ROOT = Path(__file__).resolve().parent.parent
HOMES = {"burnpack": "shared", "burnrt": "device"}  # package: its folder in the tree
WHOLE = "package.json"  # what mip reads where only a folder is named
MANIFESTS = "manifests"

LOADING = tuple(entry for entry in needs.LOADING if entry.startswith("burnpack."))
# What several parts need is in the core: a firmware build takes no file twice.
CORE = (
    *(entry for entry in needs.LOADING if entry.startswith("burnrt.")),
    *needs.RUNNING,
    "burnrt.kernels.plain.norm",
    "burnrt.kernels.plain.probability",
    "burnrt.kernels.plain.windows",
    "burnrt.nn.index",
    "burnrt.nn.layer",
    "burnrt.nn.shape",
    "burnrt.views",
)
LAYERS = ("burnrt-dense", "burnrt-conv", "burnrt-norm", "burnrt-embedding", "burnrt-sequence")
EVERYWHERE = tuple(module for module in runtime.modules() if processors(module) is None)


class Part(NamedTuple):
    """What can be installed by its name.

    entries: the modules it is there for, as `runtime.needed` takes them.
    parts: the parts that an index installs with it.
    """

    description: str
    entries: tuple[str, ...]
    parts: tuple[str, ...] = ()


def _layers(names: str) -> tuple[str, ...]:
    return tuple("burnrt.nn." + name for name in names.split())


PARTS = {
    "burnpack-read": Part(
        "Burnpack containers: reading, and loading models.",
        (*LOADING, *needs.SCALARS, *needs.QUANTIZED),
    ),
    "burnpack": Part(
        "Burnpack and SafeTensors containers: reading, writing, adapters, filters.",
        ("burnpack.*",),
        ("burnpack-read",),
    ),
    "burnrt-core": Part("Finding, loading and testing models of Burn's.", CORE, ("burnpack-read",)),
    "burnrt-dense": Part(
        "Dense layers, sums, activations and softmax.",
        _layers("linear add activation rectifier prelu softmax container"),
        ("burnrt-core",),
    ),
    "burnrt-conv": Part(
        "Convolutions and pooling.", _layers("conv conv_transpose declared pool pool1d"), ("burnrt-core",)
    ),
    "burnrt-norm": Part("Normalisation.", _layers("norm group_norm"), ("burnrt-core",)),
    "burnrt-embedding": Part("Embeddings.", _layers("embedding"), ("burnrt-core",)),
    "burnrt-sequence": Part(
        "Recurrent layers and attention.",
        _layers("recurrent rnn lstm gru bidirectional attention"),
        ("burnrt-dense",),
    ),
    "burnrt-int8": Part(
        "Quantized models, on every processor.",
        ("burnrt.model", "burnrt.kernels.int8.plain.*"),
        ("burnrt-core",),
    ),
    "burnrt-int8-viper": Part(
        "Quantized models, faster where there is a native emitter.",
        ("burnrt.kernels.int8.viper.*",),
        ("burnrt-int8",),
    ),
    "burnrt-int8-thumb": Part(
        "Quantized models, fastest on ARM Cortex-M0, M0+ and M23.",
        ("burnrt.kernels.int8.thumb_m0.*",),
        ("burnrt-int8-viper",),
    ),
    "burnrt-int8-m3": Part(
        "Quantized models, fastest on ARM Cortex-M3.",
        ("burnrt.kernels.int8.thumb_m3.*",),
        ("burnrt-int8-thumb",),
    ),
    "burnrt-int8-dsp": Part(
        "Quantized models, fastest on ARM Cortex-M4, M7, M33 and later.",
        ("burnrt.kernels.int8.thumb_dsp.*",),
        ("burnrt-int8-thumb",),
    ),
    "burnrt-thumb-fpu": Part(
        "Layers, faster on ARM Cortex-M with a floating-point unit.",
        ("burnrt.kernels.thumb_fpu.*",),
        ("burnrt-core",),
    ),
    "burnrt-ulab": Part(
        "Layers, faster where ulab is built in.", ("burnrt.kernels.ulab.*",), ("burnrt-core",)
    ),
    "burnrt": Part(
        "All layers of Burn's, and quantized models.",
        tuple(module for module in EVERYWHERE if module.startswith("burnrt")),
        ("burnrt-core", *LAYERS, "burnrt-int8", "burnrt-ulab"),
    ),
}

_MANIFEST = """\
# ruff: noqa: F821 - the build defines these functions
# Made by tools/mip_packages.py. A firmware's manifest takes it in by require("{name}").
metadata(
    description="{description}",
    version="{version}",
)
"""

_PACKAGE = """\
package(
    "{package}",
    base_path="../../{home}",
    files=[
{files}    ],
)
"""


def modules_of(name: str) -> list[str]:
    """Return the modules that a part and the parts with it have of its own package, sorted."""
    package = name.partition("-")[0]
    return sorted(module for module in with_parts(name) if module.partition(".")[0] == package)


def own_modules(name: str) -> list[str]:
    """Return the modules that a part adds to those of the parts that are installed with it, sorted."""
    brought = {module for part in PARTS[name].parts for module in with_parts(part)}
    return sorted(with_parts(name) - brought)


def with_parts(name: str) -> set[str]:
    """Return all modules that an index installs for a part."""
    part = PARTS[name]
    return set(runtime.needed(part.entries)).union(*map(with_parts, part.parts))


def _all_of(package: str) -> list[str]:
    return sorted(module for module in runtime.modules() if module.partition(".")[0] == package)


def generated() -> dict[str, str]:
    """Return {path in the tree: text} of all files that are made here."""
    files = {WHOLE: _package_json([module for package in HOMES for module in _all_of(package)], ROOT)}
    for name in PARTS:
        home = HOMES[name.partition("-")[0]]
        file, modules = (WHOLE, _all_of(name)) if name in HOMES else (f"{name}.json", modules_of(name))
        files[f"{home}/{file}"] = _package_json(modules, ROOT / home)
        files[f"{MANIFESTS}/{name}/manifest.py"] = _manifest(name)
    return files


def _package_json(modules: list[str], base: Path) -> str:
    urls = [
        [runtime.file_name(module), runtime.modules()[module].relative_to(base).as_posix()]
        for module in modules
    ]
    rows = ",\n".join("    " + json.dumps(row) for row in urls)
    return f'{{\n  "version": "{VERSION}",\n  "urls": [\n{rows}\n  ]\n}}\n'


def _manifest(name: str) -> str:
    part = PARTS[name]
    blocks = [_MANIFEST.format(name=name, description=part.description, version=VERSION)]
    blocks += [f'require("{needed}")\n' for needed in part.parts]
    names = [runtime.file_name(module).partition("/") for module in own_modules(name)]
    for package, home in HOMES.items():
        rows = [f'        "{file}",\n' for found, _, file in names if found == package]
        if rows:
            blocks.append(_PACKAGE.format(package=package, home=home, files="".join(rows)))
    return "".join(blocks)


def stale() -> list[str]:
    """Return the paths of files that are not what they would be made, or that nothing makes any more."""
    wanted = generated()
    there = [path for home in HOMES.values() for path in (ROOT / home).glob("*.json")]
    there += (ROOT / MANIFESTS).glob("*/manifest.py")
    left = {path.relative_to(ROOT).as_posix() for path in there} - set(wanted)
    return sorted(left) + [path for path, text in wanted.items() if _text(ROOT / path) != text]


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def main() -> int:
    parser = argparse.ArgumentParser(description="Make package.json and manifest.py from the tree.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where one is stale")
    if parser.parse_args().check:
        found = stale()
        print("\n".join(f"{path}: python -m tools.mip_packages makes it anew" for path in found))
        return 1 if found else 0
    for path, text in generated().items():
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
