// The second part of the page: a file of the user's own, in a MicroPython of its own.
const SHOWN = 1000; // numbers of an output that are written out
let runner; // the interpreter that has the file opened
let chosen; // the file: { name, bytes }
let model; // what goes in and out of it

element("file").onchange = () => take(element("file").files);
element("own").onsubmit = (event) => (event.preventDefault(), runOwn());
element("stop").onclick = () => runner.end("Stopped.");
for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
  addEventListener(name, (event) => {
    event.preventDefault();
    document.body.classList.toggle("over", name.startsWith("drage") || name === "dragover");
    if (name === "drop") take(event.dataTransfer.files);
  });
}

async function take(files) {
  if (!files.length) return;
  await told(async () => {
    element("own").hidden = true;
    element("outputs").replaceChildren();
    const name = files[0].name.replace(/[^\w.-]/g, "_");
    chosen = { name: name.includes(".") ? name : `${name}.bpk`, bytes: new Uint8Array(await files[0].arrayBuffer()) };
    await open();
    describe();
  });
  element("file").value = ""; // so that the same file can be chosen again
}

// Does something, and shows the one line of what went wrong.
async function told(action) {
  element("fault").textContent = "";
  try {
    await action();
  } catch (error) {
    element("state").textContent = "";
    element("fault").textContent = error.message;
  }
}

async function open() {
  if (!runner || runner.ended) runner = new Interpreter();
  const { heap } = await runner.started;
  model = await runner.open(chosen.name, chosen.bytes);
  model.heap -= heap;
}

function describe() {
  element("name").textContent = chosen.name;
  const states = model.states ? ` It keeps ${model.states} states from a run to the next.` : "";
  element("about").textContent =
    `${bytesText(chosen.bytes.length)}, ${bytesText(model.heap)} of heap, ${model.steps} steps; ` +
    `out: ${model.outputs.map(endText).join("; ")}.${states}`;
  element("inputs").replaceChildren(...model.inputs.map(inputOf));
  element("state").textContent = "";
  element("own").hidden = false;
  element("name").focus();
}

function rangeOf({ scale, zero }) {
  return scale === null ? [0, 1] : [-zero * scale, (255 - zero) * scale];
}

function endText(end) {
  if (end.scale === null) return `${shapeText(end.shape)} floats`;
  return `${shapeText(end.shape)} bytes for ${rangeOf(end).map((value) => +value.toPrecision(4)).join(" to ")}`;
}

const sizeOf = (end) => end.shape.reduce((a, b) => a * b, 1);

function inputOf(end, number) {
  const box = document.createElement("fieldset");
  box.innerHTML = `<legend></legend><label></label><textarea spellcheck="false"></textarea>
    <p class="row"><button type="button">Zeros</button><button type="button">Random</button></p>`;
  const [text, label, buttons] = [box.querySelector("textarea"), box.querySelector("label"), box.querySelectorAll("button")];
  text.id = `input-${number}`;
  label.htmlFor = text.id;
  label.textContent = `${sizeOf(end).toLocaleString("en")} numbers, row by row`;
  box.querySelector("legend").textContent = `Input ${number + 1}: ${endText(end)}`;
  const fill = (value) => (text.value = Array.from({ length: sizeOf(end) }, value).join(", "));
  const [low, high] = rangeOf(end);
  buttons[0].onclick = () => fill(() => 0);
  buttons[1].onclick = () => fill(() => +(low + (high - low) * Math.random()).toPrecision(4));
  fill(() => 0);
  return box;
}

function numbersOf(end, number) {
  const words = element(`input-${number}`).value.split(/[\s,;[\]]+/).filter(Boolean);
  const odd = words.find((word) => !Number.isFinite(Number(word)));
  if (odd !== undefined) throw new Error(`Input ${number + 1}: ${odd.slice(0, 40)} is no number.`);
  if (words.length !== sizeOf(end)) {
    throw new Error(`Input ${number + 1} takes ${sizeOf(end)} numbers, and here are ${words.length}.`);
  }
  return words.map(Number);
}

async function runOwn() {
  await told(async () => {
    const values = model.inputs.map(numbersOf);
    busy(true);
    try {
      if (runner.ended) await open();
      tell(await runner.run(values));
    } finally {
      busy(false);
    }
  });
}

function busy(isBusy) {
  element("run").disabled = isBusy;
  element("stop").hidden = !isBusy;
  if (isBusy) element("state").textContent = "It runs.";
}

function tell({ outputs, microseconds, allocated }) {
  element("state").textContent =
    `It took ${timeText(microseconds)} and allocated ${bytesText(allocated)}. ` +
    outputs.map((numbers, number) => `Output ${number + 1}: the largest number is at ${largest(numbers)}.`).join(" ");
  element("outputs").replaceChildren(...outputs.map(outputOf));
}

function largest(numbers) {
  const values = numbers.map(Number);
  return values.reduce((best, value, place) => (value > values[best] ? place : best), 0);
}

function outputOf(numbers, number) {
  const box = document.createElement("div");
  box.innerHTML = "<h3></h3><p class='numbers' tabindex='0' role='group'></p>";
  const title = `Output ${number + 1}: ${endText(model.outputs[number])}`;
  box.querySelector("h3").textContent = title;
  const text = box.querySelector("p");
  text.ariaLabel = title;
  const rest = numbers.length - SHOWN;
  text.textContent = numbers.slice(0, SHOWN).join(", ") + (rest > 0 ? `, and ${rest} more` : "");
  return box;
}
