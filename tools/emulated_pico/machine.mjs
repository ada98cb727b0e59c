// Runs a Pico's firmware, as `node machine.mjs BOOTROM FLASH TELL`: what the host sends over USB is read from
// standard input, and what the board says goes to standard output.
//
// BOOTROM: the 16 KB of the RP2040's boot ROM. FLASH: the descriptor of a file with the flash, which is kept up
// to date. TELL: a descriptor on which "connected" says that the firmware has opened its serial port.
import fs from "node:fs";
import { ConsoleLogger, LogLevel, RP2040 } from "rp2040js";
import { Counters, COUNTERS_PERIPHERAL } from "./counters.mjs";
import { FlashRoutines } from "./flash_routines.mjs";
import { UsbHost } from "./usb_host.mjs";

const STAGE_TWO = 0x10000000; // where the boot ROM jumps to, after a check of the flash that is left out
const TURN = 250_000; // steps between two looks at standard input
const NANOS_PER_MILLISECOND = 1e6;

console.warn = () => {}; // rp2040js's word on registers that it lacks, such as those of the second core

const bootrom = fs.readFileSync(process.argv[2]);
const [flash, tell] = process.argv.slice(3).map(Number);
let board; // {chip, host, counters, restarts}
let isTold = false; // whether TELL has been told; a board that was reset connects anew
let timer = null; // set while the board waits for what comes next

function powerOn() {
  const chip = new RP2040();
  chip.logger = new ConsoleLogger(LogLevel.Error, true);
  chip.loadBootrom(new Uint32Array(bootrom.buffer, bootrom.byteOffset, bootrom.length / 4));
  fs.readSync(flash, chip.flash, 0, chip.flash.length, 0);
  const counters = new Counters(chip);
  chip.peripherals[COUNTERS_PERIPHERAL] = counters;
  board = { chip, counters, host: new UsbHost(chip, say, connected), restarts: false };
  const restart = () => (board.restarts = true);
  const routines = new FlashRoutines(chip, flash, restart);
  chip.onBreak = (number) => routines.called(number) || stop("it ran into a breakpoint, as after a panic");
  chip.peripherals[0x40058].onWatchdogTrigger = restart;
  chip.core.PC = STAGE_TWO;
}

// One turn of the board, which ends early where it has nothing to do before a moment to come.
function run() {
  timer = null;
  const { chip, counters } = board;
  const { core, clock } = chip;
  const nanosPerCycle = 1e9 / chip.clkSys;
  for (let step = 0; step < TURN && !board.restarts; step++) {
    if (core.waiting) {
      const nanos = clock.nextAlarm ? clock.nanosToNextAlarm : Infinity;
      if (nanos > NANOS_PER_MILLISECOND) return wait(nanos);
      clock.tick(nanos);
    } else {
      clock.tick(core.executeInstruction() * nanosPerCycle);
      counters.instructions++;
    }
  }
  if (board.restarts) powerOn();
  if (!process.stdout.writableNeedDrain) setImmediate(guarded);
}

// Sleeps as long as the board does, or until the host sends something.
function wait(nanos) {
  const { clock } = board.chip;
  const start = performance.now();
  const wake = () => {
    const passed = (performance.now() - start) * NANOS_PER_MILLISECOND;
    clock.tick(Math.min(passed, nanos));
    guarded();
  };
  timer = { wake, handle: nanos === Infinity ? null : setTimeout(wake, nanos / NANOS_PER_MILLISECOND) };
}

function guarded() {
  try {
    run();
  } catch (error) {
    stop(error.message);
  }
}

function stop(reason) {
  const place = (board.chip.core.PC >>> 0).toString(16);
  console.error("the board stopped at address 0x%s: %s", place, reason);
  process.exit(1);
}

function say(bytes) {
  process.stdout.write(Buffer.from(bytes));
}

function connected() {
  if (!isTold) fs.writeSync(tell, "connected\n");
  isTold = true;
}

process.stdin.on("data", (bytes) => {
  board.host.send(bytes);
  if (timer) {
    clearTimeout(timer.handle);
    const { wake } = timer;
    timer = null;
    wake();
  }
});
process.stdin.on("end", () => process.exit(0));
process.stdout.on("drain", () => setImmediate(guarded));
powerOn();
guarded();
