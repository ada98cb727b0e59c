"""Filters by regular expression, gaps in numbering, prefixes of wrappers."""

import re

import pytest

from burnpack.errors import Malformed
from burnpack.filter import PathFilter as PortableFilter
from burnpack.module import Module, Param
from burnpack.tensor import Tensor
from burnstore import PathFilter, map_indices_contiguous, map_indices_contiguous_except
from burnstore.naming.indices import Contiguous, gapped_prefixes_of
from burnstore.naming.prefixes import Stripped, Unwrapped
from kit import support

CONTAINERS = ("Struct:Net", "Struct:Linear")

# the criteria, and which of a.weight, a.bias, b.weight they let pass
FILTERS = (
    (PathFilter(), ""),
    (PathFilter().with_regex("^a"), "a.weight a.bias"),
    (PathFilter().with_regex("weight"), "a.weight b.weight"),  # anywhere
    (PathFilter().with_regexes(["bias$", "^b"]), "a.bias b.weight"),
    (PathFilter().with_regex("^b").with_full_path("a.bias"), "a.bias b.weight"),
    (PathFilter().with_full_paths(["a.bias", "c"]), "a.bias"),
    (PathFilter().with_predicate(lambda path, within: within.endswith("Linear")), "a.weight a.bias b.weight"),
    (PathFilter().with_predicates([lambda path, _: path == "b.weight"]).with_regex("x"), "b.weight"),
    (PathFilter().match_all(), "a.weight a.bias b.weight"),
    (PathFilter.all(), "a.weight a.bias b.weight"),
    (PathFilter.none(), ""),
    (PathFilter.from_regex_patterns(["^b"]), "b.weight"),
    (PathFilter.from_paths(["a.bias"]), "a.bias"),
    (PathFilter.from_predicate(lambda path, _: path == "a.bias"), "a.bias"),
    (PathFilter.from_paths(["a.bias"]).or_(PathFilter().with_regex("^b")), "a.bias b.weight"),
    (PathFilter.from_paths(["a.bias"]) | PathFilter.all(), "a.weight a.bias b.weight"),
    (PathFilter.none() | PathFilter.none(), ""),
    (PathFilter.all().with_regex("^b").clear(), ""),
    (PathFilter().with_regex("^b").with_full_path("a.bias").clear_regex(), "a.bias"),
    (PathFilter().with_regex("^b").with_full_path("a.bias").clear_paths(), "b.weight"),
    (PathFilter().with_regex("^b").with_predicate(lambda *_: True).clear_predicates(), "b.weight"),
)


@pytest.mark.parametrize("criteria, expected", FILTERS)
def test_criteria_are_joined_by_or_and_none_let_nothing_pass(criteria, expected):
    paths = ("a.weight", "a.bias", "b.weight")
    assert [path for path in paths if criteria.matches(path, CONTAINERS)] == expected.split()


def test_only_a_filter_without_criteria_is_empty():
    empty = [PathFilter(), PathFilter.none(), PathFilter.all().clear(), PathFilter().with_regexes([])]
    assert [(one.is_empty(), one.criteria_count()) for one in empty] == [(True, 0)] * 4
    assert not PathFilter.all().is_empty() and PathFilter.all().with_regex("a").criteria_count() == 1
    assert PathFilter.from_paths("ab").with_regex("c").criteria_count() == 3


def test_a_filter_is_asked_about_a_path_alone():
    assert PathFilter().with_regex("^a").matches("a.weight")
    assert PathFilter().with_predicate(lambda path, within: within == "").matches("a.weight")


def test_a_union_is_not_changed_by_its_parts():
    one, other = PathFilter().with_full_path("a"), PathFilter().with_full_path("b")
    both = one | other
    one.with_full_path("c")
    assert [both.matches(path) for path in "abc"] == [True, True, False] and not one.matches("b")


def test_a_filter_is_told_as_burn_tells_it():
    told = PathFilter().with_regex("^a").with_full_path("b").with_predicate(lambda *_: True)
    assert str(told) == 'PathFilter[regex: [Regex("^a")], paths: ["b"], predicates: 1]' == repr(told)
    assert str(PathFilter.none()) == "PathFilter::none()" and str(PathFilter.all()) == "PathFilter::all()"


