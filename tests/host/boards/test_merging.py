"""Modules that are merged into one do what they do as several."""

import ast
import re
import sys
import types

import pytest

from burnpack.errors import BurnpackError, NotFound, Unsupported
from burnstore.boards.runtime.merging import Sources, Symbol, merged, shorten, written

# (what it is about, modules behind lines with their names, what `answer` of the module a gives)
CASES = [
    (
        "two modules have a function of one name",
        """
# a
from b import pick as other
def pick(): return 1
def answer(): return pick(), other()
# b
def pick(): return 2
""",
        (1, 2),
    ),
    (
        "a module is imported under another name, and a member of a package by a path",
        """
# a
import b
import b.c as d
from b import c
def answer(): return d.f(), c.f(), b.c.f(), b.g()
# b
import b.c
def g(): return 3
# b.c
def f(): return 2
""",
        (2, 2, 2, 3),
    ),
    (
        "a name is passed on by the module between",
        """
# a
from b import f
answer = f
# b
from c import g as f
# c
def g(): return 7
""",
        7,
    ),
    (
        "a function imports what it uses",
        """
# a
def answer():
    from b import f
    import b
    return f(b.f(1))
# b
def f(x): return x + 1
""",
        3,
    ),
    (
        "a local name is called like what the other module has",
        """
# a
from b import count as number
def answer(count=3): return number(count)
# b
def count(x): return 10 * x
""",
        30,
    ),
    (
        "comprehensions, lambdas and exceptions have names of their own",
        """
# a
from b import x
def answer():
    y = [x for x in (5, 6)]
    f = lambda x=x: x
    try:
        raise ValueError(4)
    except ValueError as e:
        z = e.args[0]
    return y, f(), z, {x: y for x, y in ((1, 2),)}, sum(x for _ in range(2))
# b
x = [8]
x = 9
""",
        ([5, 6], 9, 4, {1: 2}, 18),
    ),
    (
        "a class has names that its methods do not see",
        """
# a
from b import size
class A:
    size = 5
    more = size + 1
    def get(self): return self.size, self.more, size
def answer(): return A().get()
# b
size = 4
""",
        (5, 6, 4),
    ),
    (
        "a global is set by a function",
        """
# a
from b import bump, get
total = 100
def answer():
    bump()
    return get(), total
# b
total = 0
def bump():
    global total
    total += 1
def get(): return total
""",
        (1, 100),
    ),
    (
        "constants are of other modules and made of each other",
        """
# a
from micropython import const
import b as at
_A = const(at.B * 2)
def answer(): return _A, -at.B, at.B ** at.N, at.N ** 2
# b
from micropython import const
B = const(1 << 3)
N = const(-1)
""",
        (16, -8, 0.125, 1),
    ),
    (
        "the interpreter's own names are not taken",
        """
# a
from b import f
def sum(x): return "mine"
def answer(): return sum(()), f()
# b
def f(): return sum((1, 2))
""",
        ("mine", 3),
    ),
    (
        "a branch that is not taken is not looked at",
        """
# a
import sys
if sys.implementation.name == "micropython":
    from b import f
else:
    from nowhere import f
if False:
    from b import g
def answer() -> "g":
    x: "g" = f()
    return x
# b
def f(): return 5
""",
        5,
    ),
    (
        "an import that may fail works where it is known to, and fails where it is known to",
        """
# a
try:
    from array import array
except ImportError:
    array = None
try:
    from b.missing import f
except ImportError:
    def f(): return 2
def answer(): return len(array("b", (1,))), f()
# b
""",
        (1, 2),
    ),
    (
        "what a constant decides is left out",
        """
# a
from b import YES, f
from b import missing
def answer(x=3): return (f() if YES else g()), not YES or x, YES and (not YES or x), x and YES
def g(): return missing
# b
YES = True
def f(): return 1
""",
        (1, 3, 3, True),
    ),
    (
        "tuples are assigned at once",
        """
# a
def answer():
    a, b = 1, 2
    a, b = b, a
    c = a, b
    d = a,
    return c, d, (lambda: 1, 2)[1]
""",
        ((2, 1), (2,), 2),
    ),
]


