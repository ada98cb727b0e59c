.python
"""Convolution of each channel on its own for Armv7E-M, at its best for windows of 3 × 3."""
.end
.include "../words.inc"
.include "macros.inc"

.macro window_line even, odd            @ of a window: four numbers in r3, each less PAD, and their weights
    uxtab16 r2, r12, r3
    uxtab16 r3, r12, r3, ror 8
    products r10, r2, r3, \even, \odd
.endm

.macro next_window even, odd            @ the same numbers, one place further on
    smlad r11, r3, \even, r11
    smladx r11, r2, \odd, r11
.endm

.macro scale sum, shift, word
    asr \sum, \sum, \shift
    ssat \sum, 16, \sum
    smulbb \sum, \sum, \word
.endm

.macro round sum, shift, zero
    asrs \sum, \sum, \shift
    adc \sum, \sum, \zero
    usat \sum, 8, \sum
.endm

.macro cut_high sum, over, excess
    ldrd \over, \excess, [sp, over]
    uqadd8 \sum, \sum, \over
    sub \sum, \sum, \excess
.endm

.macro move place, step=r4, value=r0, left=r1  @ behind a place on the stack lies how many steps are left
    ldrd \value, \left, \place
    adds \value, \value, \step
    subs \left, 1
    strd \value, \left, \place
.endm

.macro next_plane
    ldrd r0, r1, [sp, x]
    adds r0, r0, r1; str r0, [sp, x]
.endm

.macro add_padding                      @ r9 × each of r7 weights from r2 on, to r5
PADDING:
    ldrsb r1, [r2], 1
    mla r5, r1, r9, r5
    subs r7, 1; bne PADDING
.endm

.function depthwise2d, r0, r1, r2, r3
    .stack 256
        first_shift     @ of this channel
        rescaling       @ its rescaling word
        zero_low        @ ZERO - LOW
        over            @ 255 - (HIGH - LOW), twice
        excess          @ 255 - HIGH, twice
        start           @ sum to begin with
        run_end         @ of this run of windows
        width
        stride          @ across
        line            @ the first of this row's windows
        line_weights    @ in the middle run
        next_run        @ of this row
        x               @ the plane
        plane           @ size of an input plane
        weights         @ of this channel
        bias            @ of this channel
        to_rescaling    @ from a bias to its rescaling word
        channels        @ left
        row             @ where a window starts
        rows            @ of outputs left
        words
        last_row        @ HEIGHT - 3
        runs_end
        spare
        runs 36         @ over the left edge, in the middle, over the right one: where in a line each starts,
                        @ where its weights lie from those in the middle, its length
        right 40        @ weights over the right edge: five lines, of which the first and the last are 0,
                        @ each as its weights 0 and 2, then 1
        middle 40       @ the same in the middle
        left 40         @ and over the left edge
        any_column = line @ of any windows: where the next one starts
        windows = line_weights @ and how many are left in this row
        place = runs    @ of the next output
        apart = runs + 4 @ from number to number in a line
        span = runs + 8 @ of a window's line
        to_line = runs + 12 @ from line to line
        last_four = runs + 16 @ where four windows inside may start at most
        all_padding = runs + 20 @ sum to begin with, as if all were PAD
        start_inside = runs + 24 @ the same as if what lies outside in this row of windows were
        lines = runs + 28 @ of a window inside
        line_end = runs + 32 @ of the first that is inside
        inside_weights = right @ of that
        next_weights = right + 4 @ of the next channel, 0 where all_padding is yet unknown
        steps = right + 8 @ from window to window × from number to number
    .end
    enter
    str r3, [sp, words]; str r1, [sp, weights]; str r2, [sp, bias]
    copy_address INPUT, x
    ldr r4, [r3, OUTPUT]
    add lr, r4, r0
    copy [r3, CHANNELS], [sp, channels]
    copy_to_rescaling
    range_of_two
    copy [r3, STRIDE_ACROSS], [sp, stride]; copy [r3, WIDTH], [sp, width], r1
    set r2, [r3, HEIGHT], r0
    muls r2, r1; str r2, [sp, plane]
    subs r0, 3; str r0, [sp, last_row]

    @ The fast way is for windows of 3 × 3 that reach over an edge by at most 1: r0 HEIGHT - 3, r1 WIDTH - 3.
    bmi ANY
    subs r1, 3; bmi ANY
    unless_nine ANY
    ldr r4, [r3, PADDING_DOWN]; ldr r5, [r3, PADDING_ACROSS]
    orr r6, r4, r5
    cmp r6, 1; bhi ANY
    unless_low_enough ANY, r7
    ldr r6, [r3, OUT_WIDTH]; ldr r7, [r3, STRIDE_ACROSS]
    subs r4, r6, 1
    muls r4, r7
    subs r4, r4, r5; subs r4, 1
    cmp r4, r1; ble RUNS
