// Runs one script on the WebAssembly build of MicroPython, as `node run.mjs OPTIONS -- SCRIPT [ARG...]`.
//
//   --heap BYTES   what the heap starts with; this build lets it grow
//   --mount PATH   a file or folder of the host, copied to the same place in the interpreter's file system;
//                  what the script writes there stays in the interpreter
//   --path PATH    an entry for sys.path
//
// This build collects garbage only when no Python code is on the stack. A script is therefore run in steps,
// which end at each line that begins with `gc.collect()`: such a line does on this interpreter what it says.
import fs from "node:fs";
import path from "node:path";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript";

const PASSED_OVER = new Set([".git", ".venv", "__pycache__", "node_modules"]);

function parse(words) {
  const options = { heap: 2 << 20, mounts: [], paths: [] };
  const take = {
    "--heap": (value) => (options.heap = Number(value)),
    "--mount": (value) => options.mounts.push(value),
    "--path": (value) => options.paths.push(value),
  };
  while (words.length && words[0] !== "--") {
    take[words.shift()](words.shift());
  }
  return { ...options, argv: words.slice(1) };
}

function copyIn(FS, source) {
  const what = fs.statSync(source);
  if (what.isFile()) {
    FS.mkdirTree(path.dirname(source));
    FS.writeFile(source, fs.readFileSync(source));
  } else if (what.isDirectory()) {
    FS.mkdirTree(source);
    fillWhenAsked(FS, source);
  }
}

// A folder's files are copied when the interpreter first looks for a name in it: most folders are never asked, and
// copying them all takes longer than a short script.
function fillWhenAsked(FS, folder) {
  const { node } = FS.lookupPath(folder);
  const plain = node.node_ops;
  const fill = () => {
    node.node_ops = plain;
    for (const name of fs.readdirSync(folder)) {
      if (!PASSED_OVER.has(name)) copyIn(FS, path.join(folder, name));
    }
  };
  node.node_ops = {
    ...plain,
    lookup: (parent, name) => (fill(), FS.lookupNode(parent, name)),
    readdir: (parent) => (fill(), plain.readdir(parent)),
  };
}

// Writes all of it before going on, so that what was printed before a crash is seen.
function writer(descriptor) {
  return (bytes) => {
    let done = 0;
    while (done < bytes.length) {
      try {
        done += fs.writeSync(descriptor, bytes, done);
      } catch (error) {
        if (error.code !== "EAGAIN") throw error; // a full pipe: try again
      }
    }
  };
}

// Collects single characters into lines: one system call each would be slow.
function lines(write) {
  let held = [];
  const flush = () => {
    if (held.length) write(Uint8Array.from(held));
    held = [];
  };
  const put = (bytes) => {
    for (const byte of bytes) {
      held.push(byte);
      if (byte === 10) flush();
    }
  };
  return { put, flush };
}

// The parts of `text` that end in a collection, each behind as many empty lines as come before it in the file.
function steps(text) {
  const parts = [];
  let part = "";
  let passed = 0;
  text.split("\n").forEach((line, number) => {
    part += line + "\n";
    if (line.startsWith("gc.collect()")) {
      parts.push("\n".repeat(passed) + part);
      part = "";
      passed = number + 1;
    }
  });
  parts.push("\n".repeat(passed) + part);
  return parts;
}

// What `sys.exit(value)` means to a shell: the interpreter hands over only the text of the value.
function exitCode(message, put) {
  const value = /SystemExit: ?(.*)\s*$/.exec(message)?.[1] ?? "";
  if (value === "" || value === "None" || value === "False") return 0;
  if (value === "True") return 1;
  if (/^-?\d+$/.test(value)) return Number(value) & 255;
  put(Buffer.from(value + "\n"));
  return 1;
}

const { heap, mounts, paths, argv } = parse(process.argv.slice(2));
const [stdout, stderr] = [lines(writer(1)), lines(writer(2))];
const mp = await loadMicroPython({
  heapsize: heap,
  linebuffer: false,
  stdout: stdout.put,
  stderr: stderr.put,
});
const [script, text] = [argv[0], fs.readFileSync(argv[0], "utf8")];
for (const source of [...mounts, script]) copyIn(mp.FS, source);
mp.FS.mkdirTree(process.cwd());
mp.FS.chdir(process.cwd());
mp.runPython(
  `import sys\nsys.path[:] = ${JSON.stringify([path.dirname(script), ...paths])}\n` +
    `sys.argv[:] = ${JSON.stringify(argv)}\ndel sys`,
);
let code = 0;
try {
  for (const step of steps(text)) {
    mp.FS.writeFile(script, step);
    mp.runPython(`execfile(${JSON.stringify(script)})`);
  }
} catch (error) {
  if (error.name !== "PythonError") throw error;
  if (error.type === "SystemExit") code = exitCode(error.message, stderr.put);
  else {
    stderr.put(Buffer.from(error.message));
    code = 1;
  }
}
stdout.flush();
stderr.flush();
process.exitCode = code;