def modules_in(text):
    """Return {module: source} of a text as in CASES."""
    parts = re.split(r"^# (\S+)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def merged_text(text, entries=("answer",), homes=None, shorter=False):
    modules = modules_in(text)
    sources = Sources(modules, homes or {}, frozenset(["array"]), frozenset(["b.missing"]))
    tree = merged(sources, {name: Symbol("a", name) for name in entries})
    if shorter:
        shorten(tree, entries)
    return written(tree)


def run(text, monkeypatch):
    stand_in = types.ModuleType("micropython")
    stand_in.const = lambda value: value
    monkeypatch.setitem(sys.modules, "micropython", stand_in)
    module = {}
    exec(text, module)
    return module["answer"]()


@pytest.mark.parametrize("shorter", (False, True))
@pytest.mark.parametrize("about,text,right", CASES, ids=[case[0] for case in CASES])
def test_merged_modules_answer_as_they_do_apart(about, text, right, shorter, monkeypatch):
    found = merged_text(text, shorter=shorter)
    assert run(found, monkeypatch) == right
    assert found == merged_text(text, shorter=shorter)
    assert not re.search(r"^\s*(from|import) (a|b|c)\b", found, re.MULTILINE)


def test_what_is_not_reached_is_left_out_and_what_a_reached_module_does_stays():
    text = """
# a
from b import f
from c import h
def answer(): return f()
def unused(): return h()
# b
import gc
print('done')
def f():
    '''Say.'''
    return 1
def g(): return gc
# c
print('not')
def h(): return 1
"""
    right = "print('done')\n\ndef f():\n    return 1\n\ndef answer():\n    return f()\n"
    assert merged_text(text) == right


def test_names_of_a_package_that_imports_them_when_they_are_used_are_found_where_they_are(monkeypatch):
    text = """
# a
import b
def answer(): return b.f()
# b
def __getattr__(name): ...
# b.c
def f(): return 3
"""
    assert run(merged_text(text, homes={"b": {"f": "b.c"}}), monkeypatch) == 3
    with pytest.raises(NotFound):
        merged_text(text)


def test_constants_in_assembler_are_written_out_and_its_labels_are_left_alone():
    text = """
# a
import micropython
from b import SIZE
_AT = const(4)
def f(): ...
@micropython.asm_thumb
def answer(r0):
    ldr(r0, [r0, _AT])
    mov(r1, SIZE)
    label(f)
# b
from micropython import const
SIZE = const(-2)
"""
    right = """\
@micropython.asm_thumb
def answer(r0):
    ldr(r0, [r0, 4])
    mov(r1, -2)
    label(f)
"""
    assert merged_text(text) == right


def test_viper_keeps_its_annotations_and_several_values_that_are_assigned_at_once():
    text = """
# a
import micropython
@micropython.viper
def answer(x: ptr8) -> int:
    a, b = x[0], x[1]
    return a
"""
    found = merged_text(text)
    assert "def answer(x: ptr8) -> int:\n    a, b = x[0], x[1]\n" in found and "import" not in found


def test_imports_of_the_interpreters_modules_stay_each_once():
    text = """
# a
import gc
from struct import pack, unpack as u
from b import f
def answer(): return f(), gc, pack, u
# b
import gc
from struct import pack as p
import os as system
def f(): return p, gc, system
"""
    assert merged_text(text).split("\n\n")[0] == "import gc\nimport os\nfrom struct import pack, unpack"


REFUSED = [
    ("a module is used as a value", "# a\nimport b\ndef answer(): return b\n# b\n", Unsupported),
    ("an entry is a module", "# a\nimport b as answer\n# b\n", Unsupported),
    ("a module is missing", "# a\nfrom a.missing import f\ndef answer(): return f()\n", NotFound),
    ("a name is missing", "# a\nfrom b import f\ndef answer(): return f()\n# b\n", NotFound),
    ("an entry is missing", "# a\n", NotFound),
]


@pytest.mark.parametrize("about,text,error", REFUSED, ids=[case[0] for case in REFUSED])
def test_what_can_not_be_merged_is_refused(about, text, error):
    with pytest.raises(error) as raised:
        merged_text(text)
    assert isinstance(raised.value, BurnpackError)


def test_arguments_and_private_attributes_get_shorter_names_and_what_callers_say_does_not(monkeypatch):
    source = """
class A:
    def __init__(self, source, plenty=1):
        self._source, self.shown = source, plenty
    def get(self, key):
        return [self._source[each] for each in key], self._hidden(key, most=3)
    def _hidden(self, indices, most):
        def inner(indices):
            return indices
        return inner(indices)[:most]
class B:
    def get(self, key, others):
        return key
def helper(values, number):
    return lambda values, own: values + own + number
def answer():
    return A({1: 2}, plenty=5).get((1,)), A((1,)).shown, B().get(1, 2), helper(1, 3)(4, 5)
"""
    tree = ast.parse(source)
    shorten(tree, ("answer", "A"))
    text = written(tree)
    assert run(text, monkeypatch) == run(source, monkeypatch)
    assert "def __init__(self, source, plenty=1):\n        self.a, self.shown = source, plenty" in text
    assert "def get(self, key):" in text and "def get(self, key, a):" in text
    assert "def _hidden(self, a, most):" in text and "def inner(a):\n" in text
    assert "def helper(a, b):\n    return lambda a, c: a + c + b" in text
