// Two counters that a program on the board reads, and sets to zero by writing, at addresses that a chip leaves
// unused: cycles at 0x40068000, and instructions at 0x40068004. Cycles in which the processor waits don't count.
import { BasePeripheral } from "rp2040js";

export const COUNTERS_PERIPHERAL = 0x40068;
const CYCLES = 0;
const INSTRUCTIONS = 4;

export class Counters extends BasePeripheral {
  constructor(chip) {
    super(chip, "COUNTERS");
    this.instructions = 0;
    this.start = { [CYCLES]: 0, [INSTRUCTIONS]: 0 };
  }

  now(offset) {
    return offset === CYCLES ? this.rp2040.core.cycles : this.instructions;
  }

  readUint32(offset) {
    return offset in this.start ? (this.now(offset) - this.start[offset]) >>> 0 : super.readUint32(offset);
  }

  writeUint32(offset) {
    this.start[offset] = this.now(offset);
  }
}
