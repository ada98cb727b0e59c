"""The instructions that kernels may use: one row each, in Arm's unified syntax.

In a row's syntax stand for what an instruction has in their place:

    rd     one of the registers r0-r7           Rd     any of r0-r12, sp, lr, pc
    Sd     one of the registers s0-s31          Sd+1   the register behind the one that Sd stands for
    #i8    a number of 8 bits                   #i8*4  a multiple of 4, of which the quarter has 8 bits
    #-i8*4 the same below zero                  #i5>0  a number of 5 bits that is not 0
    #i5+1  a number from 1 to 32                #i12~  8 bits anywhere in a word, for the rest zeros
    {l8}   a list such as {r0, r2}, of r0-r7    {l16}  the same of all registers
    {d:c8} one such as {s4-s7}                  LABEL  a label
    {s}    the letter s, except behind `it`

The letters are fields of the machine code: `bits` has each of its bits where it goes, the highest first; of a
floating-point register, the lowest bit stands apart as the capital letter. The machine code is in the
Arm Architecture Reference Manuals for Armv6-M and Armv7-M, chapter A7, by the name of the instruction.
"""

CONDITIONS = "eq ne cs cc mi pl vs vc hi ls ge lt gt le".split()

# What MicroPython's assembler knows: the instruction, and what it is there. A name alone takes what the
# instruction takes.
KNOWN = (
    ("mov{s} rd, #i8", "mov"),
    ("mov Rd, Rm", "mov"),
    ("adds rd, rn, rm", "add"),
    ("adds rd, rn, #i3", "add"),
    ("adds rd, #i8", "add"),
    ("subs rd, rn, rm", "sub"),
    ("subs rd, rn, #i3", "sub"),
    ("subs rd, #i8", "sub"),
    ("rsbs rd, rm, 0", "neg(rd, rm)"),
    ("muls rd, rm", "mul"),
    ("ands rd, rm", "and_"),
    ("orrs rd, rm", "orr"),
    ("eors rd, rm", "eor"),
    ("adcs rd, rm", "adc"),
    ("lsls rd, rm, #i5>0", "lsl"),
    ("lsls rd, rm", "lsl"),
    ("lsrs rd, rm, #i5>0", "lsr"),
    ("asrs rd, rm, #i5>0", "asr"),
    ("asrs rd, rm", "asr"),
    ("rors rd, rm", "ror"),
    ("cmp rn, #i8", "cmp"),
    ("cmp rn, rm", "cmp"),
    ("tst rn, rm", "tst"),
    ("udiv rd, rn, rm", "udiv"),
    ("sdiv rd, rn, rm", "sdiv"),
    ("movwt rd, #i32", "movwt"),  # two instructions, movw and movt
    ("ldr rt, [rn, #i5*4]", "ldr"),
    ("ldrh rt, [rn, #i5*2]", "ldrh"),
    ("ldrb rt, [rn, #i5]", "ldrb"),
    ("str rt, [rn, #i5*4]", "str"),
    ("strb rt, [rn, #i5]", "strb"),
    ("push {l16}", "push"),
    ("pop {l16}", "pop"),
    ("bx Rm", "bx"),
    ("b LABEL", "b"),
    ("bl LABEL", "bl"),
    *(("b%s LABEL" % condition, "b" + condition) for condition in CONDITIONS),
    *(("b%s.w LABEL" % condition, "b%s_w" % condition) for condition in CONDITIONS),
    *(("it " + condition, "it") for condition in CONDITIONS),
    *(("ite " + condition, "ite") for condition in CONDITIONS),
    ("vldr Sd, [rn, #i8*4]", "vldr"),
    ("vstr Sd, [rn, #i8*4]", "vstr"),
    ("vmov Sn, Rt", "vmov"),
    ("vadd.f32 Sd, Sn, Sm", "vadd"),
    ("vsub.f32 Sd, Sn, Sm", "vsub"),
    ("vmul.f32 Sd, Sn, Sm", "vmul"),
    ("vdiv.f32 Sd, Sn, Sm", "vdiv"),
    ("vsqrt.f32 Sd, Sm", "vsqrt"),
    ("vcmpe.f32 Sd, Sm", "vcmp"),
    ("vcvt.f32.s32 Sd, Sm", "vcvt_f32_s32"),
    ("vmrs APSR_nzcv, FPSCR", "vmrs"),
)

