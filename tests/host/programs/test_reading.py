"""A program that a board would run is read back on a computer, whatever it is called in it."""

import pytest

from burnrt import Model
from burnstore.programs.reading import program_in
from kit.int8.small_int8 import STEPS, Parts


@pytest.mark.parametrize("name", ("é", "a\x85b", "\x1c"))
def test_names_of_kernels_that_no_step_has_may_be_any_bytes(name):
    parts = Parts()
    kernels = [f"int8.{operation}" for operation, _, _ in STEPS]
    parts.names = [name, *kernels]
    assert [step.kernel for step in program_in(Model(parts.to_bytes())).steps] == kernels
