// MicroPython in a thread of its own: the page stays quick while a model runs, and can stop it.
// build.py puts this behind the text of micropython.mjs, which has `loadMicroPython`.
//
// MicroPython collects garbage in a browser only when no Python code is on the stack: a text that ends in
// `gc.collect()` does so at its end, and nothing else of Python runs meanwhile.
const HEAP = 1 << 20; // bytes that the heap begins with; it grows where a model needs more

let mp;
let before; // bytes of the heap in use before the runtime is imported

function collect() {
  mp.runPython("gc.collect()");
  return mp.pyimport("gc").mem_alloc();
}

const answers = {
  async start({ wasm, runtime, program }) {
    const url = URL.createObjectURL(new Blob([wasm], { type: "application/wasm" }));
    mp = await loadMicroPython({ heapsize: HEAP, url });
    mp.FS.writeFile("/burnrt.mpy", runtime);
    mp.FS.writeFile("/page.py", program);
    mp.runPython("import gc, sys\nsys.path[:] = ['/']");
    before = collect();
    mp.runPython("import page");
    return { version: mp.pyimport("sys").version, heap: collect() - before };
  },
  open({ name, bytes }) {
    mp.FS.writeFile(name, bytes);
    try {
      const told = JSON.parse(mp.pyimport("page").opened(name));
      return { ...told, heap: collect() - before };
    } finally {
      mp.FS.unlink(name);
    }
  },
  run(values) {
    try {
      return JSON.parse(mp.pyimport("page").run(JSON.stringify(values)));
    } finally {
      collect();
    }
  },
};

// Of an error of Python, its last line without the class; of others, that the interpreter is of no more use.
function fault(error) {
  if (error.name !== "PythonError") return { fault: `MicroPython ended: ${error.message ?? error}`, ended: true };
  const line = error.message.trim().split("\n").pop();
  return { fault: line.replace(/^(Malformed|ValueError|OSError): /, "") };
}

onmessage = async ({ data: { number, name, value } }) => {
  try {
    postMessage({ number, answer: await answers[name](value) });
  } catch (error) {
    postMessage({ number, ...fault(error) });
  }
};
