"""Takes the pictures of the web page that the pages show; ``make pictures`` runs it.

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

from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).parent / "images"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-proxy-server"]
DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}
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


def join(page: Page, address: str, name: str) -> None:
    page.goto(address)
    page.fill("#name", name)
    for question in page.locator("fieldset.choices").all():
        if question.locator("input[type=radio]").count():
            question.locator("input[type=radio]").first.check()
    if page.locator("input[name=consent]").count():
        page.check("input[name=consent]")
    page.click("button.primary")
    page.wait_for_selector("#outcome")


def shoot(page: Page, name: str) -> None:
    page.screenshot(path=IMAGES / f"web-{name}.png")
    print(f"web-{name}.png")


def address(lines: list[str], words: str) -> str:
    line = next(line for line in lines if words in line)
    found = re.search(r"http://\S+", line[line.rindex("http") :])
    assert found
    return found[0]


def choose(page: Page, units: tuple[int, ...]) -> None:
    for unit in units:
        page.click(f"#u{unit} span", position={"x": 20, "y": 8})
    page.wait_for_selector(f"#outcome[data-set='{' '.join(map(str, units))}']")
    page.mouse.move(0, 0)


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with served() as lines, sync_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        extracts = address(lines, "Demo: extracts")
        page = new_page(browser, DESKTOP)
        page.goto(extracts)
        shoot(page, "welcome")
        join(page, extracts, "Heron")
        choose(page, (0, 3, 6, 9))
        shoot(page, "extract")
        page.click("#go-on")
        page.wait_for_url("**/review")
        shoot(page, "review")
        phone = new_page(browser, PHONE)
        join(phone, extracts, "Kestrel")
        choose(phone, (0, 2, 4))
        shoot(phone, "extract-phone")
        for task in ("judgments", "utilities", "content units", "coverage", "questions"):
            worker = new_page(browser, DESKTOP)
            join(worker, address(lines, f"Demo: {task}"), "Linden")
            shoot(worker, task.replace(" ", "-"))
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
        browser.close()


if __name__ == "__main__":
    main()
