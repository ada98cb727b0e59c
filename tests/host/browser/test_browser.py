"""The page of examples/browser: drawn on, given files, read aloud, without a network, in a real Chromium."""

import re
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from burnrt import Model
from kit import browser as kit

HERE = kit.ROOT / "examples" / "browser"
MODEL = (HERE / "mnist.bpk").read_bytes()
PROGRAM = MODEL.index(b"BRT1")  # where words of 4 bytes begin that say what the model computes


@pytest.fixture(scope="module")
def chromium():
    pytest.importorskip("playwright", reason="no Playwright on this machine")
    if kit.command() is None:
        pytest.skip("no Chromium on this machine")
    if kit.is_memory_limited():
        pytest.skip("addresses are limited by ulimit -v, and Chromium takes a terabyte of them")
    with kit.chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    if not kit.build().MICROPYTHON.exists():
        pytest.skip("the WebAssembly MicroPython is missing: make setup")
    return kit.build().build(tmp_path_factory.mktemp("browser"))


@pytest.fixture(scope="module")
def addresses(page_file):
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *words):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=page_file.parent))
    Thread(target=server.serve_forever, daemon=True).start()
    yield {"file": page_file.as_uri(), "http": "http://127.0.0.1:%d/" % server.server_port}
    server.shutdown()
    server.server_close()


@pytest.fixture
def visit(chromium, addresses):
    """Return a function that opens the page; afterwards hold it to no other request and no complaint."""
    asked, complaints, contexts = [], [], []

    def opened(scheme="file", **options):
        contexts.append(chromium.new_context(**options))
        page = contexts[-1].new_page()
        page.set_default_timeout(kit.PATIENCE)
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(addresses[scheme])
        page.get_by_text("Draw a digit from 0 to 9.").wait_for()
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints
    assert {url for url in asked if not url.startswith(("blob:", "data:"))} <= set(addresses.values())


@pytest.mark.parametrize("scheme", ["file", "http"])
def test_a_three_that_is_drawn_is_read_as_a_three(visit, scheme):
    page = visit(scheme)
    assert kit.draw(page, kit.DIGITS[3][0]).startswith("This is a 3 ")
    assert page.locator("#bars .best").inner_text().startswith("3")
    assert page.locator("#allocated").inner_text() == "0 bytes"
    assert re.fullmatch(r"[\d.]+ m?s", page.locator("#time").inner_text())
    assert int(page.locator("#heap-model").inner_text().split()[0].replace(",", "")) > len(MODEL)


def test_every_digit_is_read_however_large_and_wherever_it_is_drawn(visit):
    page = visit()
    for digit, drawings in kit.DIGITS.items():
        way = digit % 2  # large and small in turns
        assert kit.draw(page, drawings[way], **kit.WAYS[way]).startswith("This is a %d " % digit)


def test_keys_alone_draw_take_back_and_clear(visit):
    page = visit()
    page.keyboard.press("Tab")
    assert page.locator("#pad").evaluate("pad => pad === document.activeElement")
    keys = ["PageUp"] * 4 + ["ArrowUp"] * 2 + ["ArrowLeft"] * 7  # from the middle to where a 3 begins
    keys += (
        [" "] + ["ArrowRight"] * 6 + ["PageDown"] * 2 + ["ArrowDown"] * 2 + ["End"] * 2 + ["ArrowLeft"] * 4
    )
    keys += ["ArrowRight"] * 4 + ["PageDown"] * 2 + ["ArrowDown"] * 3 + ["End"] * 2 + ["ArrowLeft"] * 7
    for key in keys:
        page.keyboard.press(key)
    assert page.locator("#pen").inner_text() == "The pen is down"
    page.keyboard.press(" ")
    page.locator("#answer[data-read='1']").wait_for()
    assert page.locator("#answer").inner_text().startswith("This is a 3 ")
    for key in (" ", "ArrowLeft", " ", "Backspace"):
        page.keyboard.press(key)
    page.locator("#answer[data-read='1']").wait_for()
    page.keyboard.press("Escape")
    page.get_by_text("Draw a digit from 0 to 9.").wait_for()


def dropped(page, name, data):
    """Drop a file on the page."""
    files = page.evaluate_handle(
        """([name, bytes]) => {
            const files = new DataTransfer();
            files.items.add(new File([new Uint8Array(bytes)], name));
            return files;
        }""",
        [name, list(data)],
    )
    page.dispatch_event("body", "drop", {"dataTransfer": files})


