"""The portability check catches what MicroPython lacks, and lets pass what only looks like it."""

import subprocess

import pytest

from tools import check_portable, mpy
from tools.portable_rules import RULES

# rule, what breaks it, what does not
CASES = [
    ("match", "match x:\n    case 1: pass", "match = 1\nmatch.x = match"),
    ("positional-only", "def f(a, /): pass", "def f(a, *, b): pass"),
    ("star-in-display", "x = [*a, *b]", "f(*a, *b)"),
    ("star-in-display", "x = (*a, 1)", "a, *b = xs"),
    ("star-in-display", "x = {*a}", "[a, *b] = xs"),
    ("star-in-display", "def f():\n    return *a, 1", "def f():\n    return a, 1"),
    ("star-in-display", "x[*a]", "x[a]"),
    ("star-in-dict", "x = {**a, **b}", "x = f(**a, **b)"),
    ("with-in-parentheses", "with (A() as a, B() as b): pass", "with A(x) as a, B((1, 2)) as b: pass"),
    ("with-in-parentheses", "with (\n    A() as a,\n    B() as b,\n): pass", "with (A()) as a: pass"),
    ("decorator", "@(lambda f: f)\ndef f(): pass", "@a.b(1)\ndef f(): pass"),
    ("decorator", "@table[0]\ndef f(): pass", "@a.b\ndef f(): pass"),
    ("except-star", "try: pass\nexcept* E: pass", "try: pass\nexcept E: pass"),
    ("async-generator", "async def f():\n    yield 1", "async def f():\n    def g():\n        yield 1"),
    ("async-comprehension", "async def f():\n    x = [a async for a in b]", "x = [a for a in b]"),
    ("named-character", 'x = "\\N{BULLET}"', 'x = "\\\\N{BULLET}"'),
    ("lone-surrogate", 'x = "\\ud800"', 'x = "\\U0001f600\\ue000"'),
    ("f-string", 'x = f"{a!a}"', 'x = "{!a}"'),
    ("type-at-run-time", "X = list[int]", "x = table[int]"),
    ("type-at-run-time", "X = int | None", "def f(a: int | None) -> list[int]: pass"),
    ("type-at-run-time", "isinstance(x, a | str)", "x = a | b"),
    ("class-keyword", "class A(metaclass=M): pass", "class A(M): pass"),
    ("several-bases", "class E(MyError, ValueError): pass", "class E(MyError): pass"),
    ("ignored-method", "class A:\n    def __index__(self): pass", "class A:\n    def __len__(self): pass"),
    ("slots", "class A:\n    __slots__ = ()", "class A:\n    slots = ()"),
    ("mangled-name", "self.__x = 1", "self.__x__ = self._x"),
    ("assigned-class", "x.__class__ = A", "x = a.__class__"),
    ("assigned-class", "x.__dict__['a'] = 1", "x = a.__dict__['a']"),
    ("class-property", "@classmethod\n@property\ndef f(): pass", "@classmethod\ndef f(): pass"),
    ("raise-from", "raise A from b", "raise A"),
    ("raise-from", "raise A from None", "raise"),
    ("step-slice", "x = b[::-1]", "x = b[1:2]"),
    ("with-memoryview", "with memoryview(b) as v: pass", "with open(b) as v: pass"),
    ("module", "import functools", "import struct"),
    ("module", "import collections.abc, dataclasses", "import burnpack.errors"),
    ("module", "from typing import Any", "from burnrt import nn"),
    ("module", "from __future__ import annotations", "import sys"),
    ("module", "def f():\n    import numpy", "def __array__(self):\n    import numpy"),
    ("module", "try: import numpy\nexcept ValueError: pass", "try: import numpy\nexcept ImportError: pass"),
    ("module-member", "from math import prod", "from math import sqrt"),
    ("module-attribute", "x = os.path.join(a)", "x = self.path.join(a)"),
    ("module-attribute", "struct.error", "view.error"),
    ("name", "try: pass\nexcept FileNotFoundError: pass", "try: pass\nexcept OSError: pass"),
    ("name", "x = vars(a)", "x = a.format('b')"),
    ("method", "x = view.tobytes()", "x = bytes(view)"),
    ("method", "x = text.zfill(3)", "x = text.strip()"),
    (
        "method",
        "try: import functools\nexcept ImportError: x = view.cast('f')",
        "try: import uctypes\nexcept ImportError: x = view.cast('f')",
    ),
    ("attribute", "x = view.itemsize", "x = view.size"),
    ("attribute", "x = f.__doc__", "x = f.__name__"),
    ("keyword", "x = zip(a, b, strict=True)", "x = zip(a, b)"),
    ("keyword", "x = int.from_bytes(b, 'little', signed=True)", "x = int.from_bytes(b, 'little')"),
    ("keyword", "x = s.split(maxsplit=1)", "x = s.split(None, 1)"),
    ("keyword", "x = struct.unpack_from('<H', b, offset=2)", "x = struct.unpack_from('<H', b, 2)"),
    ("from-bytes-signed", "x = int.from_bytes(b, 'little', True)", "x = n.to_bytes(2, 'little')"),
    ("struct-format", "x = struct.pack('=H', 1)", "x = struct.pack('<H', 1)"),
    ("struct-format", "x = struct.pack('<?', 1)", "x = pack(a, 1)"),
    ("struct-format", "F = '<H H'\nx = struct.unpack_from(F, b)", "F = '>HH'\nx = struct.unpack_from(F, b)"),
    ("struct-format", "x = struct.calcsize('HI')", "x = struct.calcsize('<HI')"),
    ("open-exclusively", "x = open(a, 'xb')", "x = open('x', 'wb')"),
    ("error-policy", "x = b.decode('utf-8', 'replace')", "x = b.decode('utf-8')"),
    ("error-policy", "x = s.encode('ascii', errors='ignore')", "x = s.encode()"),
    ("namedtuple-fields", "A = namedtuple('A', 'x, y')", "A = namedtuple('A', ('x', 'y'))"),
    ("deque", "x = deque()", "x = deque((), 5)"),
    ("iter-sentinel", "x = iter(f, b'')", "x = iter(f)"),
    ("slice", "x = slice(1, 2)", "x = a.slice(1, 2)"),
    ("locals", "x = locals()", "x = a.locals()"),
    ("syntax", "type X = int", "X = int"),
]


