.python
"""Tables of vectors for Armv6-M."""
.end
.include "../words.inc"
.include "macros.inc"

.function embedding, r0, r1, r2, r3
    .stack 4
        left            @ of indices
    .end
    enter
    @ r0 becomes the index, r2 where its entry goes, r8 the numbers of one, r9 the last entry,
    @ r10 whether an index has 16 bits.
    copy [r3, COUNT], [sp, left]
    ldr r2, [r3, OUTPUT]
    adds r2, r2, r0
    plus r0, [r3, INPUT]
    ldr r6, [r3, SIZE]; ldr r4, [r3, ENTRIES]
    subs r4, 1
    mov r8, r6; mov r9, r4
    ldr r4, [r3, WIDE]
    mov r10, r4
    movs r7, 128
ENTRY:
    ldrb r3, [r0]
    adds r0, 1
    mov r4, r10
    cmp r4, 0; beq WHOLE
    ldrb r4, [r0]
    adds r0, 1
    lsls r4, r4, 8
    orrs r3, r4
WHOLE:
    cmp r3, r9; bls KNOWN
    mov r3, r9
KNOWN:
    mov r6, r8
    muls r3, r6
    adds r3, r3, r1
    subs r6, 1
NUMBER:
    ldrb r4, [r3, r6]
    eors r4, r7
    strb r4, [r2, r6]
    subs r6, 1; bpl NUMBER
    add r2, r8
    count_down [sp, left]; bne ENTRY
    leave
.end
