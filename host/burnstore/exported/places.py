"""Where in the network an operation is from: the modules that it is in, and the line of Python."""

import ast
import re

from burnpack.errors import Malformed
from burnstore.exported.graph import Place

TEXT = 4096  # letters of a path that is written as Python
_NO_PLACES = "_empty_nn_module_stack"  # what PyTorch writes where there is none
_WRAPPERS = ("_orig_mod", "_modules")  # names in paths that no network gave: of torch.compile, of Python
_CALL = re.compile(r"@\d+$")  # which call of a module it is
_SOURCE = re.compile(r"[^,]*,(?P<path>(?:L\[|getattr\().*),(?P<kind>[^,]*)", re.DOTALL)
_FRAME = re.compile(r'File "(?P<file>[^"\n]*)", line (?P<line>\d+), in [^\n]*\n *(?P<code>[^\n]*)')


def parse_places(text: str, known: dict[str, Place]) -> tuple[Place, ...]:
    """Return the modules of an `nn_module_stack`, outermost first: "key,path,class" each, by semicolons.

    known: those that were read before, by what they are written as.
    """
    if not text or text.startswith(_NO_PLACES):
        return ()
    entries = text.split(";")
    for entry in entries:
        if entry not in known:
            known[entry] = _place(entry)
    return tuple([known[entry] for entry in entries])


def _place(entry: str) -> Place:
    found = _SOURCE.fullmatch(entry)
    if found:
        return Place(module_path(found["path"]), found["kind"])
    parts = entry.split(",")
    half = len(parts) // 2  # names of modules may have commas: the key has as many as the path
    if len(parts) < 3 or len(parts) % 2 == 0:
        raise Malformed("the stack of modules has an entry that is not key,path,class", found=entry)
    return Place(module_path(",".join(parts[half:-1])), parts[-1])


def module_path(text: str) -> str:
    """Return a module's path, as in "blocks.0.conv", however it is written."""
    if text.startswith(("L[", "getattr(")):
        text = _of_source(text)
    return ".".join([part for part in _CALL.sub("", text).split(".") if part not in _WRAPPERS])


def _of_source(text: str) -> str:
    """Return the path of what is written as Python, as in L['self'].blocks[0] or getattr(L['s'].d1, '0')."""
    try:
        if len(text) <= TEXT and "\\" not in text:
            return ".".join(_names(ast.parse(text, mode="eval").body))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    raise Malformed("the path of a module is not understood", found=text)


def _names(node: ast.expr) -> list[str]:
    """Return the names that lead to a module, the outermost first."""
    names: list[str] = []
    while True:
        match node:
            case ast.Subscript(ast.Name("L"), ast.Constant()):
                return names[::-1]
            case ast.Attribute(inner, name):
                pass
            case ast.Subscript(inner, ast.Constant(str() | int() as name)):
                pass
            case ast.Call(ast.Name("getattr"), [inner, ast.Constant(str() as name)]):
                pass
            case _:
                raise ValueError
        names.append(str(name))
        node = inner


def source_line(trace: str, places: tuple[Place, ...]) -> str:
    """Return the line of an operation, as in "net.py:52: return self.fc(x)"; "" where none is known.

    It is the innermost that is not PyTorch's own.
    """
    frames = list(_FRAME.finditer(trace))
    own = {place.kind.split(".")[-2] + ".py" for place in places if place.kind.startswith("torch.")}
    found = ""
    for frame in frames:
        file = frame["file"].replace("\\", "/")
        name = file.rpartition("/")[2]
        if "/torch/" not in file and name not in own and not name.startswith("<"):
            found = f"{name}:{frame['line']}: {frame['code'].strip()}"
    return found