# a pattern as Rust reads it, a name in which it is found, one in which it isn't
RUSTS = (
    ("[[:digit:]]", "a1", "a:"),
    ("[^[:alpha:]]", "a1", "ab"),
    ("[a-z&&[^aeiou]]", "ab", "a&"),
    (r"\pL\z", "1é", "é1"),
    (r"\PL", "é1", "é"),
    (r"^\p{Lu}", "Éa", "éA"),
    (r"\<w", "a.w", "aw"),
    (r"e(?i)NCODER", "encoder", "ENCODER"),
    ("a$", "ba", "a\n"),
    ("^a*+a$", "aaa", "b"),
    (r"\x{e9}", "é", "e"),
)


@pytest.mark.parametrize("pattern, found, not_found", RUSTS)
def test_a_pattern_is_read_as_in_rust(pattern, found, not_found):
    criteria = PathFilter().with_regex(pattern)
    assert criteria.matches(found) and not criteria.matches(not_found)


def test_a_pattern_of_pythons_alone_is_taken():
    criteria = PathFilter().with_regex(r"^(?!head)(\w)\1")
    assert criteria.matches("aab") and not criteria.matches("head") and not criteria.matches("ab")


def test_what_cannot_be_said_is_refused_by_name():
    for pattern, what in ((r"\p{Greek}", "Greek"), ("[[:foo:]]", "[:foo:]"), ("(?R)", "flag R"), ("[a", "[")):
        assert what in str(support.raises(Malformed, PathFilter().with_regex, pattern))


def test_a_bad_pattern_raises_at_once():
    error = support.raises(Malformed, PathFilter().with_regex, "a(")
    assert "a(" in str(error) and "not a regular expression" in str(error)
    support.raises(Malformed, PathFilter().with_regexes, ["a", "["])


def test_the_filter_is_one_of_the_portable_ones():
    assert isinstance(PathFilter(), PortableFilter)


# names, what they become
CLOSED = (
    ("fc.0.w fc.2.w fc.4.w", "fc.0.w fc.1.w fc.2.w"),
    ("fc.4.w fc.0.w fc.2.w", "fc.2.w fc.0.w fc.1.w"),  # in the order of the numbers, not of the names
    ("fc.10.w fc.9.w", "fc.1.w fc.0.w"),
    ("0.w 2.w", "0.w 1.w"),
    ("a.0.b.1.w a.0.b.3.w a.2.b.1.w", "a.0.b.0.w a.0.b.1.w a.1.b.0.w"),  # counted for each prefix
    ("a.3 a.5", "a.0 a.1"),  # parameters in a list
    ("a.3.w a.3.b", "a.0.w a.0.b"),
    ("a.03.w a.5.w", "a.03.w a.0.w"),  # not how a list's index is written
    ("a.-1.w a.1x.w a.²", "a.-1.w a.1x.w a.²"),
    ("a." + "9" * 5000 + ".w", "a." + "9" * 5000 + ".w"),
    ("a..0.w .2", "a..0.w .0"),
    ("", ""),
)


@pytest.mark.parametrize("names, expected", CLOSED)
def test_indices_are_renumbered_for_each_prefix(names, expected):
    assert Contiguous()(names.split(" ")) == expected.split(" ")


FLOWS = ["flow.flows.0.w", "flow.flows.2.w", "flow.flows.4.w", "other.0.w", "other.2.w"]


def test_a_pattern_on_the_prefix_keeps_numbers():
    kept = Contiguous(re.compile(r"flow\.flows$").search)
    assert kept(FLOWS) == FLOWS[:3] + ["other.0.w", "other.1.w"]


def test_numbers_below_a_kept_one_are_still_closed_up():
    kept = Contiguous(re.compile("^a$").search)
    assert kept(["a.2.b.0", "a.2.b.5"]) == ["a.2.b.0", "a.2.b.1"]


