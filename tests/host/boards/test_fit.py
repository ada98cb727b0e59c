"""`burnstore fit` foretells what MicroPython really uses, and says what fits on which board."""

import json

import numpy as np
import pytest

from burnpack.errors import Malformed
from burnpack.reader import Reader
from burnrt import nn
from burnrt.lengths import LENGTHS
from burnstore import cli
from burnstore.boards.fit import boards, speed
from burnstore.boards.fit.counts import others
from burnstore.boards.fit.memory import FILE, FROZEN, PLACES, ROM, Runtime
from burnstore.boards.fit.report import BLOCK_FLASH, Capacity, ways
from burnstore.boards.fit.steps import Step, facts_of
from burnstore.boards.runtime.bundle import bundle
from burnstore.boards.runtime.kernel_sets import int8_homes
from burnstore.models.program import load_program
from burnstore.pipeline.writing import save_burnpack
from burnstore.programs.uses import uses_of
from burnstore.quantize import quantize_model
from kit import support
from kit.boards.fitting import heap_of, laid_out, quantized
from kit.int8 import int8_cases
from kit.int8.quantizing import quantized_chain, samples
from kit.models.chains import Chain, loaded
from tools import performance

TOLERANCE = 0.1
UNCOUNTED = {"wide_conv2d", "wide_add", "wide_multiply", "wide_lookup", "narrow"}  # of 16 bits
# Work of `thumb_kernels`: how many numbers it makes, 0 where that is the size of its output.
TIMED = {
    "GRU of 64, 64 inputs": 4 * 64,
    "LSTM of 16, 16 inputs": 4 * 16,
    "RNN of 64, 64 inputs": 4 * 64,
    "softmax of 64": 0,
    "norm of rows of 256": 0,
    "product": 0,
    "sum of channels": 0,
    "product of matrices of 16 lines": 0,
    "planes of twice the size": 0,
    "copy of rows of 64": 8 * 64,
    "copy by steps": 16 * 64,
}
RUNTIME = Runtime(9000, 60, 1000)
PLENTY = Capacity(1 << 24, 1 << 24, 1 << 24, 1 << 24)


def facts(data):
    return facts_of(Reader.from_static(data), load_program(data))


def run(*words):
    """Run the command; return its exit code."""
    with pytest.raises(SystemExit) as ended:
        cli.main(["fit", *map(str, words)])
    return ended.value.code


@pytest.fixture
def digits(tmp_path):
    path = tmp_path / "digits.bpk"
    path.write_bytes(quantized("DigitsNet"))
    return path


@pytest.mark.parametrize("name", ("DigitsNet", "KeywordSpotting", "AnomalyDetection"))
def test_the_heap_that_files_take_is_foretold(name, tmp_path):
    data = quantized(name)
    runtime = laid_out(tmp_path, data)
    found = heap_of("wasm", tmp_path)
    foretold = FILE.of_runtime(runtime) + FILE.of_model(facts(data))
    assert abs(foretold - found["all"]) <= TOLERANCE * found["all"], (foretold, found)


def test_what_lies_in_flash_takes_no_heap():
    found = facts(quantized("AnomalyDetection"))
    in_flash, in_files = (place.of_model(found) for place in (ROM, FILE))
    assert in_flash < 4000 and in_files - in_flash >= found.copied
    assert [place.piece(found) >= found.copied for place in (FROZEN, ROM, FILE)] == [False, False, True]


def test_the_least_heap_is_more_than_what_is_kept():
    found = facts(quantized("DigitsNet"))
    for place in PLACES:
        assert place.least(found, RUNTIME) > place.of_runtime(RUNTIME) + place.of_model(found)


def test_steps_say_what_they_multiply_and_read():
    data = quantized_chain((2, 6, 6), conv=nn.Conv2d(2, 4, 3), flat=nn.Flatten(), fc=nn.Linear(64, 5))[
        0
    ].to_bytes()
    conv, linear = facts(data).steps
    assert (conv.kernel, conv.layer, conv.macs, conv.weights) == ("int8.conv2d", "conv", 4 * 16 * 18, 72)
    assert (linear.kernel, linear.layer, linear.macs, linear.weights) == ("int8.linear", "fc", 320, 320)


