// Strokes drawn with a pointer or with keys, and the image of them that MNIST's networks expect.
const PEN = 20; // width of a line on the pad, in its pixels
const KEY_STEP = 14; // pixels that a key moves the pen by
const KEYS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  Home: [-1, -1], PageUp: [1, -1], End: [-1, 1], PageDown: [1, 1],
};

// MNIST scales a digit until it fits into 20 by 20 pixels, and puts its centre of mass into the middle of 28 by 28.
const IMAGE = 28;
const BOX = 20;
const IMAGE_PEN = 2.6; // width of a line there
const FINE = 8; // each pixel is the mean of FINE by FINE smaller ones
const SMALLEST = 40; // pixels of the pad that are scaled to the box at the most: a dot stays a dot

class Pad {
  // changed(done): called whenever there is more or less ink; done: whether a stroke has ended.
  constructor(canvas, say, changed) {
    Object.assign(this, { canvas, say, changed, strokes: [], down: false });
    this.middle();
    canvas.addEventListener("pointerdown", (event) => this.begin(event));
    canvas.addEventListener("pointermove", (event) => this.follow(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => this.lift());
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("focus", () => this.paint());
    canvas.addEventListener("blur", () => this.lift());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
    this.paint();
  }

  middle() {
    this.pen = [this.canvas.width / 2, this.canvas.height / 2];
  }

  place(event) {
    const frame = this.canvas.getBoundingClientRect();
    const scale = this.canvas.width / frame.width;
    return [(event.clientX - frame.left) * scale, (event.clientY - frame.top) * scale];
  }

  begin(event) {
    if (event.button || this.down) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.pointer = event.pointerId;
    this.lower(this.place(event));
  }

  follow(event) {
    if (!this.down || event.pointerId !== this.pointer) return;
    const events = event.getCoalescedEvents?.() ?? [];
    for (const each of events.length ? events : [event]) this.extend(this.place(each));
    this.draw(false);
  }

  lower(point) {
    this.down = true;
    this.pen = point;
    this.strokes.push([point]);
    this.draw(false);
  }

  extend(point) {
    this.pen = point;
    this.strokes.at(-1).push(point);
  }

  lift() {
    const ended = this.down;
    this.down = false;
    this.pointer = undefined;
    if (ended) this.draw(true);
    else this.paint();
  }

  undo() {
    this.down = false;
    this.strokes.pop();
    this.draw(true);
  }

  clear() {
    this.down = false;
    this.strokes = [];
    this.middle();
    this.draw(true);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in KEYS) this.step(KEYS[event.key]);
    else if (event.key === " ") this.toggle();
    else if (event.key === "Backspace") this.undo();
    else if (event.key === "Escape") this.clear();
    else return;
    event.preventDefault();
  }

  toggle() {
    if (this.down) this.lift();
    else this.lower(this.pen);
    this.say(this.down ? "The pen is down" : "The pen is up");
  }

  step(way) {
    const inside = (value, most) => Math.min(Math.max(value, PEN / 2), most - PEN / 2);
    const point = [
      inside(this.pen[0] + KEY_STEP * way[0], this.canvas.width),
      inside(this.pen[1] + KEY_STEP * way[1], this.canvas.height),
    ];
    if (this.down) this.extend(point);
    this.pen = point;
    if (this.down) this.draw(false);
    else this.paint();
  }

  draw(done) {
    this.paint();
    this.changed(done);
  }

  paint() {
    const context = this.canvas.getContext("2d");
    const { color, outlineColor } = getComputedStyle(this.canvas);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    line(context, this.strokes, PEN, color);
    if (!this.canvas.matches(":focus-visible")) return;
    context.strokeStyle = outlineColor;
    context.lineWidth = 3;
    context.beginPath();
    context.arc(...this.pen, this.down ? PEN / 2 : PEN / 2 + 5, 0, 2 * Math.PI);
    context.stroke();
  }
}

function line(context, strokes, width, color) {
  Object.assign(context, { lineWidth: width, lineCap: "round", lineJoin: "round", strokeStyle: color });
  for (const stroke of strokes) {
    context.beginPath();
    context.moveTo(...stroke[0]);
    for (const point of stroke) context.lineTo(...point);
    context.stroke();
  }
}

// The strokes as 784 numbers from 0 (paper) to 1 (ink), scaled and centred.
function imageOf(strokes) {
  const [xs, ys] = [0, 1].map((axis) => strokes.flatMap((stroke) => stroke.map((point) => point[axis])));
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const scale = (BOX - IMAGE_PEN) / Math.max(right - left, bottom - top, SMALLEST);
  const middle = [(left + right) / 2, (top + bottom) / 2];
  const drawn = (shift) =>
    pixels(strokes.map((stroke) => stroke.map((point) => point.map(
      (value, axis) => (value - middle[axis]) * scale + IMAGE / 2 + shift[axis]))));
  return drawn(offCentre(drawn([0, 0])));
}

// How far the centre of mass is from the middle, in whole pixels.
function offCentre(image) {
  let [sum, x, y] = [0, 0, 0];
  image.forEach((ink, place) => {
    sum += ink;
    x += ink * ((place % IMAGE) + 0.5);
    y += ink * (Math.floor(place / IMAGE) + 0.5);
  });
  return [x, y].map((moment) => Math.round(IMAGE / 2 - moment / sum));
}

function pixels(strokes) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = IMAGE * FINE;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.scale(FINE, FINE);
  line(context, strokes, IMAGE_PEN, "black");
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const image = new Array(IMAGE * IMAGE).fill(0);
  for (let place = 0; place < canvas.width * canvas.height; place++) {
    const [row, column] = [Math.floor(place / canvas.width / FINE), Math.floor((place % canvas.width) / FINE)];
    image[row * IMAGE + column] += data[4 * place + 3] / 255 / (FINE * FINE);
  }
  return image.map((ink) => Math.round(ink * 255) / 255);
}
