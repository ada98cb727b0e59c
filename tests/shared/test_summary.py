"""What a person is told when names do not match: enough to mend it."""

from burnpack.result import ApplyResult
from burnpack.similar import closest, similarity

NET = ("Struct:Net", "Struct:Linear")


def result(applied=(), missing=(), unused=(), errors=(), skipped=()):
    found = ApplyResult()
    found.applied = list(applied)
    found.missing = [(path, NET) for path in missing]
    found.unused = list(unused)
    found.skipped = list(skipped)
    for error in errors:
        found.fail(*error)
    return found


def lines(found):
    return str(found).split("\n")


def test_success_is_one_line():
    assert lines(result(["a", "b"])) == ["2 applied"]
    assert lines(result([], skipped=["a"])) == ["0 applied, 1 skipped"]
    assert result().is_success() and str(result()) == "0 applied"


def test_counts_are_told_where_there_is_no_room_for_more():
    from burnpack import summary as module

    def no_room(result):
        raise MemoryError("memory allocation failed")

    kept, module.summary = module.summary, no_room
    try:
        assert (
            str(result(["a"], ["b"], ["c"], [("LoadError", "e", None, "gone")]))
            == "1 applied, 1 missing, 1 errors"
        )
    finally:
        module.summary = kept


def test_everything_is_counted():
    found = result(["a"], ["b"], ["c", "d"], [("LoadError", "e", None, "gone")], ["f"])
    assert lines(found)[0] == "1 applied, 1 skipped, 1 missing, 2 unused, 1 errors"
    assert not found.is_success()


def test_errors_say_what_was_expected_and_what_was_found():
    found = result(
        errors=[
            ("ShapeMismatch", "fc.weight", "[2, 3]", "[2, 4]"),
            ("LoadError", "x", None, "the disk is gone"),
        ]
    )
    assert "fc.weight: ShapeMismatch (expected [2, 3], found [2, 4])" in lines(found)
    assert "x: LoadError: the disk is gone" in lines(found)


def test_a_missing_path_is_told_with_its_closest_unused_name():
    found = result([], ["encoder.layer1.weight", "zzz"], ["encoder.layer_1.weight", "decoder.bias"])
    assert "missing: encoder.layer1.weight (is it encoder.layer_1.weight?)" in lines(found)
    assert "missing: zzz" in lines(found)
    assert "unused: decoder.bias" in lines(found)


def test_what_would_mend_a_load_comes_last():
    found = result(["fc.bias"], ["fc.weight"], [])
    found.advice = lambda _: [
        (("partial",), "allow_partial(True) loads it"),
        (("another",), "is it another's?"),
    ]
    assert lines(found)[-2:] == ["help: allow_partial(True) loads it", "note: is it another's?"]
    found.advice = None
    assert lines(found)[-1] == "missing: fc.weight"


def test_where_there_is_no_room_for_advice_the_rest_is_told():
    for error in (ImportError("no module named burnpack.hints"), MemoryError("memory allocation failed")):

        def advice(result, error=error):
            raise error

        found = result(["fc.bias"], ["fc.weight"], [])
        found.advice = advice
        assert lines(found) == ["1 applied, 1 missing", "missing: fc.weight"]


def test_long_lists_are_cut_and_counted():
    names = ["layer%d.weight" % number for number in range(25)]
    found = lines(result([], [], names))
    assert len(found) == 1 + 10 + 1 and found[-1] == "... and 15 more unused tensors"
    found = lines(result([], names[:11], []))
    assert "... and 1 more missing parameter" in found
    errors = [("LoadError", name, None, "gone") for name in names[:12]]
    assert "... and 2 more errors" in lines(result([], [], [], errors))


def test_names_from_a_file_stay_on_their_line():
    found = lines(result([], ["fc.weight"], ["fc.weigh\nt\x1b[0m"]))
    assert all([" " <= letter < "\x7f" for line in found for letter in line])
    assert len([line for line in found if line.startswith("unused: ")]) == 1


def test_similarity_is_jaros_as_burn_store_counts_it():
    for one, other, expected in (
        ("", "", 1.0),
        ("", "a", 0.0),
        ("a", "b", 0.0),
        ("abc", "abc", 1.0),
        ("abcd", "abcx", (3 / 4 + 3 / 4 + 1) / 3),
        ("abc", "xyz", 0.0),
        ("MARTHA", "MARHTA", (1 + 1 + 5 / 6) / 3),
        ("encoder.weight", "old.weight", (9 / 14 + 9 / 10 + 8 / 9) / 3),
        ("é重é重", "é重重重", (3 / 4 + 3 / 4 + 1) / 3),
    ):
        assert abs(similarity(one, other) - expected) < 1e-9, (one, other, similarity(one, other))


def test_many_names_are_compared_in_reasonable_time():
    missing = ["layers.%d.attention.query.weight" % number for number in range(20)]
    unused = ["stages.%d.convolution_%d.kernel" % (number, number) for number in range(100)]
    assert len(lines(result([], missing, unused))) == 1 + 11 + 11


def test_the_closest_name_is_like_enough_or_none():
    names = ["conv.weight", "fc1.weight", "fc2.weight"]
    assert closest("fc.weight", names) == "fc1.weight"  # of equals the first
    assert closest("conv1.weight", names) == "conv.weight"
    assert closest("zzzzzzz", names) is None and closest("a", []) is None
    assert closest("a" * 201, ["a" * 201]) is None


def test_each_name_of_a_module_that_is_called_otherwise_is_suggested():
    ends = ["0.weight", "0.bias", "1.weight", "1.bias", "2.weight", "2.bias", "3.weight", "3.bias"]
    names = ["old." + end for end in ends]
    assert [closest("encoder." + end, sorted(names)) for end in ends] == names


def test_of_a_file_with_a_program_it_is_told_first_that_it_needs_no_class_and_nothing_is_advised():
    error = ("ShapeMismatch", "fc.weight", "[3, 2]", "[2, 3]")
    found = result([], ["fc.bias"], ["burnrt.program"], [error])
    found.advice = lambda result: [("another", "is it another model's?")]
    assert lines(found) == [
        "the file has a program: it runs as burnrt.Model, without its class",
        "0 applied, 1 missing, 1 unused, 1 errors",
        "fc.weight: ShapeMismatch (expected [3, 2], found [2, 3])",
        "missing: fc.bias",
        "unused: burnrt.program",
    ]


def test_a_class_that_a_file_with_a_program_fills_is_told_nothing_of_it():
    assert lines(result([], unused=["burnrt.program"])) == ["0 applied, 1 unused", "unused: burnrt.program"]
