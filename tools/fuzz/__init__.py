"""A fuzzer for every parser of the project.

    python -m tools.fuzz [--minutes N | --inputs N] [--target NAME]... [--interpreter cpython|unix|wasm]...

Inputs are made from good files by changing their structure. Those by which CPython runs new lines are kept,
and changed further. What CPython says of an input is compared with what another implementation says of it,
and with what MicroPython says.

The rule: an input is read, or refused by one `BurnpackError` whose text is one line. Nothing else is raised,
work and memory are bounded, and no file is written.
"""
