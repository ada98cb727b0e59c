// A MicroPython in a worker, made of the parts that build.py put into the page.
const parts = JSON.parse(document.getElementById("parts").textContent);
const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
const element = (id) => document.getElementById(id);

class Interpreter {
  constructor() {
    const source = new Blob([parts.worker], { type: "text/javascript" });
    this.worker = new Worker(URL.createObjectURL(source));
    this.waiting = new Map();
    this.asked = 0;
    this.ended = false;
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => this.end(`MicroPython does not start here: ${event.message}`);
    this.started = this.ask("start", {
      wasm: bytesOf(parts.wasm),
      runtime: bytesOf(parts.runtime),
      program: parts.program,
    });
    this.started.catch(() => {}); // whoever asks for something learns of it
  }

  // Returns what worker.js answers to `name`. Rejects with an error whose message is one line for the user.
  ask(name, value) {
    if (this.ended) return Promise.reject(new Error("MicroPython has ended"));
    const number = this.asked++;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      this.worker.postMessage({ number, name, value });
    });
  }

  async open(name, bytes) {
    await this.started;
    return this.ask("open", { name, bytes });
  }

  run(values) {
    return this.ask("run", values);
  }

  hear({ number, answer, fault, ended }) {
    const { resolve, reject } = this.waiting.get(number);
    this.waiting.delete(number);
    if (fault === undefined) resolve(answer);
    else reject(new Error(fault));
    if (ended) this.end(fault);
  }

  // Ends the worker, whatever it does.
  end(reason) {
    this.worker.terminate();
    this.ended = true;
    for (const { reject } of this.waiting.values()) reject(new Error(reason));
    this.waiting.clear();
  }
}

function timeText(microseconds) {
  if (microseconds < 1e6) return `${(microseconds / 1e3).toFixed(1)} ms`;
  return `${(microseconds / 1e6).toFixed(1)} s`;
}

const bytesText = (count) => `${count.toLocaleString("en")} ${count === 1 ? "byte" : "bytes"}`;
const shapeText = (shape) => shape.join(" × ");
