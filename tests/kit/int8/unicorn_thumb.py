"""Runs functions in MicroPython's inline assembler on emulated Arm chips, fenced in.

    linear = function(path, "armv6m", "linear")            # its machine code, by MicroPython's cross-compiler
    run = Chip("armv6m").call(linear, Buffer(arena, writable=True), Buffer(weight), Buffer(words))
    run.buffers[0], run.instructions

An architecture's chip knows that architecture's instructions and no others: Cortex-M0 stops at a word
that is not aligned and at what is new in Armv7, Cortex-M3 at the instructions for signal processing. What
no chip does though the emulator would, taking floats or several words from any address, is `Misaligned`.
"""

import ast
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from unicorn import (
    UC_ARCH_ARM,
    UC_HOOK_BLOCK,
    UC_HOOK_MEM_READ,
    UC_HOOK_MEM_WRITE,
    UC_MODE_THUMB,
    UC_PROT_ALL,
    UC_PROT_READ,
    UC_PROT_WRITE,
    Uc,
    arm_const,
)

from burnstore.boards.runtime.cross import compiled

# UC_MODE_MCLASS would make a Cortex-M33 of each.
MODELS = {
    "armv6m": arm_const.UC_CPU_ARM_CORTEX_M0,
    "armv7m": arm_const.UC_CPU_ARM_CORTEX_M3,
    "armv7emsp": arm_const.UC_CPU_ARM_CORTEX_M4,
    "armv7emdp": arm_const.UC_CPU_ARM_CORTEX_M7,
}

PAGE = 4096
CODE, RETURN, BUFFERS, STACK_END = 0x1000_0000, 0x1100_0000, 0x2000_0000, 0x3000_0000
BUFFERS_APART = 0x100_0000
STACK = b"\xa5" * PAGE
TRANSLATED = (
    1 << 24
)  # bytes that an emulator has for code of this machine; without a word it reserves a gigabyte
READS_AND_WRITES = UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE
ARGUMENTS = [getattr(arm_const, "UC_ARM_REG_R%d" % number) for number in range(4)]
SAVED = [getattr(arm_const, "UC_ARM_REG_R%d" % number) for number in range(4, 12)]

# How instructions on several words (ldm, ldrd), or on floats (vldr, vldm), begin.
WITH_ALIGNMENT = (*range(0xC0, 0xD0), 0xE8, 0xE9, 0xEC, 0xED)


class Buffer(NamedTuple):
    """An argument: bytes, on pages of their own.

    They end where their last page ends, so that the first byte behind them faults. With a `remainder`, they
    begin so many bytes behind the beginning of a page instead: with 0, the byte before them faults.
    """

    data: bytes | bytearray
    writable: bool = False
    remainder: int | None = None


class Run(NamedTuple):
    """What a call left in the buffers, and what it took.

    stack: bytes. cycles: of a Cortex-M0+ that never waits for memory, by its Technical Reference Manual;
    without meaning for code with other instructions than Armv6-M's.
    """

    buffers: list[bytes]
    result: int
    instructions: int
    cycles: int
    stack: int


class Misaligned(Exception):
    """An instruction that needs a multiple of 4 was given another address."""


class Chip:
    """An emulated chip of an architecture. One that does not count is faster; its runs' counts are 0."""

    def __init__(self, architecture: str, counts: bool = True) -> None:
        self.model, self.counts = MODELS[architecture], counts

    def call(self, code: bytes, *arguments: Buffer | int) -> Run:
        """Call machine code with numbers and the addresses of buffers; raises `unicorn.UcError`.

        Registers take four; what buffers follow can be reached by their addresses alone.
        """
        starts = [_start(number, argument) for number, argument in enumerate(arguments)]
        odd = any(
            start % 4 for start, argument in zip(starts, arguments, strict=True) if _is_buffer(argument)
        )
        prepared = _prepared(self.model, code, self.counts, odd)
        try:
            return prepared.call(starts, arguments)
        except BaseException:
            _prepared.cache_clear()  # nobody knows what state it was left in
            raise


def _is_buffer(argument: Buffer | int) -> bool:
    return isinstance(argument, Buffer)


