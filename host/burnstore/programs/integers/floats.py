"""Steps in floats within a program in integers, and those at their borders."""

from burnpack.module import Module
from burnstore.graph.in_floats import Dequantize, InFloats, Quantize
from burnstore.graph.memory import Memory
from burnstore.graph.network import Network
from burnstore.graph.operations import Operation
from burnstore.programs.form import Argument, Floats, Form, InBytes
from burnstore.programs.recording import Calls, Recorder
from burnstore.programs.spelling import FLOAT, CallWriter, calls_of
from burnstore.quantize.calibrate import Bytes

KINDS = (InFloats, Quantize, Dequantize)


def recorded(network: Network) -> dict[int, Calls]:
    """Return what the steps in floats call, by their outputs."""
    found = [each for each in network.operations if isinstance(each, InFloats)]
    if not found:
        return {}
    recorder = Recorder(Module(), None)
    with recorder.recording():
        return {each.output: calls_of(each, recorder, network.constants) for each in found}


def work_of(calls: dict[int, Calls]) -> dict[int, list[int]]:
    """Return the bytes that steps in floats work in."""
    return {output: [FLOAT * each.numbers.size for each in found.work] for output, found in calls.items()}


class FloatWriter:
    """Writes these steps into a form. memory: where all lies, in bytes. calls: what `recorded` found."""

    def __init__(self, network: Network, form: Form, memory: Memory, calls: dict[int, Calls]) -> None:
        self._form, self._memory, self._calls = form, memory, calls
        offsets = {value: memory.offsets[value] // FLOAT for value in network.floats}
        work = {output: [start // FLOAT for start in memory.work[output]] for output in calls}
        self._writer = CallWriter(form, Memory(offsets, work, memory.size // FLOAT, {}))

    def write(self, operation: Operation, name: str, known: dict[int, Bytes]) -> None:
        """Write an operation, which goes by the name. known: what bytes stand for, by value."""
        if isinstance(operation, InFloats):
            self._writer.write(operation, name, self._calls[operation.output])
            return
        (given,), made, count = operation.inputs, operation.output, operation.count
        is_made = isinstance(operation, Quantize)
        floats, some = (given, made) if is_made else (made, given)
        number = Floats(self._memory.offsets[floats] // FLOAT, count)
        byte = InBytes(self._memory.offsets[some], count)
        stands = known[some].scale, known[some].zero_point
        arguments: list[Argument] = (
            [number, *stands, byte, count] if is_made else [byte, *stands, number, count]
        )
        self._form.floats("quantize" if is_made else "dequantize", name, arguments)
