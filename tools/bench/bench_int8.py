"""Integer kernels on the 64-bit MicroPython: in viper, in plain Python, and what a mere loop takes.

Where that interpreter has ulab (MICROPYTHON names another build), its `dot` of floats is measured, too.
"""

from pathlib import Path

from tools import interpreters
from tools.bench import Row, Skipped, at_least_times

SCRIPT = Path(__file__).resolve().parent / "board" / "int8.py"
UNIT = "ns/MAC"
LEAST_OF_LOOP = 60  # how many times as long as viper a loop in bytecode takes


def run() -> list[Row]:
    try:
        done = interpreters.run("unix", SCRIPT, timeout=120)
    except interpreters.Missing as reason:
        raise Skipped(str(reason)) from None
    if done.returncode:
        raise RuntimeError(done.stdout.decode() + done.stderr.decode())
    lines = (line.split() for line in done.stdout.decode().splitlines())
    return _rows({label: float(figure) for label, figure in lines})


def _rows(measured: dict[str, float]) -> list[Row]:
    if "dense_viper" not in measured:
        raise Skipped("this MicroPython has no viper")
    dense, conv = measured["dense_viper"], measured["conv_viper"]
    loop = measured["dense_loop"]
    rows = [
        at_least_times("dense, a loop in bytecode", loop, UNIT, "viper", dense, LEAST_OF_LOOP),
        Row("dense, plain kernel", measured["dense_plain"], UNIT, "viper", dense),
        Row("3×3 convolution, plain kernel", measured["conv_plain"], UNIT, "viper", conv),
        Row(
            "dense, a loop in bytecode, against the plain kernel",
            loop,
            UNIT,
            "plain",
            measured["dense_plain"],
        ),
    ]
    if "dense_ulab" in measured:
        rows.append(
            at_least_times("dense, ulab's dot of floats", measured["dense_ulab"], UNIT, "viper", dense, 1)
        )
    return rows
