.python
"""Moving numbers and setting them for Armv6-M."""
.end
.include "../words.inc"
.include "macros.inc"

.macro turn axis, left, by, out_by      @ where a dimension goes on, once those within it are done
    @ r5 and r6 are how far these have gone.
    ldr r4, [r3, EXTENTS + \axis]; str r4, [sp, \left]
    subs r4, 1
    ldr r7, [r3, STEPS + \axis]
    subs r2, r7, r5; str r2, [sp, \by]
    muls r7, r4; adds r5, r5, r7
    ldr r7, [r3, OUT_STEPS + \axis]
    subs r2, r7, r6; str r2, [sp, \out_by]
    muls r7, r4; adds r6, r6, r7
.endm

.macro go_on axis, left, by, out_by     @ r3 are the words
    count_down [sp, \left]; beq DONE
    ldr r4, [sp, \by]; ldr r5, [sp, \out_by]; b GO_ON
DONE:
    copy [r3, EXTENTS + \axis], [sp, \left]
.endm

.macro strides                          @ of a row that begins at r0 and goes to r1; lr is its end there
    mov r2, r9; mov r3, r10
    adds r6, r2, r2
    mov r4, r8
    adds r4, r4, r1
    mov lr, r4
    ldr r5, [sp, single]
.endm

.macro next_by_one
    adds r0, r0, r2; adds r1, r1, r3
.endm

.macro looked_up register               @ r7 is the table
    ldrb \register, [r7, \register]
.endm

.macro two                              @ r2 and r3 are steps, r6 and r11 twice these
    ldrb r4, [r0, 0]; ldrb r5, [r0, r2]
    adds r0, r0, r6
    strb r4, [r1, 0]; strb r5, [r1, r3]
    add r1, r11
.endm

.macro two_looked_up
    ldrb r4, [r0, 0]; ldrb r5, [r0, r2]
    adds r0, r0, r6
    looked_up r4; looked_up r5
    strb r4, [r1, 0]; strb r5, [r1, r3]
    add r1, r11
.endm

.macro join word, next, up, down, by=r7 @ the rest of a word and the beginning of the next, whose rest is left
    lsls \by, \next, \up
    orrs \word, \by
    lsrs \next, \next, \down
.endm

.macro shifted up, down                 @ 16 numbers at a time, from r0 - 4 + down / 8 on
    lsrs r2, r2, \down
SHIFTED:
    ldmia r0!, {r3, r4, r5, r6}
    join r2, r3, \up, \down; join r3, r4, \up, \down; join r4, r5, \up, \down
    lsls r7, r6, \up
    orrs r5, r7
    stmia r1!, {r2, r3, r4, r5}
    lsrs r2, r6, \down
    cmp r1, lr; bne SHIFTED
.endm

.macro byte_on by
    ldrb \by, [r0, 0]; strb \by, [r1, 0]
    adds r0, 1; adds r1, 1
.endm

.macro byte place
    ldrb r3, [r0, \place]; strb r3, [r1, \place]
.endm

.function copy, r0, r1, r2, r3
    .stack 68
        table
        way             @ 0 a row in one piece, 1 by steps, 2 by the table
        single          @ numbers of a row that are done one by one
        row
        to
        firsts          @ left of each dimension
        seconds
        thirds
        fourths
        by_first        @ from a row to the next one
        by_second
        by_third
        by_fourth
        out_by_first
        out_by_second
        out_by_third
        out_by_fourth
    .end
    enter
    str r1, [sp, table]
    mov r12, r3
    ldr r4, [r3, OUTPUT]
    plus r4, [r3, INTO]
    adds r4, r4, r0; str r4, [sp, to]
    ldr r4, [r3, SOURCE]
    cmp r4, 2; beq STORED
    mov r1, r0
    plus r1, [r3, INPUT]
STORED:
    plus r1, [r3, FIRST]
    str r1, [sp, row]
    @ r8 becomes how far a row goes, r9 its steps, r10 those where it goes, r11 twice these, r12 the words.
    ldr r2, [r3, STEPS + 16]; ldr r6, [r3, OUT_STEPS + 16]
    mov r9, r2; mov r10, r6
    adds r7, r6, r6
    mov r11, r7
    ldr r5, [r3, EXTENTS + 16]
    mov r7, r5
    muls r7, r6
    mov r8, r7
    movs r7, 3
    ands r5, r7; str r5, [sp, single]
    movs r5, 2
    cmp r4, 1; beq CHOSEN
    movs r5, 1
    cmp r2, 1; bne CHOSEN
    cmp r6, 1; bne CHOSEN
    movs r5, 0
