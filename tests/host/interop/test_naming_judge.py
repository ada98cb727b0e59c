"""Filters, patterns and remappings do with names what Burn's own do."""

import random
import warnings

import pytest

from burnpack.errors import Malformed
from burnpack.tensor import Tensor
from burnstore import KeyRemapper, PathFilter, map_indices_contiguous
from kit import support
from kit.interop import interop_judge as judge

NAMES = (
    "|a|A|ab.c|layer1.0.weight|encoder.Layers.12.bias|é.ß.Ünder|x y|a\n|\n|a-b|[a]|]|ab12.3_|^$|aaa|café|Ⅷ.٣"
    "|a&b|..|WEIGHT|0|-|~|{2}|a{2}|norm.gamma|blocks.3.norm1.weight"
).split("|")

# What Rust reads otherwise than Python, or Python not at all.
RUSTS = (
    r"[[:digit:]] [[:^digit:]] [^[:alnum:]_] [[:alpha:][:digit:]] [[:word:]-] [[:space:]] [[:punct:]]"
    r" [a-z&&[^aeiou]] [a-z--[b-d]] [a-e~~c-g] [a[0-9]] [^a[0-9]] [\w&&[^\d]] [&&a] [a&&] []a] [^]a] [--a]"
    r" [a-] \pL \PL \p{Lu} \p{Letter} \P{Uppercase_Letter} \p{gc=Nd} [\pL\d] [^\pN] \p{LC}"
    r" \z a\z \Aa \< \> \<a \b{start}l \bl \Bl \b{end}. \b{start-half} \b{end-half}"
    r" \x{61} \u{e9} \U{41} \x61 \u0041 [\x{61}-\x{63}]"
    r" l(?i)AYER a(?i)B|C (?i:LAYER)\d (?i)[x-z]|norm (?-i)a (?s). (?m)^a$ (?U)a+ (?U)a+? (?-u)\w+ (?is-m)A.C"
    r" (?x)a·b (?x)a·#·note (?x)[·a·] (?x)a·{2} a{·1·,·2·} a{2} a{1,} a*+a a**b a+?? (?<n>a)b (?P<n>a)b"
    r" ^ $ a$ ^$ .* .*? a* |a a| ^* \b* $+ (a|)* \.\d+\. weight$ ^(encoder|layer1)\."
)
PATTERNS = [pattern.replace("·", " ") for pattern in RUSTS.split(" ")]
# Of these, patterns are drawn.
PARTS = [*PATTERNS, *r"a b . \. \d \w \W \s ( ) (?: | * + ? *? {2} - ] é # (?i) (?x) (?U)".split(" ")]


def ours(pattern):
    """Return what ours makes of the names by a pattern, in the judge's form; None for one refused."""
    try:
        chosen, remapper = PathFilter().with_regex(pattern), KeyRemapper([(pattern, "<$0>")])
    except Malformed:
        return None
    return [chosen.matches(name) for name in NAMES], [remapper.renamed(name) for name in NAMES]


def burns(patterns):
    asked = [{"patterns": [one], "renames": [[one, "<$0>"]], "names": list(NAMES)} for one in patterns]
    lines = judge.names(asked)
    return [(line["matches"], line["renamed"]) if "matches" in line else None for line in lines]


def test_patterns_find_and_replace_what_they_do_in_rust():
    for pattern, expected in zip(PATTERNS, burns(PATTERNS), strict=True):
        assert ours(pattern) == expected, pattern


def test_drawn_patterns_do_too_where_both_take_them():
    rng = random.Random(12)
    drawn = ["".join(rng.choices(PARTS, k=rng.randint(1, 6))) for _ in range(400)]
    agreed = 0
    for pattern, expected in zip(drawn, burns(drawn), strict=True):
        found = ours(pattern)
        assert found == expected or expected is None, pattern  # Python's own patterns are taken, too
        agreed += found is not None and expected is not None
    assert agreed > 100


# patterns that Rust takes and ours doesn't, and what is said of them
REFUSED = (
    (r"\p{Greek}", "'Greek'"),
    (r"[\p{Alphabetic}]", "'Alphabetic'"),
    ("(?R)a", "flag R"),
    ("[[:foo:]]", "[:foo:]"),
    ("(?P<a.b>x)", "a.b"),
)


@pytest.mark.parametrize("pattern, what", REFUSED)
def test_what_python_cannot_say_is_refused_by_name(pattern, what):
    assert burns([pattern]) != [None]
    error = support.raises(Malformed, PathFilter().with_regex, pattern)
    assert what in str(error) and "not a regular expression" in str(error)


def test_no_pattern_makes_python_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for pattern in PATTERNS:
            ours(pattern)


# what a filter is made of, by the judge's names
FILTERS = (
    {},
    {"patterns": ["^a", r'"\.']},
    {"paths": ["a", "ab.c"]},
    {"patterns": ["weight$"], "paths": ["a"]},
    {"patterns": ["x"], "all": True},
)


@pytest.mark.parametrize("made_of", FILTERS)
def test_a_filter_shows_and_counts_as_burns_does(made_of):
    chosen = PathFilter.from_regex_patterns(made_of.get("patterns", ()))
    chosen.with_full_paths(made_of.get("paths", ()))
    if made_of.get("all"):
        chosen.match_all()
    [line] = judge.names([{**made_of, "names": list(NAMES)}])
    assert (str(chosen), chosen.criteria_count()) == (line["text"], line["count"])
    assert [chosen.matches(name) for name in NAMES] == line["matches"]


def empty(name):
    return Tensor(name, "F32", (0,), b"")


def test_tensors_are_remapped_and_renumbered_as_by_burn():
    names = ["fc.0.w", "fc.2.w", "fc.10.w", "flows.4.in.1.w", "flows.2.in.3.w", "flows.2.in.1.w", "plain"]
    renames = [["^fc", "head.fc"], [r"(\d)\.w", "$1.weight"]]
    [line] = judge.names([{"renames": renames, "names": names}])
    tensors, pairs = KeyRemapper.from_patterns(map(tuple, renames)).remap(map(empty, names))
    assert [tensor.name for tensor in tensors] == line["renamed"]
    assert [list(pair) for pair in pairs] == line["pairs"]
    [line] = judge.names([{"indices": True, "names": names}])
    tensors, pairs = map_indices_contiguous(map(empty, names))
    assert [tensor.name for tensor in tensors] == line["renamed"]
    assert [list(pair) for pair in pairs] == line["pairs"]
