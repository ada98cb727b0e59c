"""The page of examples/browser in a Chromium without a window, and what draws on it.

python tests/kit/browser.py PICTURE.png     writes the README's picture of it, and says what was read right
"""

import importlib.util
import math
import os
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 60_000  # milliseconds until a page that does nothing fails: a machine may be busy
SIDE = 280  # what strokes are told in: the pad's own pixels
PICTURE = {"width": 680, "height": 720}


def arc(x, y, width, height, first, last):
    """Return points of an ellipse's arc around (x, y), from one angle to another, in degrees clockwise."""
    angles = [math.radians(first + (last - first) * step / 10) for step in range(11)]
    return [(x + width * math.cos(angle), y + height * math.sin(angle)) for angle in angles]


# Digits as people draw them: strokes of points. The second way of each is another one, where there is one.
DIGITS = {
    0: [[arc(140, 140, 55, 90, -90, 270)], [arc(120, 150, 75, 70, -60, 300)]],
    1: [[[(140, 50), (140, 230)]], [[(110, 90), (150, 50), (140, 230)]]],
    2: [
        [[*arc(140, 95, 55, 45, -170, 20), (90, 220), (205, 220)]],
        [[*arc(130, 100, 50, 50, -200, 40), (80, 215), (130, 205), (200, 225)]],
    ],
    3: [
        [[*arc(130, 95, 50, 42, -160, 90), *arc(130, 185, 58, 48, -90, 160)]],
        [[(85, 60), (190, 60), (130, 125), *arc(130, 180, 60, 52, -80, 150)]],
    ],
    4: [
        [[(120, 50), (80, 150), (200, 150)], [(170, 80), (165, 235)]],
        [[(95, 60), (90, 140), (185, 145)], [(190, 55), (180, 235)]],
    ],
    5: [
        [[(195, 55), (105, 55), (100, 125), *arc(135, 175, 58, 52, -110, 150)]],
        [[(105, 55), (100, 130), *arc(130, 180, 55, 50, -100, 160)], [(105, 55), (190, 50)]],
    ],
    6: [
        [[(175, 50), (110, 120), *arc(140, 180, 45, 48, 190, 540)]],
        [[(150, 45), (105, 110), (95, 180), *arc(135, 190, 42, 40, 180, 500)]],
    ],
    7: [
        [[(85, 60), (195, 60), (130, 235)]],
        [[(80, 70), (190, 55), (125, 235)], [(105, 150), (185, 145)]],
    ],
    8: [
        [[*arc(140, 95, 42, 42, 90, 450), *arc(140, 185, 52, 46, -90, 270)]],
        [[(180, 75), *arc(140, 90, 40, 40, -40, -250), *arc(140, 185, 45, 50, -60, 200), (180, 75)]],
    ],
    9: [
        [[*arc(140, 100, 45, 45, 0, 360), (180, 150), (165, 235)]],
        [[(185, 70), *arc(140, 100, 45, 40, -30, -330), (185, 90), (185, 235)]],
    ],
}

WAYS = [{}, {"scale": 0.45, "at": (20, 130)}]  # as large as the pad, and small in a corner


def build():
    """Return the module that makes the page."""
    path = ROOT / "examples" / "browser" / "build.py"
    spec = importlib.util.spec_from_file_location("browser_build", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def command():
    """Return the path of this machine's Chromium, or None."""
    return next(filter(None, map(shutil.which, COMMANDS)), None)


def is_memory_limited():
    """Tell whether a process may have fewer addresses than Chromium sets aside."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit
    except ImportError:  # Windows
        return False
    return getrlimit(RLIMIT_AS)[0] != RLIM_INFINITY


@contextmanager
def chromium():
    """Start a Chromium, and give Playwright's object for it. Raises `ImportError` without Playwright."""
    from playwright.sync_api import sync_playwright

    root = ["--no-sandbox"] if getattr(os, "geteuid", int)() == 0 else []  # which Chromium asks of root
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=command(), args=root)
        yield browser
        browser.close()


def draw(page, strokes, scale=1.0, at=(0, 0)):
    """Empty the pad and draw strokes with the mouse, scaled and moved; return the page's answer."""
    page.get_by_role("button", name="Clear").click()
    said = page.locator("#answer")
    said.and_(page.get_by_text("Draw a digit from 0 to 9.")).wait_for(timeout=PATIENCE)
    frame = page.locator("#pad").bounding_box()
    ratio = frame["width"] / SIDE
    for stroke in strokes:
        places = [
            (frame["x"] + ratio * (at[0] + scale * x), frame["y"] + ratio * (at[1] + scale * y))
            for x, y in stroke
        ]
        page.mouse.move(*places[0])
        page.mouse.down()
        for place in places[1:]:
            page.mouse.move(*place)
        page.mouse.up()
    page.locator("#answer[data-read='%d']" % len(strokes)).wait_for(timeout=PATIENCE)
    return said.inner_text()


def read_right(page):
    """Draw each digit in each way; return how many were read right, and how many were drawn."""
    read = [
        draw(page, strokes, **way).startswith("This is a %d " % digit)
        for digit, drawings in DIGITS.items()
        for strokes in drawings
        for way in WAYS
    ]
    return sum(read), len(read)


def main():
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        page = browser.new_page(viewport=PICTURE, color_scheme="light")
        page.goto(build().build(Path(folder)).as_uri())
        print("right: %d of %d drawn digits" % read_right(page))
        draw(page, DIGITS[3][0])
        page.locator("section").first.screenshot(path=sys.argv[1])


if __name__ == "__main__":
    main()
