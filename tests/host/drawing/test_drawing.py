"""Pictures of programs: what is in them, and that no text of a file becomes part of their language."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from burnpack.errors import LimitExceeded, Unsupported
from burnpack.reader import Reader
from burnpack.writer import Writer
from burnrt import functional, nn
from burnstore.drawing import layout
from burnstore.drawing.arena import Arena, Value
from burnstore.drawing.boxes import shown
from burnstore.drawing.folding import MOST, readable
from burnstore.drawing.formats import FORMATS, drawn
from burnstore.drawing.kinds import COLOURS, kind_of
from burnstore.drawing.picture import Box, Edge, Picture
from burnstore.drawing.programs import picture_of_program
from burnstore.drawing.sources import picture_of
from burnstore.io.beside import STEPS_KEY
from burnstore.io.opened import OpenedFile
from burnstore.programs.floats import program_of
from kit import support
from kit.boards.fitting import quantized
from kit.models.chains import loaded
from kit.models.programs import file_of

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(1)</script>\"'`]]>}};%%{init: {}}%%\nend\n--\x1b[2J\u202e&amp;#quot;" + "x" * 300


class Branches(nn.Module):
    """Two convolutions of one input, added, and what both lead to."""

    def __init__(self):
        self.left, self.right = nn.Conv2d(2, 4, 3, padding=1), nn.Conv2d(2, 4, 1)
        self.tail = nn.Sequential(nn.ReLU(), nn.Sequential(nn.Flatten(), nn.Linear(64, 5)))

    def forward(self, x):
        return self.tail(self.left(x) + self.right(x))


def picture(data, title="net"):
    return picture_of_program(Reader.from_static(data), data, title)


@pytest.fixture(scope="module")
def branches():
    return picture(file_of(loaded(Branches()), (1, 2, 4, 4))[0])


def titles(found):
    return [box.title for box in found.boxes]


def pairs(found):
    return [(edge.source, edge.target) for edge in found.edges]


def hostile(boxes=3):
    box = Box(HOSTILE, "sums", HOSTILE, (HOSTILE,), ((HOSTILE, HOSTILE),))
    edges = [Edge(number, number + 1, HOSTILE, ((HOSTILE, HOSTILE),)) for number in range(boxes - 1)]
    return readable(Picture(HOSTILE, [box] * boxes, edges), 1000)[0]


# What is in a picture.


def test_each_step_is_a_box_and_each_value_an_edge(branches):
    assert titles(branches) == ["input 0", "conv2d", "conv2d", "add", "relu", "linear", "output 0"]
    assert pairs(branches) == [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 5), (5, 6)]
    shapes = ["1×2×4×4"] * 2 + ["1×4×4×4"] * 4 + ["1×5"]
    assert [edge.label for edge in branches.edges] == shapes


def test_weights_are_told_by_name_and_shape_and_values_by_place(branches):
    left = branches.boxes[1]
    assert left.path == "left" and left.weights == 4 * (4 * 2 * 3 * 3 + 4)
    assert left.lines[:2] == ("weight 4×2×3×3 · bias 4", "padding 1")
    assert re.fullmatch(r"arena 256 B at [\d,]+", left.lines[2])
    assert ("weight", "left.weight, 4×2×3×3, 288 B") in left.details


def test_scales_of_integers_are_told(tmp_path):
    data = quantized("DigitsNet")
    found = picture(data)
    scalars = {name: value for name, (_, value) in Reader.from_static(data).scalars()}
    assert titles(found)[1:-1] == ["int8.conv2d", "int8.max_pool2d"] * 2 + ["int8.linear"] * 2
    assert pairs(found) == [(number, number + 1) for number in range(7)]
    for box in found.boxes[1:-1]:
        name = dict(box.details)["layer"]
        assert any(f"{scalars[f'{name}.scale']:.4g} × " in line for line in box.lines)


def test_a_state_that_is_filled_leads_to_the_step_that_goes_on_with_it():
    found = picture(file_of(loaded(nn.Sequential(nn.LSTM(3, 4))), (2, 5, 3))[0])
    assert titles(found)[:4] == ["input 0", "fill", "fill", "lstm"]
    assert pairs(found)[:3] == [(0, 3), (1, 3), (2, 3)]


class Joined(nn.Module):
    """Values that are joined, and a border: each written in several steps."""

    def __init__(self):
        self.left, self.right = nn.Conv2d(2, 4, 1), nn.Conv2d(2, 4, 1)
        self.pad, self.out = nn.ConstantPad2d(1, 0.5), nn.Conv2d(8, 2, 1)

    def forward(self, x):
        return self.out(self.pad(functional.cat((self.left(x), self.right(x)), 1)))


def test_a_value_that_is_made_in_parts_leads_on_from_each():
    found = picture(file_of(loaded(Joined()), (1, 2, 4, 4))[0])
    joined, padded = ["copy_rows", "copy_rows"], ["fill", "copy_strided"]
    assert titles(found) == ["input 0", "conv2d", "conv2d", *joined, *padded, "conv2d", "output 0"]
    assert pairs(found) == [(0, 1), (0, 2), (1, 3), (2, 4), (3, 6), (4, 6), (5, 7), (6, 7), (7, 8)]
    assert {edge.label for edge in found.edges if found.boxes[edge.target].path == "out"} == {"1×8×6×6"}


class Attending(nn.Module):
    def __init__(self):
        self.attention, self.turn = nn.MultiheadAttention(8, 2, batch_first=True), nn.Linear(5, 3)

    def forward(self, x):
        return self.turn(self.attention(x, x, x)[0].transpose(1, 2))


def test_shapes_are_those_that_steps_say_and_not_those_of_what_was_moved():
    found = picture(file_of(loaded(Attending()), (1, 5, 8))[0])
    labels = {(found.boxes[edge.source].title, edge.label) for edge in found.edges}
    assert {("attention", "5×8"), ("copy_strided", "8×5"), ("linear", "8×3")} <= labels
    attention = next(box for box in found.boxes if box.title == "attention")
    assert attention.lines[-1].startswith("arena 160 B at ") and attention.lines[-1].endswith(" and 1 more")


def test_an_arena_knows_what_is_left_of_a_value_and_what_is_new():
    arena = Arena()
    arena.write(Value(0, "fill", (0, 100), (25,)))
    assert [value.box for value in arena.read([(0, 50)])] == [0]
    arena.write(Value(1, "first", (0, 50), (1, 12)))
    assert [(value.box, value.span) for value in arena.read([(0, 100)])] == [(0, (50, 100)), (1, (0, 50))]
    arena.write(Value(2, "cat", (40, 60), (5,)))
    arena.write(Value(3, "cat", (40, 60), (5,)))
    assert [value.box for value in arena.read([(40, 60)])] == [2, 3]
    arena.write(Value(4, "cat", (40, 60), (5,)))
    assert [value.box for value in arena.read([(40, 60)])] == [4] and not arena.read([(100, 120)])


class Streaming(nn.Module):
    def __init__(self):
        self.cell, self.out = nn.Linear(4, 4), nn.Linear(4, 2)

    def forward(self, x, state):
        state = self.cell(x + state)
        return self.out(state), state


def test_a_state_is_a_box_before_the_steps_and_one_behind_them():
    model = loaded(Streaming())
    tensors = model.collect()
    form = program_of(model, [(1, 4), (1, 4)], tensors, {1: 1})
    found = picture(Writer([form.tensor(tensors), *tensors], form.metadata()).to_bytes())
    assert titles(found)[:2] == ["input 0", "state 0"] and titles(found)[-2:] == ["output 0", "state 0"]
    last = len(found.boxes) - 1
    assert {found.boxes[source].title for source, target in pairs(found) if target == last} == {"linear"}
    assert {target for source, target in pairs(found) if source == 1} == {2}
    assert found.boxes[-1].lines[-1] == "for the next run"


def test_a_file_whose_metadata_names_other_steps_is_drawn_with_numbers():
    data, _ = file_of(loaded(Branches()), (1, 2, 4, 4))
    reader = Reader.from_static(data)
    texts = {**dict(reader.metadata()), STEPS_KEY: "linear fc"}
    found = picture(Writer(list(reader), list(texts.items())).to_bytes())
    assert [box.path for box in found.boxes[1:-1]] == [f"step {number}" for number in range(5)]


def test_a_file_of_tensors_alone_is_refused_with_what_would_help():
    path = support.path("examples/digits/digits.pt")
    advice = r"torch\.export\.save.*burnstore convert"
    with OpenedFile(path) as opened, pytest.raises(Unsupported, match=advice):
        picture_of(opened, "digits.pt")


@pytest.mark.parametrize(
    ("operation", "kind"),
    [
        ("int8.conv2d", "sums"),
        ("aten.conv2d.default", "sums"),
        ("aten.conv_transpose2d.input", "sums"),
        ("aten.upsample_bilinear2d.vec", "moving"),
        ("aten.relu_.default", "activation"),
        ("aten.mm.default", "sums"),
        ("aten.batch_norm.default", "norm"),
        ("log_softmax", "activation"),
        ("aten.add.Tensor", "arithmetic"),
        ("copy_strided", "moving"),
        ("quantized_decomposed.quantize_per_tensor.default", "integers"),
    ],
)
def test_kinds_follow_from_names(operation, kind):
    assert kind_of(operation) == kind and kind in COLOURS


# Folding.


def test_modules_deeper_than_asked_are_one_box(branches):
    found, note = readable(branches, 1)
    assert titles(found) == ["input 0", "conv2d", "conv2d", "add", "tail", "output 0"] and note == ""
    assert pairs(found) == [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 5)]
    tail = found.boxes[4]
    assert tail.weights == 4 * (64 * 5 + 5) and tail.lines[0] == "2 operations: relu, linear"
    assert readable(branches, 2)[0].boxes == branches.boxes == readable(branches, None)[0].boxes


def test_modules_of_several_boxes_are_framed(branches):
    found, _ = readable(branches, None)
    assert [(group.title, group.first, group.last) for group in found.groups] == [("tail", 4, 5)]


def test_a_module_that_is_called_twice_is_two_boxes():
    boxes = [Box("linear", "sums", path) for path in ("a.x", "a.y", "b", "a.x", "a.y")]
    found, _ = readable(Picture("", boxes, [Edge(n, n + 1) for n in range(4)]), 1)
    assert [box.path for box in found.boxes] == ["a", "b", "a"] and pairs(found) == [(0, 1), (1, 2)]


def test_what_is_too_much_for_a_picture_is_folded_and_said_so_or_refused():
    boxes = [Box("relu", "activation", f"blocks.{number // 10}.{number}") for number in range(2 * MOST)]
    edges = [Edge(number, number + 1) for number in range(len(boxes) - 1)]
    found, note = readable(Picture("", boxes, edges), None)
    assert len(found.boxes) == MOST // 5 and "--depth 2" in note
    with pytest.raises(LimitExceeded, match="too much for one picture"):
        readable(Picture("", [Box("relu", "activation")] * (MOST + 1)), None)
    with pytest.raises(LimitExceeded, match="too much for one picture"):
        readable(
            Picture(
                "", [Box("relu", "activation")] * 2, [Edge(0, 1, str(number)) for number in range(10 * MOST)]
            ),
            None,
        )


def test_a_path_of_very_many_parts_takes_no_time():
    boxes = [Box("relu", "activation", "." * 100_000)] * (MOST + 1)
    assert len(readable(Picture("", boxes), None)[0].boxes) == 1


# Formats.


def elements(text):
    root = ElementTree.fromstring(text)
    return {name: list(root.iter(SVG + name)) for name in ("g", "path", "text", "script", "title")}


def test_an_svg_has_a_group_for_each_box_and_a_line_for_each_edge(branches):
    found = elements(drawn(branches, "svg"))
    assert [g.get("id") for g in found["g"] if g.get("id")] == [f"box{number}" for number in range(7)]
    lines = [line for line in found["path"] if line.get("class") == "edge"]
    assert [(int(line.get("data-source")), int(line.get("data-target"))) for line in lines] == pairs(branches)
    written = [text.text for text in found["text"]]
    for box in branches.boxes:
        assert {box.title, *box.lines} <= set(written)


@pytest.mark.parametrize("kind", FORMATS)
def test_one_model_gives_the_same_picture_each_time(branches, kind):
    assert drawn(branches, kind) == drawn(branches, kind)


def test_boxes_do_not_overlap_and_texts_stay_within_them():
    found, _ = readable(picture(file_of(loaded(Branches()), (1, 2, 4, 4))[0]), None)
    placed = layout.lay_out(found)
    for number, box in enumerate(placed.boxes):
        what = shown(found.boxes[number])
        assert abs(box.width - what.width) < 0.1 and abs(box.height - what.height) < 0.1
        for other in placed.boxes[:number]:
            apart = box.left >= other.left + other.width or other.left >= box.left + box.width
            assert apart or box.top >= other.top + other.height or other.top >= box.top + box.height
    for edge, route in zip(found.edges, placed.routes, strict=True):
        (first, start), (_, end) = route.points[0], route.points[-1]
        source, target = placed.boxes[edge.source], placed.boxes[edge.target]
        assert source.left <= first <= source.left + source.width
        assert abs(start - source.top - source.height) < 2 and abs(end - target.top) < 2


def test_hostile_texts_are_texts_in_an_svg():
    found = elements(drawn(hostile(), "svg"))
    assert not found["script"] and len(found["title"]) == 5
    assert any(text.text.startswith("<script>") for text in found["text"])
    assert (
        "\x1b" not in drawn(hostile(), "svg").decode()
        and max(len(text.text) for text in found["text"]) <= 120
    )


def test_letters_that_no_xml_may_have_are_escaped():
    letters = "".join(map(chr, [*range(32), 0x7F, 0x85, 0xD800, 0xDFFF, 0xFFFE, 0xFFFF]))
    boxes = [Box(letter, "sums", lines=(letter,), details=((letter, letter),)) for letter in letters]
    for kind in ("html", "mermaid"):
        assert not set(letters.replace("\n", "")) & set(drawn(Picture(letters, boxes), kind).decode())
    ElementTree.fromstring(drawn(Picture(letters, boxes), "svg"))


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


def test_an_html_page_has_one_script_of_ours_and_loads_nothing():
    tags = Tags()
    page = drawn(hostile(), "html").decode()
    tags.feed(page)
    assert sum(tag == "script" for tag, _ in tags.found) == 1 and page.count("<script>") == 1
    assert not any(
        {"src", "href", "onload", "onerror", "style"} & set(attributes) for _, attributes in tags.found
    )
    assert "default-src 'none'" in page


def test_hostile_texts_are_texts_in_mermaid():
    text = drawn(hostile(), "mermaid").decode()
    head, _, rest = text.partition("flowchart TB\n")
    assert head.count("\n") == 3
    box = r'  b\d+\["<b>[^"<>`]*</b>(<br/>[^"<>`]*)*"\]:::sums'
    edge = r'  b\d+ -->\|"[^"<>`]*"\| b\d+'
    frame = r'  subgraph g\d+\["[^"<>`]*"\]|  end'
    for line in rest.splitlines():
        assert re.fullmatch(f"{box}|{edge}|{frame}|  classDef sums [a-z0-9#:,-]+", line), line


# Graphviz.


def test_without_graphviz_what_would_help_is_said(branches, monkeypatch):
    monkeypatch.setattr(layout.shutil, "which", lambda name: None)
    monkeypatch.setattr(layout.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(Unsupported, match=r"burnstore\[draw\]"):
        drawn(branches, "svg")
    assert drawn(branches, "mermaid")


@pytest.mark.parametrize("script", ["import sys; sys.exit('no library')", "print('{}')", "print('[')"])
def test_a_graphviz_that_does_not_answer_is_an_error_of_ours(branches, monkeypatch, script):
    monkeypatch.setattr(layout, "_command", lambda: [layout.sys.executable, "-c", script])
    with pytest.raises(Unsupported, match="Graphviz"):
        drawn(branches, "svg")


def test_where_graphviz_fails_with_frames_the_picture_has_none(branches, monkeypatch):
    found, _ = readable(branches, None)
    answer = layout._answer
    given = []

    def failing(text):
        given.append(text)
        if "cluster" in text:
            raise Unsupported("an assertion")
        return answer(text)

    monkeypatch.setattr(layout, "_answer", failing)
    placed = layout.lay_out(found)
    assert len(given) == 2 and found.groups and not placed.frames and len(placed.boxes) == len(found.boxes)
