"""A picture as a page of its own, which loads nothing: where the pointer is, it shows the details."""

from xml.sax.saxutils import escape

from burnstore.drawing.layout import Layout
from burnstore.drawing.picture import Picture
from burnstore.drawing.svg import svg
from burnstore.drawing.texts import short

# The picture is there without the script too, with the browser's own tooltips.
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>%(title)s</title>
<style>
body { margin: 0; font: 13px Helvetica, Arial, sans-serif; }
main { margin-right: 22em; text-align: center; }
aside { position: fixed; top: 0; right: 0; bottom: 0; width: 20em; padding: 1em; overflow: auto;
  background: #f6f6f6; border-left: 1px solid #ddd; white-space: pre-wrap; overflow-wrap: anywhere; }
.box:hover, .label:hover { cursor: default; filter: brightness(0.93); }
.edge.near { stroke: #d2600c; stroke-width: 2.5; }
</style>
</head>
<body>
<main>
%(picture)s</main>
<aside>Point at a box or at a shape.</aside>
<script>
"use strict";
const panel = document.querySelector("aside");
for (const item of document.querySelectorAll(".box, .label")) {
  const title = item.querySelector("title");
  const text = title ? title.textContent : "";
  if (title) title.remove();
  const number = item.id.replace("box", "");
  const near = number ? document.querySelectorAll(
    `.edge[data-source="${number}"], .edge[data-target="${number}"]`) : [];
  item.addEventListener("pointerenter", () => {
    panel.textContent = text;
    near.forEach(edge => edge.classList.add("near"));
  });
  item.addEventListener("pointerleave", () => near.forEach(edge => edge.classList.remove("near")));
}
</script>
</body>
</html>
"""


def html(picture: Picture, layout: Layout) -> str:
    """Return the text of an HTML file. All texts of the picture are escaped."""
    return _PAGE % {"title": escape(short(picture.title, 120)), "picture": svg(picture, layout)}
