"""Takes the pictures of the web page and of the report that the pages show; ``make pictures`` runs
it.

The server runs with the demo studies, and a real browser walks through them. Debian's fonts
Charis SIL and Inter give the pictures the look that style.css asks for first.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from browsers import ARGUMENTS, CHROMIUM
from playwright.sync_api import Browser, Page, sync_playwright
from web_walk import join

IMAGES = Path(__file__).parent / "images"
DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}
TALL = {"width": 1280, "height": 1260}
# A steady port: an address in a picture is the same in every run.
PORT = "8000"


@contextmanager
def served() -> Iterator[list[str]]:
    """A server with the demo studies; what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "summetry", "serve", "--demo", "--port", PORT]
        server = subprocess.Popen(
            [*command, "--database", f"{folder}/demo.db"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert server.stdout
        try:
            lines = []
            for line in server.stdout:
                lines.append(line)
                if "/enter/" in line:
                    break
            yield lines
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()


def new_page(browser: Browser, size: dict[str, int], scheme: str = "light") -> Page:
    context = browser.new_context(viewport=size, color_scheme=scheme, locale="en")  # type: ignore[arg-type]
    return context.new_page()


def join_for(browser: Browser, size: dict[str, int], address: str, title: str) -> Page:
    """Somebody who was given a text; who joins gets what fewest have, so nine are enough."""
    for name in ("Heron", "Kestrel", "Linden", "Fjord", "Comet", "Wren", "Plover", "Rook", "Swift"):
        page = new_page(browser, size)
        join(page, address, f"{name} {size['width']}")
        if page.locator("h1").inner_text() == title:
            return page
        page.context.close()
    raise AssertionError(f"nobody was given {title!r}")


def shoot(page: Page, name: str) -> None:
    page.screenshot(path=IMAGES / f"web-{name}.png")
    print(f"web-{name}.png")


def shoot_report(browser: Browser) -> None:
    """The report of the demo corpus: its beginning, and further places of it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "summetry", "demo", "-o", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        address = (Path(folder) / "report.html").as_uri()
        for name, size, scheme, place, chosen in (
            ("", TALL, "light", "", ""),
            ("dark", TALL, "dark", "", ""),
            ("phone", PHONE, "light", "", ""),
            ("pictures", TALL, "light", ".pictures", ""),
            ("metrics", DESKTOP, "light", "#metrics", ""),
            ("judges", DESKTOP, "light", "#judges", ""),
            ("texts", TALL, "light", "#texts", "#system=1&by=5&reference=m1"),
            ("texts-dark", TALL, "dark", "#texts", "#system=1&by=5&reference=m1"),
        ):
            page = new_page(browser, size, scheme)
            page.goto(address + chosen)
            page.locator(".menus:not([hidden])").first.wait_for()
            if chosen:
                page.locator("#texts-now", has_text="picker").wait_for()
            if place:
                page.evaluate(
                    """place => scrollTo({ behavior: "instant",
                    top: document.querySelector(place).getBoundingClientRect().top - 24 })""",
                    place,
                )
            page.screenshot(path=IMAGES / f"report{'-' * bool(name)}{name}.png")
            print(f"report{'-' * bool(name)}{name}.png")
            page.context.close()


def address(lines: list[str], words: str) -> str:
    line = next(line for line in lines if words in line)
    found = re.search(r"http://\S+", line[line.rindex("http") :])
    assert found
    return found[0]


def choose(page: Page, units: tuple[int, ...]) -> None:
    for unit in units:
        page.locator(f"#u{unit} input").check(force=True)
    page.wait_for_selector(f"#outcome[data-set='{' '.join(map(str, units))}']")
    page.mouse.move(0, 0)
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with served() as lines, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        shoot_report(browser)
        extracts = address(lines, "Demo: extracts")
        researcher = new_page(browser, DESKTOP)
        researcher.goto(address(lines, "/enter/"))
        researcher.click("button.primary")
        study = extracts.replace("/s/", "/studies/")
        for path, name in (
            ("", "study"),
            ("/votes/2", "votes"),
            ("/informants", "informants"),
        ):
            researcher.goto(study + path)
            shoot(researcher, name)
        dark = new_page(browser, DESKTOP, "dark")
        dark.context.add_cookies(researcher.context.cookies())
        dark.goto(f"{study}/votes/2")
        shoot(dark, "votes-dark")
        page = new_page(browser, DESKTOP)
        page.goto(extracts)
        shoot(page, "welcome")
        page = join_for(browser, DESKTOP, extracts, "Ferry hits pier at Port Tarrow")
        choose(page, (0, 12, 15, 18, 19))
        shoot(page, "extract")
        page.click("#go-on")
        page.wait_for_url("**/review")
        shoot(page, "review")
        phone = join_for(browser, PHONE, extracts, "Ferry hits pier at Port Tarrow")
        choose(phone, (0, 4, 12))
        shoot(phone, "extract-phone")
        for task in ("judgments", "utilities", "content units", "coverage", "questions"):
            worker = new_page(browser, DESKTOP)
            join(worker, address(lines, f"Demo: {task}"), "Linden")
            shoot(worker, task.replace(" ", "-"))
        browser.close()


if __name__ == "__main__":
    main()