ANY:
    b ANYWAY

    @ The runs: r0 how many windows are over the left edge, r2 in the middle, r6 over the right one.
RUNS:
    mov r0, r5
    adds r2, r1, r5
    udiv r2, r2, r7
    adds r2, r2, 1
    subs r2, r2, r0; subs r6, r6, r0
    cmp r2, r6; it gt; movgt r2, r6
    subs r6, r6, r2
    add r4, sp, runs
    cmp r0, 0; beq NO_LEFT
    movs r3, 0; str r3, [r4]
    movs r3, 40; str r3, [r4, 4]
    str r7, [r4, 8]
    adds r4, 12
    subs r0, r7, r5
NO_LEFT:
    str r0, [r4]
    movs r3, 0; str r3, [r4, 4]
    muls r2, r7; str r2, [r4, 8]
    adds r4, 12
    cmp r6, 0; beq NO_RIGHT
    str r1, [r4]
    subs r3, 40; str r3, [r4, 4]
    str r7, [r4, 8]
    adds r4, 12
NO_RIGHT:
    str r4, [sp, runs_end]
    movs r0, 0; movs r1, 0
    strd r0, r1, [sp, right]; strd r0, r1, [sp, right + 32]
    strd r0, r1, [sp, middle]; strd r0, r1, [sp, middle + 32]
    strd r0, r1, [sp, left]; strd r0, r1, [sp, left + 32]
    ldr r3, [sp, words]; ldr r0, [r3, PAD]
    rsbs r0, r0, 0
    pkhbt r12, r0, r0, lsl 16

    @ A channel: its sum to begin with, r6, is as if each number were PAD, as PAD is taken from each number
    @ later.
CHANNEL:
    ldrd r7, r6, [sp, weights]
    ldr r5, [sp, to_rescaling]; ldr r0, [r6, r5]; ldr r5, [r6], 4
    str r6, [sp, bias]
    mov r6, r5
    ubfx r1, r0, 16, 5
    strd r1, r0, [sp, first_shift]
    ldr r5, [r3, PAD]
    orr r5, r5, r5, lsl 16
    add r4, sp, middle + 8
    mov r8, 3
WEIGHTS:
    ldr r0, [r7]
    adds r7, 3
    bic r0, r0, 0xFF000000
    bic r1, r0, 0xFF0000
    lsls r1, r1, 8
    lsrs r2, r0, 8
    widen_signed r3, r0
    strd r3, r0, [r4]
    products r6, r3, r0, r5, r5
    widen_signed r3, r1
    strd r3, r1, [r4, -40]
    widen_signed r3, r2
    strd r3, r2, [r4, 40]
    adds r4, 8
    subs r8, r8, 1; bne WEIGHTS
    str r7, [sp, weights]; str r6, [sp, start]
    ldr r3, [sp, words]
    copy_negative [r3, PADDING_DOWN], [sp, row]
    copy [r3, OUT_HEIGHT], [sp, rows]

    @ A row of windows. Over the upper or the lower edge, all lines are taken from inside, and the weights of
    @ one more or one less: so the line outside has no weights, and another one weights of 0.
ROW:
    ldr r0, [sp, row]; ldr r1, [sp, last_row]
    mov r2, r0
    cmp r2, 0; it lt; movlt r2, 0
    cmp r2, r1; it gt; movgt r2, r1
    subs r3, r2, r0
    lsls r3, r3, 3
    adds r3, middle + 8
    add r3, sp, r3; str r3, [sp, line_weights]
    ldr r1, [sp, width]; ldr r3, [sp, x]
    mla r2, r1, r2, r3; str r2, [sp, line]
    add r3, sp, runs

    @ A run of windows: r0 and r1, r1 × 2 behind it three lines, r4-r9 their weights.