CHOSEN:
    str r5, [sp, way]
    movs r5, 0; movs r6, 0
    turn 12, fourths, by_fourth, out_by_fourth
    turn 8, thirds, by_third, out_by_third
    turn 4, seconds, by_second, out_by_second
    turn 0, firsts, by_first, out_by_first
    ldr r0, [sp, row]; ldr r1, [sp, to]
ROW:
    ldr r4, [sp, way]
    cmp r4, 1; beq BY_STEPS
    bhi BY_TABLE
    b IN_ONE_PIECE

BY_STEPS:
    strides
    b ANY
SINGLE:
    ldrb r4, [r0, 0]; strb r4, [r1, 0]
    next_by_one
    subs r5, 1
ANY:
    cmp r5, 0; bne SINGLE
    cmp r1, lr; beq ROW_DONE
FOUR:
    two; two
    cmp r1, lr; bne FOUR
    b ROW_DONE

BY_TABLE:
    strides
    ldr r7, [sp, table]; b ANY_LOOKED_UP
SINGLE_LOOKED_UP:
    ldrb r4, [r0, 0]
    looked_up r4
    strb r4, [r1, 0]
    next_by_one
    subs r5, 1
ANY_LOOKED_UP:
    cmp r5, 0; bne SINGLE_LOOKED_UP
    cmp r1, lr; beq ROW_DONE
FOUR_LOOKED_UP:
    two_looked_up; two_looked_up
    cmp r1, lr; bne FOUR_LOOKED_UP

ROW_DONE:
    mov r3, r12
    go_on 12, fourths, by_fourth, out_by_fourth
    go_on 8, thirds, by_third, out_by_third
    go_on 4, seconds, by_second, out_by_second
    go_on 0, firsts, by_first, out_by_first
    leave
    b END
GO_ON:
    ldr r0, [sp, row]; ldr r1, [sp, to]
    adds r0, r0, r4; adds r1, r1, r5
    str r0, [sp, row]; str r1, [sp, to]; b ROW

    @ First to where words are aligned, then by sixteen numbers, then what is left of r2.
IN_ONE_PIECE:
    mov r2, r8
    cmp r2, 16; bcc FEW
    rsbs r3, r1, 0
    movs r4, 3
    ands r3, r4
    subs r2, r2, r3
    cmp r3, 0; beq ALIGNED
ALIGN:
    byte_on r5
    subs r3, 1; bne ALIGN
ALIGNED:
    mov r6, r2
    movs r5, 15
    ands r2, r5
    subs r6, r6, r2; beq FEW
    adds r6, r6, r1
    mov lr, r6
    mov r10, r2
    ands r4, r0; bne SHIFT
WORDS:
    ldmia r0!, {r2, r3, r4, r5}
    stmia r1!, {r2, r3, r4, r5}
    cmp r1, lr; bne WORDS
    b LEFT
SHIFT:
    subs r0, r0, r4
    ldmia r0!, {r2}
    cmp r4, 2; beq HALF
    bhi THREE
    shifted 24, 8
    subs r0, 3; b LEFT
HALF:
    shifted 16, 16
    subs r0, 2; b LEFT
THREE:
    shifted 8, 24
    subs r0, 1
LEFT:
    mov r2, r10
FEW:
    movs r4, 15
    subs r4, r4, r2
    lsls r4, r4, 2
    subs r4, 2
    add pc, r4
    byte 14; byte 13; byte 12; byte 11; byte 10; byte 9; byte 8; byte 7
    byte 6; byte 5; byte 4; byte 3; byte 2; byte 1; byte 0
    b ROW_DONE
END:
.end

.function fill, r0, r1, r2, r3
    @ r1 is where, r2 how many, r4 the number four times.
    ldr r1, [r3, OUTPUT]; ldr r2, [r3, COUNT]
    adds r1, r1, r0
    ldr r4, [r3, PAD]
    lsls r5, r4, 8
    orrs r4, r5
    lsls r5, r4, 16
    orrs r4, r5
    mov r5, r4; mov r6, r4; mov r7, r4
    movs r0, 3
    b ALIGN
SINGLE:
    strb r4, [r1, 0]
    adds r1, 1
    subs r2, 1; beq END
ALIGN:
    tst r1, r0; bne SINGLE
    subs r2, 16; bcc FEW
SIXTEEN:
    stmia r1!, {r4, r5, r6, r7}
    subs r2, 16; bcs SIXTEEN
FEW:
    adds r2, 16; beq END
LAST:
    strb r4, [r1, 0]
    adds r1, 1
    subs r2, 1; bne LAST
END:
    movs r0, 0
.end
