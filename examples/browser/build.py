"""Make one page of all that lies here: index.html, with MicroPython, the runtime and a model in it.

    python examples/browser/build.py [FOLDER] [--open]

FOLDER is build/browser where none is named. --open shows the page in a browser, where there is one. The page
needs no network and no other file: open it, or serve it, as by python -m http.server.
"""

import argparse
import base64
import json
import re
import webbrowser
from pathlib import Path

from burnpack.errors import NotFound
from burnpack.version import VERSION
from burnstore.boards.runtime import kernel_sets, needs
from burnstore.boards.runtime.bundle import bundle
from burnstore.programs.uses import STATES, Uses

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MICROPYTHON = ROOT / "tools/wasm/node_modules/@micropython/micropython-webassembly-pyscript"
STYLE = re.compile(r'<link rel="stylesheet" href="([\w.]+)">')
SCRIPT = re.compile(r'<script src="([\w.]+)"></script>')
ONLY_IN_MODULES = {
    "export default _createMicroPythonModule;": "",
    "export async function": "async function",
    "import.meta.url": "location.href",
}
PARTS = '<script id="parts" type="application/json">'


def main():
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "browser")
    options.add_argument("--open", action="store_true", help="show the page in a browser")
    given = options.parse_args()
    made = build(given.folder)
    print(made)
    if given.open and not webbrowser.open(made.as_uri()):
        print("there is no browser here: open this file in one, or serve its folder: python -m http.server")


def build(folder):
    """Write the page into a folder, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    made = folder.resolve() / "index.html"
    made.write_text(page(), encoding="utf-8")
    return made


def page():
    """Return the text of index.html with all that it names in it."""
    text = (HERE / "index.html").read_text(encoding="utf-8")
    text = STYLE.sub(lambda found: "<style>\n%s</style>" % source(found[1]), text)
    text = SCRIPT.sub(lambda found: "<script>\n%s</script>" % source(found[1]), text)
    return text.replace(PARTS, PARTS + json.dumps(parts()).replace("<", "\\u003c"))


def source(name):
    """Return the text of a file here, which stands in the page as it is."""
    text = (HERE / name).read_text(encoding="utf-8")
    assert "</" not in re.sub(r"</(?!script|style)", "", text), "%s would end early" % name
    return text


def parts():
    """Return what the page's interpreters are made of, by name."""
    return {
        "wasm": encoded((MICROPYTHON / "micropython.wasm").read_bytes()),
        "worker": worker(),
        "program": source("page.py"),
        "runtime": encoded(runtime().compiled()),
        "model": encoded((HERE / "mnist.bpk").read_bytes()),
        "version": VERSION,
    }


def worker():
    """Return MicroPython's module and worker.js as one plain script.

    Of a page that is opened as a file, browsers take no modules, so what only modules may have is replaced.
    """
    text = (MICROPYTHON / "micropython.mjs").read_text(encoding="utf-8")
    for old, new in ONLY_IN_MODULES.items():
        assert old in text, "micropython.mjs has no %s" % old
        text = text.replace(old, new)
    return "(async () => {\n%s\n%s})();" % (text, source("worker.js"))


def runtime():
    """Return the runtime with every kernel that runs without native code: a file may name any."""
    integers = ["int8." + name for name in kernel_sets.int8_homes(None)]
    steps = [name for name in (*kernel_sets.float_homes(None, False), *integers) if is_step(name)]
    return bundle([Uses(tuple(steps), ("log_softmax", STATES))])


def is_step(kernel):
    """Tell whether programs name a kernel as a step: such a one has a check."""
    try:
        return bool(needs.check_of(kernel))
    except NotFound:
        return False


def encoded(data):
    """Return bytes as a text of ASCII."""
    return base64.b64encode(data).decode("ascii")


if __name__ == "__main__":
    main()
