"""Reports: well-formed, whole, and no text of a file becomes HTML."""

from html.parser import HTMLParser

import numpy as np

from burnpack.reader import Reader
from burnpack.writer import Writer
from burnrt import Model, nn
from burnstore.io.opened import OpenedFile
from burnstore.models.program import load_program, steps_of
from burnstore.numerics.arrays import tensor_from_array
from burnstore.programs.reading import program_in
from burnstore.quantize import quantize_model
from burnstore.reporting.observing import observe
from burnstore.reporting.report import report
from kit.models.chains import loaded
from kit.models.programs import file_of

HOSTILE = "<script>alert(1)</script>\"'&"


class Balance(HTMLParser):
    """Holds each end to its start, and keeps the cells of tables, a list a row."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.rows = [], set(), []

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1].append(data)

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        if tag == "tr":
            self.rows.append([])
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def checked(data, folder, name="net.bpk", **given):
    path = folder / "net.bpk"
    path.write_bytes(data)
    with OpenedFile(path) as opened:
        found = report(opened, name, **given)
    balance = Balance()
    balance.feed(found)
    assert not balance.open and "script" not in balance.seen and "http://" not in found
    return found


def rows_of(found):
    balance = Balance()
    balance.feed(found)
    return balance.rows


def test_a_program_in_floats_is_shown_with_every_step_and_its_accuracy(tmp_path):
    model = loaded(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)))
    data = file_of(model, (1, 4))[0]
    samples = [np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32)]
    found = checked(data, tmp_path, samples=samples, labels=np.arange(6) % 3)
    for part in ("Steps", "RAM over time", "Size by layer", "Activations", "Accuracy", "Boards", "linear"):
        assert part in found


def test_a_program_in_integers_is_shown_step_by_step_with_what_is_right(tmp_path):
    net = loaded(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3)), 1)
    net.input_shapes = [(1, 4)]
    samples, labels = np.random.default_rng(0).normal(size=(40, 4)).astype(np.float32), np.arange(40) % 3
    data = quantize_model(net, samples).to_bytes()
    found = checked(data, tmp_path, samples=[samples], labels=labels, floats=net)
    rows = rows_of(found)
    steps = [row for row in rows if row[0] in ("0 0", "1 1", "2 2")]
    assert [[name, kernel, macs, size] for name, kernel, _, macs, size, *_ in steps] == [
        ["0 0", "int8.linear", "32", "32"],
        ["1 1", "int8.lookup", "0", "256"],
        ["2 2", "int8.linear", "24", "24"],
    ]
    assert all(int(count.replace(",", "")) > 0 for row in steps for count in row[6:9])
    model = Model(data)
    answers = [int(model(row).argmax()) for row in samples]
    matrix = np.zeros((3, 3), int)
    np.add.at(matrix, (labels, answers), 1)
    told = [row for row in rows if row[0] in ("0", "1", "2")]
    assert told == [[str(label), *map(str, row)] for label, row in enumerate(matrix)]
    assert f"right: {np.trace(matrix)} of 40" in found and "same answer as the model in floats: " in found


def seen_in(data, samples):
    reader, model = Reader.from_static(data), load_program(data)
    scalars = {name: value for name, (_, value) in reader.scalars()}
    names = [name for _, name in steps_of(reader)]
    scales = [(scalars.get(f"{name}.scale", 1.0), scalars.get(f"{name}.zero_point", 0)) for name in names]
    program = program_in(model)
    return program, observe(model, program, scales, [samples]).steps


def test_numbers_of_16_bits_are_read_as_those_of_the_model_in_floats():
    samples = np.random.default_rng(0).normal(size=(40, 4)).astype(np.float32)
    net = loaded(nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 3)))
    wanted = seen_in(file_of(net, (1, 4))[0], samples)[1][0]
    net.input_shapes = [(1, 4)]
    program, found = seen_in(quantize_model(net, samples, int16=["0"]).to_bytes(), samples)
    wide = next(at for at, step in enumerate(program.steps) if step.width == 2 and step.weights)
    assert np.abs(found[wide] - wanted).max() < 0.02 * np.abs(wanted).max()


def test_weights_alone_are_shown_and_no_name_becomes_html(tmp_path):
    tensor = tensor_from_array(HOSTILE, np.array([np.nan, 1, 2], np.float32))
    found = checked(Writer([tensor]).to_bytes(), tmp_path, name=HOSTILE)
    assert "no program" in found and "1 not finite" in found and "<script" not in found
