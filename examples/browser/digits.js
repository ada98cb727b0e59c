// The first part of the page: what is drawn is read by the network of MNIST's digits.
const DIGITS = 10;
const reader = new Interpreter();
const rows = Array.from({ length: DIGITS }, (_, digit) => addRow(digit));
const pad = new Pad(element("pad"), (text) => (element("pen").textContent = text), look);
const ready = begin();

element("undo").onclick = () => pad.undo();
element("clear").onclick = () => pad.clear();

let looking = false;
let wanted; // what is to be read next: only the newest drawing is

function addRow(digit) {
  const row = document.createElement("li");
  row.innerHTML = `<span>${digit}</span><span class="bar"><span></span></span><span class="share">-</span>`;
  element("bars").append(row);
  return row;
}

async function begin() {
  try {
    const { version, heap } = await reader.started;
    const opened = await reader.open("mnist.bpk", bytesOf(parts.model));
    element("heap-runtime").textContent = bytesText(heap);
    element("heap-model").textContent = bytesText(opened.heap - heap);
    element("versions").textContent = `burnstore ${parts.version}, on MicroPython ${version.replace(/^.*MicroPython v?/, "")}`;
    element("answer").textContent = "Draw a digit from 0 to 9.";
  } catch (error) {
    element("answer").textContent = error.message;
    throw error;
  }
}

function look(done) {
  wanted = { strokes: pad.strokes.map((stroke) => [...stroke]), done };
  if (!looking) lookAtAll();
}

async function lookAtAll() {
  looking = true;
  try {
    await ready;
    while (wanted) {
      const { strokes, done } = wanted;
      wanted = undefined;
      if (strokes.length) show(await reader.run([imageOf(strokes)]), done && strokes.length);
      else forget();
    }
  } finally {
    looking = false;
  }
}

// strokes: how many there are, where the last has ended. Only then is the answer said, also to screen readers.
function show({ outputs, microseconds, allocated }, strokes) {
  const scores = outputs[0].map(Number);
  const most = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - most));
  const sum = shares.reduce((a, b) => a + b);
  const best = scores.indexOf(most);
  rows.forEach((row, digit) => setRow(row, shares[digit] / sum, digit === best));
  if (strokes) say(`This is a ${best} (${percent(shares[best] / sum)}).`, strokes);
  element("time").textContent = timeText(microseconds);
  element("allocated").textContent = bytesText(allocated);
}

function forget() {
  for (const row of rows) setRow(row, 0, false);
  say("Draw a digit from 0 to 9.", 0);
}

// strokes: how many of them the text is about.
function say(text, strokes) {
  element("answer").textContent = text;
  element("answer").dataset.read = strokes;
}

function setRow(row, share, isBest) {
  row.className = isBest ? "best" : "";
  row.querySelector(".bar span").style.width = `${100 * share}%`;
  row.querySelector(".share").textContent = percent(share);
}

function percent(share) {
  return `${(100 * share).toFixed(0)} %`;
}
