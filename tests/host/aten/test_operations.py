"""The table of operations, against PyTorch's schemas, the functions that it names, and its page."""

import inspect
import json
from pathlib import Path

import pytest

from burnrt import functional
from burnstore.aten.rows import ROWS
from burnstore.aten.table import _DERIVED, HANDLERS, Row
from tools import operations

SCHEMAS = json.loads((Path(__file__).parents[2] / "vectors" / "aten" / "schemas.json").read_text("utf-8"))
ROWED = {name: row for name, row in HANDLERS.items() if isinstance(row, Row)}
FUNCTIONS = {name: row for name, row in ROWED.items() if row.function not in ("same", "reshape")}


def test_every_operation_is_pytorchs():
    own = [name for name in HANDLERS if not name.startswith("burnrt.")]
    assert [name for name in own if name not in SCHEMAS] == []


def test_no_operation_has_two_rows():
    names = [line.split(" ")[0] for line in ROWS.split("\n") if line and line[0] != " "]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", ROWED)
def test_a_row_names_arguments_of_pytorchs_schema(name):
    row = ROWED[name]
    named = [
        argument for argument in (*row.arguments, *(key for _, key in row.keywords)) if argument[0].isalpha()
    ]
    assert [argument for argument in named if argument not in (*SCHEMAS[name], *_DERIVED)] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_row_calls_a_function_that_is_there_with_arguments_that_it_takes(name):
    row = FUNCTIONS[name]
    signature = inspect.signature(getattr(functional, row.function))
    signature.bind(*row.arguments, **dict(row.keywords))


def test_the_page_is_made_of_the_table():
    assert operations.TARGET.read_text(encoding="utf-8") == operations.text()