def broken(source):
    return [rule for _, rule, _ in check_portable.findings(source)]


@pytest.mark.parametrize(("rule", "bad", "good"), CASES, ids=[case[0] for case in CASES])
def test_the_rule_catches_its_breach_alone_and_not_a_near_miss(rule, bad, good):
    assert set(broken(bad)) == {rule}
    assert broken(good) == []


def test_every_rule_has_a_case():
    assert {rule.name for rule in RULES} | {"syntax"} == {case[0] for case in CASES}


def test_a_finding_names_the_line():
    assert [line for line, _, _ in check_portable.findings("x = 1\n\n\ndef f(a, /):\n    pass\n")] == [4]


def test_the_portable_files_are_found():
    found = [path.relative_to(check_portable.ROOT).as_posix() for path in check_portable.portable_files()]
    assert "shared/burnpack/errors.py" in found
    assert not set(found) & set(check_portable.FOR_CPYTHON_ONLY)


@pytest.mark.parametrize("name", check_portable.FOR_CPYTHON_ONLY)
def test_an_exempt_file_exists(name):
    assert (check_portable.ROOT / name).exists()


@pytest.mark.parametrize("path", check_portable.portable_files(), ids=str)
def test_the_file_is_portable(path):
    assert check_portable.check_file(path) == []


def test_what_the_compiler_refuses_is_reported(tmp_path):
    path = tmp_path / "refused.py"
    path.write_text("x: = 1\n")
    assert "mpy-cross refuses it: " in check_portable.check_file(path)[-1]


def test_the_compiler_is_the_judge_of_the_near_misses(tmp_path):
    path = tmp_path / "sample.py"
    for _, _, good in CASES:
        path.write_text(good)
        try:
            assert mpy.compiled(path)
        except subprocess.CalledProcessError as error:
            raise AssertionError(good) from error