@pytest.mark.parametrize("chip", ("armv6m", "armv7emsp"))
@pytest.mark.parametrize("name", ("DigitsNet", "GestureNet", "MnistTiny"))
def test_the_instructions_of_a_run_are_foretold(name, chip):
    data = quantized(name)
    kernels = bundle([uses_of(Reader.from_static(data))], chip).kernels
    steps = facts(data).steps
    found = performance.run(data, chip)
    foretold = speed.total(speed.times(steps, kernels, chip))
    assert foretold.instructions - 540 * len(steps) == pytest.approx(found.instructions, rel=0.2)
    if chip == "armv6m":
        assert 125_000 * foretold.milliseconds - 2200 * len(steps) == pytest.approx(found.cycles, rel=0.2)
    else:
        assert foretold.milliseconds is None


@pytest.mark.parametrize("processor", ("armv6m", "armv7m", "armv7emsp", "armv7emdp"))
def test_every_kernel_of_bytes_has_a_time_on_a_cortex_m(processor):
    homes = int8_homes(processor)
    for kernel in set(LENGTHS) - UNCOUNTED:
        case = int8_cases.random_case(kernel, np.random.default_rng(2))
        row = np.frombuffer(case.words, "<i4").tolist()
        step = Step("int8." + kernel, "layer", 80, 10, case.output[1], others("int8." + kernel, row))
        (time,) = speed.times([step], {step.kernel: homes[kernel]}, processor)
        assert time.instructions > 540, kernel
        assert (time.milliseconds is not None) == (processor == "armv6m"), kernel


@pytest.mark.parametrize("chip", ("armv6m", "armv7m", "armv7emsp"))
@pytest.mark.parametrize("work", TIMED)
def test_the_instructions_of_kernels_with_counts_of_their_own_are_foretold(work, chip):
    thumb_kernels = pytest.importorskip("kit.int8.thumb_kernels", exc_type=ImportError)
    operation, geometry = thumb_kernels.WORK[work]
    case = int8_cases.random_case(operation, np.random.default_rng(1), **geometry)
    row = np.frombuffer(case.words, "<i4").tolist()
    made = TIMED[work] or case.output[1]
    step = Step("int8." + operation, "layer", case.macs, 0, made, others(operation, row))
    (time,) = speed.times([step], {step.kernel: int8_homes(chip)[operation]}, chip)
    found = thumb_kernels.instructions(chip, operation, geometry)[0]
    assert time.instructions - 540 == pytest.approx(found, rel=0.35)


def test_steps_that_were_not_counted_are_named_and_the_others_are_summed(tmp_path, capsys):
    chain = loaded(Chain(conv=nn.Conv2d(2, 4, 3), up=nn.Upsample(scale_factor=2)), 0)
    model = quantize_model(chain, samples((2, 4, 4)), floats=["up"])
    (tmp_path / "model.bpk").write_bytes(model.to_bytes())
    assert run(tmp_path / "model.bpk", "--board", "pico") == 0
    lines = capsys.readouterr().out.splitlines()
    (head,) = (line for line in lines if line.startswith("step"))
    (total,) = (line for line in lines if line.startswith("all"))
    assert head.endswith("ms") and total.endswith(" and more") and "?" not in total
    assert any(line.startswith("(?: not counted, of dequantize, ") for line in lines)


def test_files_take_whole_blocks_of_flash():
    file, rom, _ = ways(facts(quantized("DigitsNet")), 4097, Runtime(1, 1, 0), PLENTY)
    assert (file.flash, rom.flash) == ((2 + 1 + 2) * BLOCK_FLASH, 4098)