class _Prepared:
    """An emulator with code in it. A second call takes what the first one mapped and translated.

    Only where something looks at memory from the beginning are later looks seen by code that is translated.
    """

    def __init__(self, model: int, code: bytes, counts: bool, odd: bool) -> None:
        self.code, self.blocks = code, _Blocks({}, [0, CODE])
        self.mapped: dict[int, tuple[int, int]] = {}
        self.emulator = Uc(UC_ARCH_ARM, UC_MODE_THUMB)
        self.emulator.ctl_set_tcg_buffer_size(TRANSLATED)
        self.emulator.ctl_set_cpu_model(model)
        _place(self.emulator, CODE, code)
        _place(self.emulator, RETURN, bytes(4))
        _place(self.emulator, STACK_END - len(STACK), STACK)
        if counts:
            self.emulator.hook_add(UC_HOOK_BLOCK, _count, self.blocks)
        if odd:
            self.emulator.hook_add(READS_AND_WRITES, _check_instruction, None, RETURN, RETURN)

    def call(self, starts: list[int], arguments: tuple[Buffer | int, ...]) -> Run:
        self.blocks.times.clear()
        self.blocks.jumps[:] = 0, CODE
        self.emulator.mem_write(STACK_END - len(STACK), STACK)
        self._map({start: a for start, a in zip(starts, arguments, strict=True) if isinstance(a, Buffer)})
        watched = [
            self.emulator.hook_add(READS_AND_WRITES, _check_instruction, None, start, start + len(a.data) - 1)
            for start, a in zip(starts, arguments, strict=True)
            if isinstance(a, Buffer) and start % 4
        ]
        result = _called(self.emulator, starts)
        for hook in watched:
            self.emulator.hook_del(hook)
        after = [
            bytes(self.emulator.mem_read(start, len(argument.data)))
            for start, argument in zip(starts, arguments, strict=True)
            if isinstance(argument, Buffer)
        ]
        stack = bytes(self.emulator.mem_read(STACK_END - len(STACK), len(STACK)))
        return Run(after, result, *self._counted(), len(stack.lstrip(STACK[:1])))

    def _map(self, buffers: dict[int, Buffer]) -> None:
        """Put buffers where they lie, with zeros around them and nothing else on any page."""
        wanted = {}
        for start, buffer in buffers.items():
            first, end = start // PAGE * PAGE, start + max(1, len(buffer.data))
            rights = UC_PROT_READ | (UC_PROT_WRITE if buffer.writable else 0)
            wanted[first] = (end + -end % PAGE - first, rights)
        for first, (size, _) in self.mapped.items() - wanted.items():
            self.emulator.mem_unmap(first, size)
        for first, (size, rights) in wanted.items() - self.mapped.items():
            self.emulator.mem_map(first, size, rights)
        self.mapped = wanted
        for start, buffer in buffers.items():
            before = bytes(start % PAGE)
            around = before + bytes(buffer.data)
            self.emulator.mem_write(start - len(before), around + bytes(-len(around) % PAGE))

    def _counted(self) -> tuple[int, int]:
        """Return how many instructions were run, and their cycles."""
        times = self.blocks.times
        costs = {block: [_cost(*halves) for halves in _inside(self.code, *block)] for block in times}
        instructions = sum(count * len(costs[block]) for block, count in times.items())
        return instructions, self.blocks.jumps[0] + sum(
            count * sum(costs[block]) for block, count in times.items()
        )


_prepared = lru_cache(maxsize=16)(_Prepared)


class _Blocks(NamedTuple):
    """times: how often each block of code was run, by its address and size.

    jumps: how many there were between blocks, and where the last block ended.
    """

    times: dict[tuple[int, int], int]
    jumps: list[int]


def _place(emulator: Uc, address: int, data: bytes) -> None:
    first, end = address // PAGE * PAGE, address + len(data)
    emulator.mem_map(first, end + -end % PAGE - first, UC_PROT_ALL)
    emulator.mem_write(address, data)


def address(number: int, buffer: Buffer) -> int:
    """Return where the buffer lies that is argument `number`, counted from 0."""
    start = BUFFERS + number * BUFFERS_APART
    return start + (-len(buffer.data) % PAGE if buffer.remainder is None else buffer.remainder)


def _start(number: int, argument: Buffer | int) -> int:
    """Return what a register is to hold: a number, or where a buffer lies."""
    return argument if isinstance(argument, int) else address(number, argument)


def _check_instruction(emulator: Uc, kind: int, at: int, size: int, value: int, _: None) -> None:
    """Raise `Misaligned` where words are taken that are not aligned, by an instruction that minds."""
    if not at % 4 or size != 4:
        return
    place = emulator.reg_read(arm_const.UC_ARM_REG_PC)
    first = emulator.mem_read(place, 2)[1]  # of the instruction's first half, the upper byte
    if first in WITH_ALIGNMENT:
        raise Misaligned("the instruction at %#x takes a word from %#x" % (place - CODE, at))


