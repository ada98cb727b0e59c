"""Models of the examples run in no more heap than these budgets, from files, which take most."""

import pytest

from kit.boards.fitting import heap_of, laid_out, quantized

# The least heap of a 64-bit MicroPython, whose words take twice a board's, and what is kept on a 32-bit one.
BUDGETS = {
    "DigitsNet": (33_000, 20_600),
    "GestureNet": (32_500, 20_500),
    "MnistTiny": (34_500, 22_400),
    "KeywordSpotting": (79_000, 64_500),
    "VisualWakeWords": (340_000, 316_000),
    "ImageClassification": (171_000, 154_000),
    "AnomalyDetection": (318_000, 300_000),
}

SLOW = 50_000  # bytes that a network keeps which takes seconds on a 32-bit MicroPython


@pytest.mark.parametrize("name", BUDGETS)
def test_a_model_runs_in_its_budget_of_heap(name, tmp_path):
    laid_out(tmp_path, quantized(name))
    assert heap_of("unix", tmp_path, str(BUDGETS[name][0])) is not None


@pytest.mark.parametrize("name", BUDGETS)
def test_a_model_keeps_no_more_than_its_budget_on_32_bits(name, tmp_path):
    laid_out(tmp_path, quantized(name))
    is_small = BUDGETS[name][1] < SLOW  # a run leaves nothing behind, and takes seconds here
    assert heap_of("wasm", tmp_path, runs=is_small)["all"] <= BUDGETS[name][1]