# What it lacks: the instruction, and its machine code. Of several rows for one the first that fits is taken.
ENCODED = (
    # Armv6-M
    ("add Rd, sp, Rd", "0100 0100 d110 1ddd"),
    ("add Rd, Rm", "0100 0100 dmmm mddd"),
    ("cmp Rn, Rm", "0100 0101 nmmm mnnn"),
    ("str rt, [rn, rm]", "0101 000m mmnn nttt"),
    ("strb rt, [rn, rm]", "0101 010m mmnn nttt"),
    ("ldrsb rt, [rn, rm]", "0101 011m mmnn nttt"),
    ("ldr rt, [rn, rm]", "0101 100m mmnn nttt"),
    ("ldrh rt, [rn, rm]", "0101 101m mmnn nttt"),
    ("ldrb rt, [rn, rm]", "0101 110m mmnn nttt"),
    ("str rt, [sp, #i8*4]", "1001 0ttt iiii iiii"),
    ("ldr rt, [sp, #i8*4]", "1001 1ttt iiii iiii"),
    ("add rd, sp, #i8*4", "1010 1ddd iiii iiii"),
    ("add sp, #i7*4", "1011 0000 0iii iiii"),
    ("sub sp, #i7*4", "1011 0000 1iii iiii"),
    ("sxth rd, rm", "1011 0010 00mm mddd"),
    ("sxtb rd, rm", "1011 0010 01mm mddd"),
    ("uxth rd, rm", "1011 0010 10mm mddd"),
    ("stmia rn!, {l8}", "1100 0nnn llll llll"),
    ("ldmia rn!, {l8}", "1100 1nnn llll llll"),
    # Armv7-M: memory
    ("ldm Rn, {l16}", "1110 1000 1001 nnnn llll llll llll llll"),
    ("ldmia Rn!, {l16}", "1110 1000 1011 nnnn llll llll llll llll"),
    ("ldmia.w Rn!, {l16}", "1110 1000 1011 nnnn llll llll llll llll"),
    ("strd Rt, Ru, [Rn, #i8*4]", "1110 1001 1100 nnnn tttt uuuu iiii iiii"),
    ("strd Rt, Ru, [Rn, #-i8*4]", "1110 1001 0100 nnnn tttt uuuu iiii iiii"),
    ("ldrd Rt, Ru, [Rn, #i8*4]", "1110 1001 1101 nnnn tttt uuuu iiii iiii"),
    ("strb Rt, [Rn], #i8", "1111 1000 0000 nnnn tttt 1011 iiii iiii"),
    ("ldrb Rt, [Rn], #i8", "1111 1000 0001 nnnn tttt 1011 iiii iiii"),
    ("strh Rt, [Rn], #i8", "1111 1000 0010 nnnn tttt 1011 iiii iiii"),
    ("str Rt, [Rn, Rm]", "1111 1000 0100 nnnn tttt 0000 0000 mmmm"),
    ("ldr Rt, [Rn, Rm]", "1111 1000 0101 nnnn tttt 0000 0000 mmmm"),
    ("ldr Rt, [Rn, Rm, lsl #i2>0]", "1111 1000 0101 nnnn tttt 0000 00ii mmmm"),
    ("ldr Rt, [Rn], #i8", "1111 1000 0101 nnnn tttt 1011 iiii iiii"),
    ("str Rt, [Rn, #i12]", "1111 1000 1100 nnnn tttt iiii iiii iiii"),
    ("ldr Rt, [Rn, #i12]", "1111 1000 1101 nnnn tttt iiii iiii iiii"),
    ("ldrsb Rt, [Rn], #i8", "1111 1001 0001 nnnn tttt 1011 iiii iiii"),
    # Armv7-M: arithmetic
    ("orr Rd, Rn, Rm", "1110 1010 0100 nnnn 0000 dddd 0000 mmmm"),
    ("orr Rd, Rn, Rm, lsl #i5>0", "1110 1010 0100 nnnn 0iii dddd ii00 mmmm"),
    ("orr Rd, Rn, Rm, lsr #i5>0", "1110 1010 0100 nnnn 0iii dddd ii01 mmmm"),
    ("eor Rd, Rn, Rm", "1110 1010 1000 nnnn 0000 dddd 0000 mmmm"),
    ("add Rd, Rn, Rm", "1110 1011 0000 nnnn 0000 dddd 0000 mmmm"),
    ("add Rd, Rn, Rm, lsl #i5>0", "1110 1011 0000 nnnn 0iii dddd ii00 mmmm"),
    ("add Rd, Rn, Rm, asr #i5>0", "1110 1011 0000 nnnn 0iii dddd ii10 mmmm"),
    ("adc Rd, Rn, Rm", "1110 1011 0100 nnnn 0000 dddd 0000 mmmm"),
    ("adcs Rd, Rn, Rm", "1110 1011 0101 nnnn 0000 dddd 0000 mmmm"),
    ("sub Rd, Rn, Rm", "1110 1011 1010 nnnn 0000 dddd 0000 mmmm"),
    ("cmp Rn, Rm, lsl #i5>0", "1110 1011 1011 nnnn 0iii 1111 ii00 mmmm"),
    ("bic Rd, Rn, #i12~", "1111 0i00 0010 nnnn 0iii dddd iiii iiii"),
    ("mov Rd, #i12~", "1111 0i00 0100 1111 0iii dddd iiii iiii"),
    ("eor Rd, Rn, #i12~", "1111 0i00 1000 nnnn 0iii dddd iiii iiii"),
    ("add Rd, Rn, #i12~", "1111 0i01 0000 nnnn 0iii dddd iiii iiii"),
    ("sub Rd, Rn, #i12~", "1111 0i01 1010 nnnn 0iii dddd iiii iiii"),
    ("subs Rd, Rn, #i12~", "1111 0i01 1011 nnnn 0iii dddd iiii iiii"),
    ("cmp Rn, #i12~", "1111 0i01 1011 nnnn 0iii 1111 iiii iiii"),
    ("ubfx Rd, Rn, #i5, #w5+1", "1111 0011 1100 nnnn 0iii dddd ii0w wwww"),
    ("asr Rd, Rn, Rm", "1111 1010 0100 nnnn 1111 dddd 0000 mmmm"),
    ("asrs Rd, Rn, Rm", "1111 1010 0101 nnnn 1111 dddd 0000 mmmm"),
    ("mla Rd, Rn, Rm, Ra", "1111 1011 0000 nnnn aaaa dddd 0000 mmmm"),
    ("mul Rd, Rn, Rm", "1111 1011 0000 nnnn 1111 dddd 0000 mmmm"),
    ("ssat Rd, #i5+1, Rn", "1111 0011 0000 nnnn 0000 dddd 000i iiii"),
    ("usat Rd, #i5, Rn", "1111 0011 1000 nnnn 0000 dddd 000i iiii"),
    # Armv7E-M: signal processing
    ("pkhbt Rd, Rn, Rm, lsl #i5>0", "1110 1010 1100 nnnn 0iii dddd ii00 mmmm"),
    ("sxtb16 Rd, Rm", "1111 1010 0010 1111 1111 dddd 1000 mmmm"),
    ("sxtb16 Rd, Rm, ror #i2*8>0", "1111 1010 0010 1111 1111 dddd 10ii mmmm"),
    ("uxtb16 Rd, Rm", "1111 1010 0011 1111 1111 dddd 1000 mmmm"),
    ("uxtb16 Rd, Rm, ror #i2*8>0", "1111 1010 0011 1111 1111 dddd 10ii mmmm"),
    ("uxtab16 Rd, Rn, Rm", "1111 1010 0011 nnnn 1111 dddd 1000 mmmm"),
    ("uxtab16 Rd, Rn, Rm, ror #i2*8>0", "1111 1010 0011 nnnn 1111 dddd 10ii mmmm"),
    ("uqadd8 Rd, Rn, Rm", "1111 1010 1000 nnnn 1111 dddd 0101 mmmm"),
    ("sel Rd, Rn, Rm", "1111 1010 1010 nnnn 1111 dddd 1000 mmmm"),
    ("usub8 Rd, Rn, Rm", "1111 1010 1100 nnnn 1111 dddd 0100 mmmm"),
    ("smulbb Rd, Rn, Rm", "1111 1011 0001 nnnn 1111 dddd 0000 mmmm"),
    ("smlad Rd, Rn, Rm, Ra", "1111 1011 0010 nnnn aaaa dddd 0000 mmmm"),
    ("smladx Rd, Rn, Rm, Ra", "1111 1011 0010 nnnn aaaa dddd 0001 mmmm"),
    # Floats
    ("vmov Sm, Sm+1, Rt, Ru", "1110 1100 0100 uuuu tttt 1010 00M1 mmmm"),
    ("vstmia Rn!, {d:c8}", "1110 1100 1D10 nnnn dddd 1010 cccc cccc"),
    ("vldmia Rn!, {d:c8}", "1110 1100 1D11 nnnn dddd 1010 cccc cccc"),
    ("vfma.f32 Sd, Sn, Sm", "1110 1110 1D10 nnnn dddd 1010 N0M0 mmmm"),
    ("vmov.f32 Sd, Sm", "1110 1110 1D11 0000 dddd 1010 01M0 mmmm"),
)
