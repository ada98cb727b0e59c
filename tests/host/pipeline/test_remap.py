"""Names changed by patterns, in Rust's syntax of replacements."""

import pytest

from burnpack.errors import BurnpackError, DuplicateName, Malformed
from burnpack.tensor import Tensor
from burnstore import KeyRemapper
from burnstore.naming.steps import renamed
from kit import support

# pattern, replacement, name, what becomes of it
REPLACED = (
    (r"^model\.", "", "model.fc.weight", "fc.weight"),
    (r"(\d+)$", "n$1", "block12", "blockn12"),
    (r"(\d+)\.", "${1}a.", "7.w", "7a.w"),
    (r"(\d+)\.", r"<\1>", "7.w", "<7>w"),
    (r"(?P<part>\w+)\.(?P<rest>.*)", "$rest.$part", "a.b.c", "b.c.a"),
    (r"(?P<part>\w+)\.(?P<rest>.*)", "${rest}_${part}", "a.b", "b_a"),
    (r"(?<part>\w+)\.", "[$part]", "a.b.c", "[a][b]c"),  # Rust's way of naming a group
    (r"\(\?<(?<n>.)", "$n", "(?<x", "x"),  # an escaped parenthesis is none
    (r"x", "$$1", "x.x", "$1.$1"),
    (r"x", "$", "x", "$"),
    (r"x", "a$.b", "x", "a$.b"),
    (r"x", "${", "x", "${"),
    (r"x", "\\", "x", "\\"),
    (r"x", "\\n", "x", "\\n"),
    (r"(a)|b", "<$1>", "ab", "<a><>"),  # a group that took no part is empty
    (r"(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)", "$10", "abcdefghij", "j"),
    (r"b", "x", "a.b.b", "a.x.x"),
    (r"^", "net.", "w", "net.w"),
    (r"absent", "x", "a.b", "a.b"),
    (".*", "net.$0", "fc.w", "net.fc.w"),  # right behind a match, an empty one is none
    ("b*", "-", "abc", "-a-c-"),
    ("|a", "-", "aa", "-a-a-"),
    ("$", ".w", "fc", "fc.w"),
    (r"ü", "ö$0", "grün", "gröün"),
)


@pytest.mark.parametrize("pattern, replacement, name, expected", REPLACED)
def test_a_replacement_is_understood_as_in_rust(pattern, replacement, name, expected):
    assert KeyRemapper([(pattern, replacement)]).renamed(name) == expected


# pattern, replacement, what is wrong
REFUSED = (
    ("(", "", "not a regular expression"),
    ("a{99999999999999999999}", "", "not a regular expression"),
    ("(a", "x", "not a regular expression"),
    (r"(a)", "$1a", '"${1}a" is group 1'),
    (r"(a)", "$2", 'no group "2"'),
    (r"(a)", r"\2", 'no group "2"'),
    (r"a", "$name", 'no group "name"'),
    (r"a", "${}", 'no group ""'),
    (r"(a)", "$1_x", '"${1}_x" is group 1'),
)


@pytest.mark.parametrize("pattern, replacement, what", REFUSED)
def test_what_cannot_be_meant_is_refused_when_it_is_given(pattern, replacement, what):
    error = support.raises(Malformed, KeyRemapper().add_pattern, pattern, replacement)
    assert what in str(error)


def test_pairs_apply_in_order_each_to_the_result_of_the_last():
    remapper = KeyRemapper().add_pattern("a", "b").add_pattern("b", "c")
    assert remapper.renamed("a.b") == "c.c"
    assert KeyRemapper.from_patterns([("b", "c"), ("a", "b")]).renamed("a.b") == "b.c"


def test_two_names_that_become_one_are_named():
    error = support.raises(DuplicateName, renamed, ["a.w", "x", "b.w"], [KeyRemapper([("^[ab]", "c")])])
    assert str(error) == "c.w: two names become this one (found a.w and b.w)"


def test_a_renaming_can_exchange_names():
    swapped = KeyRemapper([("^a$", "tmp"), ("^b$", "a"), ("^tmp$", "b")])
    assert renamed(["a", "b"], [swapped]) == ["b", "a"]


def test_a_copy_is_not_changed_by_the_original():
    remapper = KeyRemapper([("a", "b")])
    copy = remapper.copy()
    remapper.add_pattern("b", "c")
    assert (copy.renamed("a"), remapper.renamed("a")) == ("b", "c")
    assert KeyRemapper().is_empty() and not copy.is_empty()


def test_the_pairs_are_told_as_they_were_given():
    pairs = [(r"^(?<a>\pL)", "$a$a"), ("x", r"\\")]
    remapper = KeyRemapper(pairs)
    assert remapper.patterns == pairs and KeyRemapper(remapper.patterns).renamed("bx") == r"bb\\"
    compiled = remapper.to_regex_pairs()
    assert [replacement for _, replacement in compiled] == ["$a$a", r"\\"]
    assert compiled[0][0].search("é") and not compiled[0][0].search("1é")


def test_tensors_are_renamed_and_the_pairs_of_names_returned():
    tensors = [Tensor("a.w", "F32", (1,), bytes(4), 7), Tensor("b", "F32", (0,), b"")]
    found, pairs = KeyRemapper([("^a", "c")]).remap(tensors)
    assert [(tensor.name, tensor.param_id) for tensor in found] == [("c.w", 7), ("b", None)]
    assert pairs == [("c.w", "a.w"), ("b", "b")]
    support.raises(DuplicateName, KeyRemapper([("a.w", "b")]).remap, tensors)
    assert KeyRemapper().remap([]) == ([], [])


def test_hostile_names_change_in_bounded_time():
    remapper = KeyRemapper([(r"^layers\.(\d+)\.", "blocks.$1."), (r"_", ".")])
    name = "layers." * 9000 + "_" * 60000
    assert len(remapper.renamed(name)) == len(name)


def test_only_our_errors_leave_a_remapper():
    for pattern in (
        "(?P<a>x)(?P<a>y)",
        "(?<!a+)b",
        "[z-a]",
        "*",
        "\\",
        "(?z)",
        "(?<1>a)",
        "a" * 3 + "(" * 200,
        "(" * 100000,
        "[" * 100000,
        "a{" + "9" * 5000 + "}",
        r"\x{" + "f" * 5000 + "}",
    ):
        support.raises(BurnpackError, KeyRemapper().add_pattern, pattern, "")