def test_tensors_are_renumbered_and_the_pairs_of_names_returned():
    tensors = [Tensor(name, "F32", (0,), b"") for name in FLOWS]
    found, pairs = map_indices_contiguous(tensors)
    assert [tensor.name for tensor in found][1:3] == ["flow.flows.1.w", "flow.flows.2.w"]
    assert pairs[1] == ("flow.flows.1.w", "flow.flows.2.w")
    found, _ = map_indices_contiguous_except(tensors, lambda prefix: prefix == "flow.flows")
    assert [tensor.name for tensor in found] == FLOWS[:3] + ["other.0.w", "other.1.w"]


class Linear(Module):
    def __init__(self):
        self.weight = Param((1,))


class Gapped(Module):
    def __init__(self):
        self.row = [Linear(), Module(), Linear()]
        self.blocks = [[Linear(), Module(), Linear()], [Linear()]]
        self.plain = [Linear(), Linear()]


def test_where_the_module_has_gaps_too_numbers_stay():
    gapped = gapped_prefixes_of(Gapped())
    assert gapped == {"row", "blocks.0"}
    names = ["row.0.weight", "row.2.weight", "plain.1.weight", "plain.3.weight"]
    names += ["blocks.2.0.weight", "blocks.2.2.weight", "blocks.5.0.weight"]
    assert Contiguous(None, gapped)(names) == [
        "row.0.weight",
        "row.2.weight",
        "plain.0.weight",
        "plain.1.weight",
        "blocks.0.0.weight",  # the outer list is closed up; the inner one is the module's, gap and all
        "blocks.0.2.weight",
        "blocks.1.0.weight",
    ]
    assert gapped_prefixes_of(Linear()) == set()


def test_a_name_of_thousands_of_numbers_takes_no_time():
    name = "0." * 30000 + "w"
    assert Contiguous()([name, "a.1"]) == [name, "a.0"]


# names, and what becomes of them without what wrappers put before all
UNWRAPPED = (
    ("module.a module.b", "a b"),
    ("_orig_mod.a _orig_mod.b", "a b"),
    ("module._orig_mod.a module._orig_mod.b", "a b"),
    ("_orig_mod.module.a _orig_mod.module.b", "a b"),
    ("model.model.a model.model.b", "a b"),  # until nothing changes any more
    ("module.a b", "module.a b"),  # not all have it
    ("model.layers.0 lm_head", "model.layers.0 lm_head"),
    ("module.a module.", "module.a module."),  # a name would be empty
    ("a._orig_mod.b c", "a.b c"),  # torch.compile of a part
    ("a._orig_mod._orig_mod.b c", "a.b c"),
    ("a.module.b a.c", "a.module.b a.c"),  # may well be a name
)


@pytest.mark.parametrize("names, expected", UNWRAPPED)
def test_what_wrappers_put_before_all_names_goes(names, expected):
    assert Unwrapped()(names.split()) == expected.split()


# names, the prefixes that are asked for, what becomes of the names
STRIPPED = (
    ("bert.a bert.b", ["bert."], "a b"),
    ("module.a n_averaged", ["module."], "a n_averaged"),  # from those that have it
    ("bert.bert.a", ["bert."], "bert.a"),  # once
    ("module.bert.a bert.b", ["module.", "bert."], "a b"),  # one after the other
    ("bert.module.a", ["module.", "bert."], "module.a"),
    ("bert. bert.a", ["bert."], "bert. a"),  # a name would be empty
    ("module.a module.b", ["model."], "module.a module.b"),
    ("x.a._orig_mod.b x.c", ["x."], "a._orig_mod.b c"),
    ("_orig_mod.a._orig_mod._orig_mod.b x.c", ["_orig_mod."], "a.b x.c"),  # wherever it is
    ("a", [""], "a"),
)


@pytest.mark.parametrize("names, prefixes, expected", STRIPPED)
def test_prefixes_that_are_asked_for_go_from_the_names_that_have_them(names, prefixes, expected):
    assert Stripped(prefixes)(names.split()) == expected.split()


def test_no_names_have_no_prefix():
    assert Unwrapped()([]) == Stripped(["a."])([]) == []
