// The computer's end of the USB cable: a serial port over rp2040js's enumeration of the device.
import { USBCDC } from "rp2040js";

export class UsbHost {
  // say(bytes) is called with what the board sends, connected() once the port is open.
  constructor(chip, say, connected) {
    this.queue = Buffer.alloc(0);
    this.wanted = 0; // bytes that the board has room for, in a transfer that is not answered yet
    this.usb = chip.usbCtrl;
    this.serial = new USBCDC(this.usb);
    this.serial.onSerialData = say;
    this.serial.onDeviceConnected = connected;
    // rp2040js answers each transfer at once, with nothing if need be: the board would do little but ask again.
    this.usb.onEndpointRead = (endpoint, size) => {
      if (endpoint !== this.serial.outEndpoint) return;
      this.wanted = size;
      this.answer();
    };
  }

  // Puts bytes into the queue for the board.
  send(bytes) {
    this.queue = Buffer.concat([this.queue, bytes]);
    this.answer();
  }

  answer() {
    if (!this.wanted || !this.queue.length) return;
    const packet = this.queue.subarray(0, this.wanted);
    this.queue = this.queue.subarray(packet.length);
    this.wanted = 0;
    this.usb.endpointReadDone(this.serial.outEndpoint, packet);
  }
}
