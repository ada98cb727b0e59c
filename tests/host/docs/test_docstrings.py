"""Docstrings of public names say what STYLE asks of them, so that the reference made of them is complete."""

import re
from functools import cache
from itertools import pairwise

import pytest

pytest.importorskip("griffe", reason="the extra docs is not installed")

import griffe

import burnstore
from tools.docs.docstrings import described, escaped, first_line, markdown
from tools.docs.references import entries, entry_of, listings
from tools.docs.signatures import meant
from tools.docs.sources import docstring, public_members, public_names

# What looks like a command's opposite, and is none.
VERBS_IN_S = {"Address", "Process", "Pass"}

REFERRED = re.compile(r"\b[Ss]ee `([^`]+)`|`(burn\w+\.[\w.]+)`")
RAISED = re.compile(r"\braise (\w+)\(")


def check_none(wrong):
    """Fail with a line for each finding."""
    assert not wrong, "\n".join(map(str, wrong))


@cache
def public():
    """Return (path, object) for every public name, and for every public method and property of a class."""
    found = {}
    for one in listings():
        members = public_members(one.found) if isinstance(one.found, griffe.Class) else {}
        for path, member in [("", one.found), *members.items()]:
            found.setdefault(member.path, (f"{one.path}.{path}".rstrip("."), member))
    return list(found.values())


def functions():
    return [(path, found) for path, found in public() if isinstance(found, griffe.Function)]


def docstrings():
    return [(path, found) for path, found in public() if found.docstring is not None]


def arguments(found):
    """Return the names of the arguments that a docstring should describe."""
    if isinstance(found, griffe.Class):
        found = found.members.get("__init__")
    parameters = found.parameters if isinstance(found, griffe.Function) else ()
    return [
        one.name for one in parameters if one.name not in ("self", "cls") and not one.name.startswith("_")
    ]


def texts(found):
    """Return what may describe an argument: docstrings of the object, of its class, and of those above."""
    owner = found if isinstance(found, griffe.Class) else found.parent
    classes = [owner, *owner.mro()] if isinstance(owner, griffe.Class) else []
    above = [base.members[found.name] for base in classes if found.name in base.members]
    return "\n".join(docstring(one) for one in [found, *classes, *above])


def test_every_name_that_a_package_hands_on_is_in_the_reference():
    listed = {one.path for one in listings()}
    handed_on = {name for name in dir(burnstore) if not name.startswith("_")}
    assert handed_on == set(public_names("burnstore"))
    for package in ("burnpack", "burnpack.adapters", "burnpack.errors", "burnrt", "burnrt.nn"):
        assert {f"{package}.{name}" for name in public_names(package)} <= listed
    assert {f"burnstore.{name}" for name in handed_on} <= listed


def test_every_public_name_has_a_docstring():
    assert len(public()) > 300
    check_none([path for path, found in public() if not docstring(found)])


def test_a_docstring_begins_with_one_line_that_ends_a_sentence():
    lines = [(path, first_line(docstring(found)).lstrip("`")) for path, found in docstrings()]
    check_none(
        [(path, line) for path, line in lines if not line.endswith((".", ":")) or not line[0].isalpha()]
    )


def test_a_function_says_what_it_does_as_a_command():
    lines = [(path, first_line(docstring(found))) for path, found in functions()]
    first = [(path, line.split()[0]) for path, line in lines if line]
    check_none([pair for pair in first if pair[1].endswith("s") and pair[1] not in VERBS_IN_S])
    check_none([pair for pair in first if not pair[1].istitle() or pair[1] in ("A", "An", "The")])


def test_where_there_are_several_arguments_each_is_described():
    missing = []
    for path, found in docstrings():
        names = arguments(found)
        if len(names) > 1 and not path.rpartition(".")[2].startswith("__"):
            lacking = [name for name in names if not re.search(rf"\b{name}\b", texts(found))]
            missing += [(path, lacking)] * bool(lacking)
    check_none(missing)


def test_a_function_names_the_errors_that_it_raises_itself():
    missing = []
    for path, found in functions():
        if found.docstring is not None and not path.rpartition(".")[2].startswith("__"):
            raised = {name for name in RAISED.findall(found.source) if name[0].isupper()}
            missing += [
                (path, name) for name in sorted(raised) if not re.search(rf"\b{name}\b", texts(found))
            ]
    check_none(missing)


def test_what_a_docstring_refers_to_has_an_entry():
    wrong = []
    for path, found in docstrings():
        referred = [name or other for name, other in REFERRED.findall(docstring(found))]
        wrong += [(path, name) for name in referred if entry_of(name, found) is None]
    check_none(wrong)


def test_what_a_public_function_returns_has_an_entry():
    missing = []
    for path, found in functions():
        parts = found.returns.iterate() if isinstance(found.returns, griffe.Expr) else ()
        classes = [meant(part) for part in parts if isinstance(part, griffe.ExprName)]
        public = [
            one for one in classes if isinstance(one, griffe.Class) and one.path.split(".")[1] != "types"
        ]
        missing += [(path, one.path) for one in public if one.path not in entries()]
    check_none(missing)


def test_the_lines_that_go_on_with_an_argument_are_indented():
    wrong = []
    for path, found in docstrings():
        lines = docstring(found).split("\n")
        for before, line in pairwise(lines):
            goes_on = before.startswith((" ", "- ")) or described("\n" + before)
            begins = line.startswith((" ", "- ")) or not line or described("\n" + line)
            wrong += [(path, line)] * bool(goes_on and not begins)
    check_none(wrong)


def layers():
    return [(path, found) for path, found in public() if path.startswith("burnrt.nn.") and found.is_class]


PLAIN = {"burnrt.nn.layer.Layer", "burnrt.nn.module.Module", "burnpack.module.Module"}


def test_a_layer_that_runs_says_the_shapes_of_its_input():
    running = [
        (path, found) for path, found in layers() if "burnrt.nn.layer.Layer" in [b.path for b in found.mro()]
    ]
    runs = [(path, found) for path, found in running if "no forward pass" not in docstring(found)]
    assert len(runs) > 40
    silent = ("Dropout", "Flatten", "Identity", "Index", "Unflatten")  # they take any, and say so
    shaped = [path for path, found in runs if "[" not in texts(found) and found.name not in silent]
    check_none(shaped)


@pytest.mark.parametrize(
    ("docstring", "written"),
    [
        ("Do it.", "Do it.\n"),
        ("Do a*b [x] <y>_.", "Do a\\*b \\[x\\] \\<y\\>\\_.\n"),
        ("Do `a*b`.", "Do `A*B`.\n"),
        ("Do.\n\na: one\n    more\nb, c: two", "Do.\n\n\n- **a**: one\n  more\n- **b, c**: two\n"),
        ("Do.\n\nText: all.\n- one\n- two\n\nEnd.", "Do.\n\n\n- **Text**: all.\n- one\n- two\n\nEnd.\n"),
        ("Do.\n\na: one\nText.", "Do.\n\n\n- **a**: one\n\nText.\n"),
        ("Do.\n\n    x = a*b", "Do.\n\n    x = a*b\n"),
    ],
)
def test_a_docstring_becomes_markdown(docstring, written):
    assert markdown(docstring, lambda text: f"`{text.upper()}`") == written


def test_a_line_of_a_docstring_becomes_markdown():
    assert escaped("a|b `c|d`", str.upper) == "a\\|b C|D"