RUN:
    ldmia.w r3!, {r0, r1, r2}
    str r3, [sp, next_run]
    cmp r2, 0; beq.w NEXT_RUN
    ldrd r4, r5, [sp, line]
    adds r1, r1, r5; adds r0, r0, r4; adds r2, r2, r0; str r2, [sp, run_end]
    ldm r1, {r4, r5, r6, r7, r8, r9}
    ldr r1, [sp, width]
    unless [sp, stride], 1, ONE, r11
    subs r2, 1; str r2, [sp, run_end]
    cmp r0, r2; beq ONE

    @ Two windows, one number apart: of a line's four numbers, r2 are 0 and 2, r3 1 and 3, each less PAD.
TWO:
    set r11, [sp, start], r10
    ldr r3, [r0]
    window_line r4, r5
    next_window r4, r5
    ldr r3, [r0, r1]
    window_line r6, r7
    next_window r6, r7
    ldr r3, [r0, r1, lsl 1]
    window_line r8, r9
    next_window r8, r9
    @ The sums become outputs at lr.
    ldrd r2, r3, [sp, first_shift]
    scale r10, r2, r3
    scale r11, r2, r3
    lsrs r3, r3, 24
    ldr r2, [sp, zero_low]
    round r10, r3, r2
    round r11, r3, r2
    orr r10, r10, r11, lsl 8
    cut_high r10, r2, r3
    strh r10, [lr], 2
    adds r0, 2
    ldr r2, [sp, run_end]
    cmp r0, r2; bcc TWO; bne NEXT_RUN
    ldr r11, [sp, stride]

    @ One window: r11 is where the next starts.
ONE:
    ldr r10, [sp, start]; ldr r3, [r0]
    window_line r4, r5
    ldr r3, [r0, r1]
    window_line r6, r7
    ldr r3, [r0, r1, lsl 1]
    window_line r8, r9
    ldrd r2, r3, [sp, first_shift]
    scale r10, r2, r3
    lsrs r3, r3, 24
    ldr r2, [sp, zero_low]
    round r10, r3, r2
    cut_high r10, r2, r3
    strb r10, [lr], 1
    add r0, r11
    ldr r2, [sp, run_end]
    cmp r0, r2; bcc ONE

NEXT_RUN:
    ldr r3, [sp, next_run]; ldr r2, [sp, runs_end]
    cmp r3, r2; bne.w RUN
    ldr r3, [sp, words]; ldr r0, [r3, STRIDE_DOWN]
    move [sp, row], r0, r1, r2; bne.w ROW
    next_plane
    count_down [sp, channels], r0; bne.w CHANNEL; b DONE

    @ Any window: four at once where they lie inside side by side, else one. Of each, only what lies inside is
    @ walked over. `start_inside` is the sum to begin with where all lines lie inside; where not, and for one
    @ window, it is as if all numbers were PAD, which is then taken from each.
ANYWAY:
    str lr, [sp, place]
    ldrd r4, r5, [sp, over]
    orr r4, r4, r4, lsl 16; orr r5, r5, r5, lsl 16
    strd r4, r5, [sp, over]
    ldr r1, [sp, width]; ldr r4, [r3, KERNEL_ACROSS]; ldr r5, [r3, DILATION_ACROSS]
    str r5, [sp, apart]
    muls r4, r5
    str r4, [sp, span]
    subs r4, r1, r4; adds r4, r4, r5; subs r4, 1
    ldr r5, [sp, stride]
    add r6, r5, r5, lsl 1
    subs r4, r4, r6; str r4, [sp, last_four]
    ldr r4, [sp, apart]
    muls r4, r5
    str r4, [sp, steps]
    ldr r4, [r3, DILATION_DOWN]
    muls r4, r1
    str r4, [sp, to_line]
ANY_CHANNEL:
    ldr r6, [sp, bias]; ldr r4, [sp, to_rescaling]; ldr r0, [r6, r4]
    ldr r5, [r6], 4
    str r6, [sp, bias]; str r5, [sp, start]
    ubfx r1, r0, 16, 5
    strd r1, r0, [sp, first_shift]
    movs r4, 0; str r4, [sp, next_weights]
    copy_negative [r3, PADDING_DOWN], [sp, row]
    copy [r3, OUT_HEIGHT], [sp, rows]

    @ A row of windows.