def test_stock_firmware_of_a_pico_has_no_rom_partition(digits, capsys):
    assert run(digits, "--board", "pico", "--json") == 0
    found = {way["name"]: way for way in json.loads(capsys.readouterr().out)["ways"]}
    assert found["file"]["fits"] and found["frozen"]["fits"]
    assert not found["rom"]["fits"] and found["rom"]["advice"] == ["stock firmware has no ROM partition"]


def test_a_rom_partition_of_ones_own_can_be_told(digits, capsys):
    assert run(digits, "--board", "pico", "--rom", "64K", "--json") == 0
    assert {way["name"]: way["fits"] for way in json.loads(capsys.readouterr().out)["ways"]}["rom"]


def test_what_is_missing_is_said_and_the_exit_code_is_1(digits, capsys):
    assert run(digits, "--flash", "8K", "--ram", "8K") == 1
    said = capsys.readouterr().out
    assert "bytes of flash are missing" in said and "bytes of heap are missing" in said
    found = ways(facts(quantized("KeywordSpotting")), 40_000, RUNTIME, Capacity(1 << 20, 0, 1 << 20, 8192))
    assert "the largest piece" in found[0].advice[0]


def test_only_a_frozen_model_does_not_fit_stock_firmware(digits, capsys):
    assert run(digits, "--flash", "1M", "--ram", "12K", "--json") == 1
    assert [way["fits"] for way in json.loads(capsys.readouterr().out)["ways"]] == [False, False, True]


@pytest.mark.parametrize("board", boards.names())
def test_every_board_is_known_and_says_where_its_figures_are_from(board, digits, capsys):
    assert run(digits, "--board", board) == 0
    assert boards.find(board).sources in capsys.readouterr().out


def test_a_file_without_a_program_is_told_what_writes_one(tmp_path, capsys):
    *_, last = Reader.from_static(quantized("DigitsNet"))
    save_burnpack(tmp_path / "net.bpk", [last])
    assert run(tmp_path / "net.bpk", "--board", "pico") == 1
    assert "`burnstore quantize` writes one" in capsys.readouterr().err


def test_what_the_metadata_say_of_steps_is_not_trusted(tmp_path, capsys):
    reader = Reader.from_static(quantized("DigitsNet"))
    metadata = [(key, "int8.other x" if key == "burnrt.steps" else text) for key, text in reader.metadata()]
    save_burnpack(tmp_path / "net.bpk", list(reader), metadata)
    assert run(tmp_path / "net.bpk", "--board", "pico", "--json") == 0
    steps = json.loads(capsys.readouterr().out)["steps"]
    assert [step["layer"] for step in steps] == ["step %d" % number for number in range(6)]
    assert steps[0]["kernel"] == "int8.conv2d"


@pytest.mark.parametrize("command", ("bundle", "freeze", "romfs"))
def test_no_runtime_is_made_for_a_program_that_boards_refuse(command, tmp_path, capsys):
    data = bytearray(quantized("DigitsNet"))
    start = Reader.from_static(data).span("burnrt.program")[0]
    data[start + 8 : start + 12] = b"\xff\xff\xff\x7f"
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "net.bpk").write_bytes(data)
    source = tmp_path / "app" if command == "romfs" else tmp_path / "app" / "net.bpk"
    more = ["--runtime"] if command == "romfs" else []
    with pytest.raises(SystemExit) as ended:
        cli.main([command, str(source), "-o", str(tmp_path / "out"), *more])
    assert ended.value.code == 1 and not (tmp_path / "out").exists()
    error = capsys.readouterr().err
    assert "net.bpk: arena" in error and error.count("\n") == 1


def test_a_spoilt_program_is_refused(digits):
    data = bytearray(digits.read_bytes())
    start = Reader.from_static(data).span("burnrt.program")[0]
    data[start + 24 : start + 28] = b"\xff\xff\xff\x7f"
    support.raises(Malformed, load_program, bytes(data))


def test_board_or_sizes_are_needed(digits):
    assert run(digits) == 2
    assert run(digits, "--flash", "1M") == 2
