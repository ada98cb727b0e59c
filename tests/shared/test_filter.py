"""Filters: which parameters pass."""

from burnpack.filter import PathFilter

IN_LINEAR = ("Struct:Net", "Vec", "Struct:Linear")


def test_an_empty_filter_lets_nothing_pass():
    assert not PathFilter().matches("fc.weight", IN_LINEAR)
    assert not PathFilter().with_full_paths([]).with_predicates([]).matches("", ())


def test_a_full_path_is_matched_as_a_whole():
    chosen = PathFilter().with_full_path("fc.weight").with_full_paths(["a", "b.c"])
    for path, passes in (
        ("fc.weight", True),
        ("a", True),
        ("b.c", True),
        ("fc", False),
        ("fc.weight.x", False),
        ("x.fc.weight", False),
        ("FC.weight", False),
        ("", False),
    ):
        assert chosen.matches(path, IN_LINEAR) is passes, path


def test_a_predicate_sees_the_path_and_the_containers():
    seen = []

    def predicate(path, container_path):
        seen.append((path, container_path))
        return container_path.endswith("Struct:Linear")

    chosen = PathFilter().with_predicate(predicate)
    assert chosen.matches("fc.weight", IN_LINEAR) and not chosen.matches("bn.gamma", ("Struct:BatchNorm",))
    assert seen == [("fc.weight", "Struct:Net.Vec.Struct:Linear"), ("bn.gamma", "Struct:BatchNorm")]


def test_one_criterion_is_enough():
    chosen = (
        PathFilter()
        .with_full_path("a")
        .with_predicates([lambda path, _: path == "b", lambda path, _: path == "c"])
    )
    assert [path for path in "abcd" if chosen.matches(path, ())] == ["a", "b", "c"]
    assert PathFilter().match_all().matches("anything", ())