ANY_ROW:
    ldr r4, [sp, row]; ldr r5, [r3, DILATION_DOWN]; ldr r6, [r3, KERNEL_DOWN]
    ldr r7, [r3, HEIGHT]; ldr r0, [sp, weights]; ldr r2, [r3, KERNEL_ACROSS]
    keep_inside r7, r0, r2
    str r0, [sp, inside_weights]; str r6, [sp, lines]
    ldr r1, [sp, width]; ldr r5, [sp, x]
    mla r4, r4, r1, r5
    ldr r5, [sp, span]
    adds r4, r4, r5; str r4, [sp, line_end]
    ldr r5, [sp, start]; ldr r4, [r3, KERNEL_DOWN]
    cmp r4, r6; beq WHOLE
    bl PADDED
    ldr r7, [r3, PAD]; ldr r1, [r3, KERNEL_ACROSS]
    rsbs r7, r7, 0
    mov r9, r7; mov r7, r6; mov r2, r0
    muls r7, r1
    add_padding
WHOLE:
    str r5, [sp, start_inside]
    copy_negative [r3, PADDING_ACROSS], [sp, any_column]
    copy [r3, OUT_WIDTH], [sp, windows]

ANY_WINDOW:
    ldrd r4, r1, [sp, any_column]
    ldr r2, [sp, last_four]; ldr r6, [sp, stride]
    cmp r4, 0; blt.w ONE_WINDOW
    cmp r4, r2; bgt FEW
    cmp r1, 4; bcs FOUR_WINDOWS

    @ Where two or three are left, some from before are computed once more.
FEW:
    add r5, r2, r6, lsl 1
    cmp r4, r5; bgt.w ONE_WINDOW
    cmp r4, r6, lsl 1; blt.w ONE_WINDOW
    cmp r1, 2; bcc.w ONE_WINDOW
    ldr r5, [sp, place]
BACK:
    subs r4, r4, r6; subs r5, 1
    adds r1, 1
    cmp r4, r2; bgt BACK
    cmp r1, 4; bcc BACK
    str r5, [sp, place]
    strd r4, r1, [sp, any_column]

    @ Four windows: r0 their weights, r1-r4 where their lines end, r5 from there to a number, lr from number
    @ to number, r8-r11 the sums, r12 lines left.
FOUR_WINDOWS:
    ldr r1, [sp, line_end]
    adds r1, r1, r4; adds r2, r1, r6; adds r3, r2, r6
    adds r4, r3, r6
    ldr r8, [sp, start_inside]; ldr r12, [sp, lines]; ldr lr, [sp, apart]
    mov r9, r8; mov r10, r8; mov r11, r8
    ldr r0, [sp, inside_weights]
FOUR_LINES:
    ldr r5, [sp, span]; ldr r6, [sp, steps]
    rsbs r5, r5, 0
    cmp r6, 1; bne FOUR_NUMBERS
    @ Where all steps are 1, four numbers of each at once: r2 and lr their weights. Each pair of numbers two
    @ apart is of two windows.
    adds r7, r5, 4; bgt REST
FOUR_BY_FOUR:
    widen_weights lr, r2, r0
    ldr r6, [r1, r5]
    uxtb16 r7, r6
    smlad r8, r7, lr, r8
    uxtb16 r6, r6, ror 8
    smlad r8, r6, r2, r8; smlad r9, r6, lr, r9
    ldr r7, [r3, r5]
    uxtb16 r6, r7
    smlad r9, r6, r2, r9; smlad r10, r6, lr, r10
    uxtb16 r7, r7, ror 8
    smlad r10, r7, r2, r10; smlad r11, r7, lr, r11
    ldr r6, [r4, r5]
    uxtb16 r6, r6, ror 8
    smlad r11, r6, r2, r11
    adds r5, 4
    adds r7, r5, 4; ble FOUR_BY_FOUR
    mov lr, 1
    adds r2, r1, 1
REST:
    cmp r5, 0; beq FOUR_DONE