def changed(place, word):
    at = PROGRAM + 4 * place
    return MODEL[:at] + word.to_bytes(4, "little", signed=True) + MODEL[at + 4 :]


HOSTILE = {
    "no Burnpack file": (b"hello", "cut short"),
    "another format": (bytes(range(256)), "not a Burnpack file"),
    "the end is missing": (MODEL[:-1000], "cut short"),
    "an arena of 2 GB": (changed(2, 2**31 - 1), "arena"),
    "a negative size": (changed(1, -4), "program"),
    "no step fits": (changed(6, 10**6), ""),
}


def test_each_hostile_file_is_one_clear_line_and_the_next_file_runs(visit):
    page = visit()
    for name, (data, says) in HOSTILE.items():
        dropped(page, "<b>%s.bpk" % name, data)
        fault = page.get_by_role("alert")
        fault.and_(page.get_by_text(re.compile("_b_%s" % name.replace(" ", "_")))).wait_for()
        said = fault.inner_text()
        assert "\n" not in said and says in said and "Traceback" not in said
        assert page.locator("#own").is_hidden()
    page.get_by_label("Choose a .bpk file").set_input_files(HERE / "mnist.bpk")
    page.get_by_role("button", name="Run").click()
    page.get_by_text(re.compile("allocated 0 bytes")).wait_for()
    assert page.get_by_role("alert").inner_text() == ""


def test_a_file_of_ones_own_answers_what_it_answers_on_a_computer(visit):
    model = Model(MODEL)
    pixels = (HERE.parent / "mnist" / "mnist_example_7.bin").read_bytes()
    numbers = [round(pixel / 255, 4) for pixel in pixels]
    page = visit()
    page.get_by_label("Choose a .bpk file").set_input_files(HERE / "mnist.bpk")
    page.get_by_label("784 numbers").fill(" ".join(map(str, numbers)))
    page.get_by_role("button", name="Run").click()
    said = page.get_by_label("Output 1: 1 × 10 bytes").inner_text()
    assert [float(word) for word in said.split(",")] == pytest.approx(list(model(numbers).data), abs=1e-4)
    assert "the largest number is at 7" in page.locator("#state").inner_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [("1, 2, three", "Input 1: three is no number."), ("1, 2", "Input 1 takes 784 numbers, and here are 2.")],
)
def test_numbers_that_do_not_fit_are_refused_by_name(visit, text, said):
    page = visit()
    page.get_by_label("Choose a .bpk file").set_input_files(HERE / "mnist.bpk")
    page.get_by_role("button", name="Random").click()
    page.get_by_label("784 numbers").fill(text)
    page.get_by_role("button", name="Run").click()
    page.get_by_role("alert").and_(page.get_by_text(said)).wait_for()


def test_a_telephone_shows_all_of_it_and_a_finger_draws(visit):
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.locator("#pad").tap()
    page.locator("#answer[data-read='1']").wait_for()
    for button in page.get_by_role("button").all():
        assert button.bounding_box()["height"] >= 44


def test_every_control_has_a_name_and_what_changes_is_said_aloud(visit):
    page = visit()
    page.get_by_label("Choose a .bpk file").set_input_files(HERE / "mnist.bpk")
    page.get_by_role("heading", name="mnist.bpk").wait_for()
    heard = page.locator("body").aria_snapshot()
    assert not re.search(r"- (button|textbox|application)(:|$)", heard, re.MULTILINE), heard
    live = page.locator("[aria-live]").evaluate_all("all => all.map(each => each.id)")
    assert live == ["pen", "answer", "state"]


def luminance(color):
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_colors_differ_enough_in_both_themes():
    """As WCAG 2 asks: 4.5 of texts, 3 of lines and marks."""
    themes = re.findall(r":root \{(.*?)\}", (HERE / "page.css").read_text(), re.DOTALL)
    assert len(themes) == 2
    for theme in themes:
        colors = dict(re.findall(r"--(\w+): (#\w{6})", theme))
        for ground in (colors["paper"], colors["raised"]):
            for name, least in {"text": 4.5, "quiet": 4.5, "fault": 4.5, "accent": 3, "line": 3}.items():
                assert contrast(colors[name], ground) >= least, (name, ground)


def test_the_page_names_no_address_of_a_network(page_file):
    text = page_file.read_text(encoding="utf-8")
    assert not re.findall(r"(?:src|href)=[\"'](?!data:)", text)
    assert "default-src 'none'" in text


def test_the_readmes_picture_is_small():
    assert (kit.ROOT / "docs" / "pictures" / "browser.png").stat().st_size < 60_000
