// The boot ROM's routines that write flash, done by the emulator: rp2040js has no flash chip to talk to.
import fs from "node:fs";

const FUNCTION_TABLE = 0x14; // where the boot ROM keeps a pointer to rows of two letters and an address
const BREAKPOINT = 0xbe00; // BKPT, with a number in the lower byte
const RETURN = 0x4770; // BX LR
const FIRST = 0x40; // the number of the first routine's breakpoint
const CODES = ["IF", "EX", "RE", "RP", "FC", "CX", "UB"];

export class FlashRoutines {
  // file: the descriptor of the file that keeps the flash. restart: called by what would be the boot loader.
  constructor(chip, file, restart) {
    this.chip = chip;
    this.file = file;
    this.restart = restart;
    const words = new Uint16Array(chip.bootrom.buffer);
    for (let row = words[FUNCTION_TABLE / 2] / 2; words[row]; row += 2) {
      const number = CODES.indexOf(String.fromCharCode(words[row] & 255, words[row] >> 8));
      if (number >= 0) words.set([BREAKPOINT | (FIRST + number), RETURN], words[row + 1] >> 1);
    }
  }

  // Does what the routine with this breakpoint should do; returns false where the breakpoint is no routine's.
  called(number) {
    const code = CODES[number - FIRST];
    const [first, second, third] = this.chip.core.registers;
    if (code === "RE") this.write(first, new Uint8Array(second).fill(0xff));
    if (code === "RP") this.program(first, second, third);
    if (code === "UB") this.restart();
    return code !== undefined;
  }

  // Clears bits, as programming does: none becomes 1 without being erased.
  program(offset, source, size) {
    const data = this.chip.flash.slice(offset, offset + size);
    for (let at = 0; at < size; at++) data[at] &= this.chip.readUint8(source + at);
    this.write(offset, data);
  }

  write(offset, data) {
    this.chip.flash.set(data, offset);
    fs.writeSync(this.file, data, 0, data.length, offset);
  }
}