FOUR_NUMBERS:
    ldrsb r7, [r0], 1
    ldrb r6, [r1, r5]
    mla r8, r6, r7, r8
    ldrb r6, [r2, r5]
    mla r9, r6, r7, r9
    ldrb r6, [r3, r5]
    mla r10, r6, r7, r10
    ldrb r6, [r4, r5]
    mla r11, r6, r7, r11
    adds r5, r5, lr; bne FOUR_NUMBERS
FOUR_DONE:
    ldr r6, [sp, to_line]
    adds r1, r1, r6; adds r2, r2, r6; adds r3, r3, r6
    adds r4, r4, r6
    subs r12, r12, 1; bne FOUR_LINES
    ldrd r2, r3, [sp, first_shift]
    scale r8, r2, r3; scale r9, r2, r3; scale r10, r2, r3
    scale r11, r2, r3
    lsrs r3, r3, 24
    ldr r2, [sp, zero_low]
    round r8, r3, r2; round r9, r3, r2; round r10, r3, r2
    round r11, r3, r2
    orr r8, r8, r9, lsl 8; orr r8, r8, r10, lsl 16
    orr r8, r8, r11, lsl 24
    cut_high r8, r2, r3
    ldr r4, [sp, place]
    str r8, [r4, 0]
    adds r4, 4; str r4, [sp, place]
    ldr r3, [sp, words]; ldr r4, [sp, stride]
    ldrd r0, r1, [sp, any_column]
    add r0, r0, r4, lsl 2
    subs r1, 4
    strd r0, r1, [sp, any_column]; bne.w ANY_WINDOW; b ANY_ROW_DONE

    @ One window: r0 its weights, r1 where its line ends, r5 from there to a number, lr from number to number,
    @ r8 what of a line's weights is left out, r9 PAD, r10 the sum, r12 lines left.
ONE_WINDOW:
    ldr r5, [sp, apart]; ldr r6, [r3, KERNEL_ACROSS]; ldr r7, [sp, width]
    ldr r0, [sp, inside_weights]
    mov r8, r6
    keep_inside r7, r0
    ldr r10, [sp, start_inside]
    mov r9, 0
    subs r8, r8, r6; beq ALL_INSIDE
    bl PADDED
    mov r10, r5
ALL_INSIDE:
    ldr r5, [sp, apart]
    mov lr, r5
    muls r6, r5
    ldr r1, [sp, line_end]; ldr r2, [sp, span]
    subs r1, r1, r2; adds r1, r1, r4; adds r1, r1, r6
    rsbs r2, r6, 0
    ldr r12, [sp, lines]
    ldr r4, [sp, to_line]
ONE_LINE:
    mov r5, r2
ONE_NUMBER:
    ldrb r6, [r1, r5]
    sub r6, r6, r9
    ldrsb r7, [r0], 1
    mla r10, r6, r7, r10
    adds r5, r5, lr; bne ONE_NUMBER
    add r0, r8
    adds r1, r1, r4
    subs r12, r12, 1; bne ONE_LINE
    ldrd r0, r1, [sp, first_shift]
    scale r10, r0, r1
    lsrs r1, r1, 24
    ldr r0, [sp, zero_low]
    round r10, r1, r0
    cut_high r10, r0, r1
    ldr r4, [sp, place]
    strb r10, [r4], 1
    str r4, [sp, place]; ldr r4, [sp, stride]
    move [sp, any_column]; bne.w ANY_WINDOW

ANY_ROW_DONE:
    ldr r4, [r3, STRIDE_DOWN]
    move [sp, row]; bne.w ANY_ROW
    ldr r4, [r3, KERNEL_DOWN]
    times r4, [r3, KERNEL_ACROSS]
    increase [sp, weights], r4, r0
    next_plane
    count_down [sp, channels], r0; bne.w ANY_CHANNEL; b DONE

    @ r5 becomes the sum to begin with as if all were PAD, r9 PAD: found out once a channel, where that is
    @ asked.
PADDED:
    ldr r9, [r3, PAD]; ldr r2, [sp, next_weights]; ldr r5, [sp, all_padding]
    cmp r2, 0; bne KNOWN
    ldr r2, [sp, weights]; ldr r5, [sp, start]; ldr r7, [r3, KERNEL_DOWN]
    times r7, [r3, KERNEL_ACROSS], r1
    add_padding
    str r5, [sp, all_padding]; str r2, [sp, next_weights]
KNOWN:
    bx lr

DONE:
    leave
.end