def _called(emulator: Uc, starts: list[int]) -> int:
    """Run to the return; check that the registers are as a caller may expect them."""
    for register, start in zip(ARGUMENTS, starts, strict=False):
        emulator.reg_write(register, start)
    for register in SAVED:
        emulator.reg_write(register, 0xABCD_0000 + register)
    emulator.reg_write(arm_const.UC_ARM_REG_SP, STACK_END)
    emulator.reg_write(arm_const.UC_ARM_REG_LR, RETURN | 1)
    emulator.emu_start(CODE | 1, RETURN)
    assert emulator.reg_read(arm_const.UC_ARM_REG_SP) == STACK_END
    assert [emulator.reg_read(register) for register in SAVED] == [0xABCD_0000 + saved for saved in SAVED]
    return int(emulator.reg_read(arm_const.UC_ARM_REG_R0))


def _count(emulator: Uc, address: int, size: int, blocks: _Blocks) -> None:
    blocks.times[address, size] = blocks.times.get((address, size), 0) + 1
    blocks.jumps[0] += address != blocks.jumps[1]
    blocks.jumps[1] = address + size


def _inside(code: bytes, address: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield both bytes of each instruction's first half; it takes 4 where the upper is 0b11101000 or more."""
    at, end = address - CODE, address - CODE + size
    while 0 <= at < end:
        yield code[at], code[at + 1]
        at += 4 if code[at + 1] >= 0b11101_000 else 2


def _cost(lower: int, upper: int) -> int:
    """Return the cycles of an instruction, of one that jumps without 1 more."""
    if 0xC0 <= upper < 0xD0 or upper in (0xB4, 0xB5, 0xBC, 0xBD):  # ldm, stm, push, pop
        return 1 + (lower | (upper & 1) << 8 if upper >> 4 == 0xB else lower).bit_count()
    is_load_or_store = 0x50 <= upper < 0xA0
    return 2 if is_load_or_store or upper >= 0xF0 else 1  # the last is bl


def function(path: Path, architecture: str, name: str) -> bytes:
    """Return the machine code of a function of the file, compiled for an architecture."""
    return functions(path, architecture)[name]


@cache
def functions(path: Path, architecture: str) -> dict[str, bytes]:
    """Return {name: machine code} of all functions in inline assembler in the file."""
    names = [
        node.name
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and any("asm_thumb" in ast.dump(d) for d in node.decorator_list)
    ]
    return dict(zip(names, machine_codes(compiled(path, path.name, architecture)), strict=True))


# Kinds of code in a .mpy, and of constant objects, by MicroPython's py/persistentcode.h.
BYTECODE, ASSEMBLED = 0, 3
STR, BYTES, TUPLE = 5, 6, 10
WITHOUT_LENGTH = 4
ARCHITECTURE_FLAGS = 0x40


def machine_codes(data: bytes) -> list[bytes]:
    """Return the machine code of each function in inline assembler in a .mpy, in order.

    offset  field
    0       "M", version, flags, bits of a small int
    4       flags of the architecture, where the flags say so; counts of names and of constants; these; code
    """
    reader = _Reader(data)
    if data[2] & ARCHITECTURE_FLAGS:
        reader.number()
    names, constants = reader.number(), reader.number()
    for _ in range(names):
        reader.skip_name()
    for _ in range(constants):
        reader.skip_constant()
    return list(reader.assembled())


class _Reader:
    """Reads a .mpy from the fifth byte on."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 4

    def bytes(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self) -> int:
        value = 0
        while True:
            (byte,) = self.bytes(1)
            value = value << 7 | byte & 0x7F
            if byte < 0x80:
                return value

    def skip_name(self) -> None:
        length = self.number()
        if not length & 1:  # else MicroPython knows it by its number
            self.bytes(length // 2 + 1)

    def skip_constant(self) -> None:
        (kind,) = self.bytes(1)
        length = self.number() if kind > WITHOUT_LENGTH else 0
        if kind == TUPLE:
            for _ in range(length):
                self.skip_constant()
        else:
            self.bytes(length + (kind in (STR, BYTES)))

    def assembled(self):
        """Yield the machine code of this function and of those inside it."""
        head = self.number()
        kind, has_children, code = head & 3, head & 4, self.bytes(head >> 3)
        assert kind in (BYTECODE, ASSEMBLED), "other native code is not looked at here"
        if kind == ASSEMBLED:
            flags, arguments, signature = self.number(), self.number(), self.number()
            assert (flags, signature) == (0, 2), (flags, arguments, signature)
            yield code
        for _ in range(self.number() if has_children else 0):
            yield from self.assembled()
