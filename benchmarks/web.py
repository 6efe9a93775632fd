"""How quick the web page is with many people at once: 200 informants who click every two seconds.

    python benchmarks/web.py [--informants 200] [--seconds 20] [--no-write]

A real server and real requests on loopback; SQLite always, PostgreSQL too where a server can be
started. The informants come within ten seconds, and all of them stay. It prints the median and the
95th percentile of opening a text and of saving a click, and how long the server takes to start.
In a real browser (Chromium, by Playwright) one informant chooses one unit after the other of a long
text: how soon the page shows it, and how soon it is saved. The floor is a file that the server
gives out as it is. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from browsers import ARGUMENTS, CHROMIUM
from peak import peak_of
from playwright.sync_api import sync_playwright
from sections import Headline, write_section
from texts import sentences, word_lists

from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic, UnitKind, cut_anew
from summetry.web.app import create_app
from summetry.web.database import Database
from summetry.web.demo import demo_corpus
from summetry.web.security import VISIT, form_token
from summetry.web.store.keys import make_key
from summetry.web.store.people import add_person
from summetry.web.store.studies import make_study

PAUSE = 2.0
# People come one after the other within so many seconds.
ARRIVAL = 10.0
# A file that the server gives out as it is.
FLOOR = "/static/style.css"
# Units of a text that are chosen one after the other.
TOGGLED = 60
# Milliseconds from a click to the next frame, and to the page's word that it is saved.
TOGGLE = """async (count) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const boxes = [...document.querySelectorAll('.unit input')], times = [];
  for (let place = 0; place < count; place++) {
    const begun = performance.now();
    boxes[place].click();
    await frame();
    const shown = performance.now() - begun;
    while (!document.querySelector('#outcome').dataset.set.split(' ').includes(boxes[place].value))
      await new Promise((done) => setTimeout(done, 1));
    times.push([shown, performance.now() - begun]);
  }
  return times;
}"""


class Informant:
    """Somebody who opens a text and clicks one sentence after the other."""

    def __init__(self, port: int, study: str, key: str, seed: int) -> None:
        visit = f"visit-{seed}"
        cookies = {VISIT: visit, f"summetry_{study}": key}
        self.cookies = "; ".join(f"{name}={value}" for name, value in cookies.items())
        self.csrf = form_token(visit)
        self.port, self.study, self.random = port, study, random.Random(seed)
        self.opened: list[float] = []
        self.saved: list[float] = []
        self.given: list[float] = []

    async def request(self, method: str, path: str, form: dict[str, object] | None = None) -> str:
        body = urlencode(form or {}, doseq=True).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {self.cookies}\r\n"
            f"HX-Request: true\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        answer = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"content-length: (\d+)", answer, re.I)
        text = (await self.reader.readexactly(int(length[1]) if length else 0)).decode()
        status = int(answer.split()[1])
        assert status in (200, 303), (status, text[:300])
        return text

    async def work(self, seconds: float) -> None:
        await asyncio.sleep(self.random.random() * ARRIVAL)
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        await self.request("GET", f"/s/{self.study}/next")
        end = time.monotonic() + seconds
        chosen: set[int] = set()
        begun = time.perf_counter()
        text = await self.request("GET", f"/s/{self.study}/1")
        self.opened.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        await self.request("GET", FLOOR)
        self.given.append(time.perf_counter() - begun)
        while time.monotonic() < end:
            found = re.search(r'name="version" value="(\d+)"', text)
            assert found
            chosen ^= {self.random.randrange(15)}
            form = {"csrf": self.csrf, "version": found[1], "unit": sorted(chosen)}
            begun = time.perf_counter()
            text = await self.request("POST", f"/s/{self.study}/1", form)
            self.saved.append(time.perf_counter() - begun)
            await asyncio.sleep(max(0.0, PAUSE - (time.perf_counter() - begun)))
        self.writer.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(address: str) -> Iterator[tuple[int, float, int]]:
    """A server; its port, how long it took to start, and its process."""
    port = free_port()
    begun = time.perf_counter()
    command = [sys.executable, "-m", "summetry", "serve", "--port", str(port)]
    server = subprocess.Popen(
        [*command, "--database", address],
        stdout=subprocess.DEVNULL,
    )
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert server.poll() is None, "the server has ended"
                time.sleep(0.02)
        yield port, time.perf_counter() - begun, server.pid
    finally:
        server.terminate()
        server.wait()


def measure(address: str, informants: int, seconds: float) -> tuple[list[str], Headline]:
    """Rows of a table: opening a text and saving a click, with many people at once."""
    database = Database(address)
    create_app(database)
    with database.writing() as connection:
        study = make_study(connection, "Benchmark", "extract", demo_corpus(), state="open")
        people = [add_person(connection, study, f"p{n}").id for n in range(informants)]
        keys = [make_key(connection, "person", person) for person in people]
    kind = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[database.engine.dialect.name]
    database.close()
    with serving(address) as (port, started, server):
        people = [Informant(port, study, key, n) for n, key in enumerate(keys)]

        async def all_at_once() -> None:
            await asyncio.gather(*(person.work(seconds) for person in people))

        asyncio.run(all_at_once())
        peak = peak_of(server)
    given, opened, saved = (
        [t for person in people for t in getattr(person, name)]
        for name in ("given", "opened", "saved")
    )
    print(f"{kind}: the server starts in {started:.1f} s")
    rows = [
        row(f"floor: {kind}, a file as it is", given, ""),
        row(f"{kind}, opening a text", opened),
        row(f"{kind}, saving a click", saved),
        f"| {kind}, peak memory of the server | {peak:.0f} MB | | | |",
    ]
    above = statistics.median(saved) / statistics.median(given)
    return rows, Headline(
        f"{informants} informants, {kind}, a click is saved", None, "", above, peak
    )


def row(what: str, seconds: list[float], to_reach: str = "200 ms") -> str:
    ordered = sorted(1000 * one for one in seconds)
    median, high = statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))]
    return f"| {what} | {median:.0f} ms | {high:.0f} ms | {to_reach} | {len(ordered):,} |"


def toggled(unit: UnitKind, count: int) -> list[str]:
    """Rows of a table: one unit of a long text after the other is chosen in a real browser."""
    units = sentences(next(word_lists(1, 15 * count)))
    text = " ".join(units) if unit == "sentence" else " ".join(" ".join(units).split()[:count])
    topic = cut_anew(Topic("t", documents=(Document("d", text=text),)), unit, "en")
    with tempfile.TemporaryDirectory() as folder:
        address = f"{folder}/summetry.db"
        database = Database(address)
        create_app(database)
        with database.writing() as connection:
            corpus = Corpus("long", "en", topics=(topic,))
            study = make_study(connection, "Benchmark", "extract", corpus, state="open")
        database.close()
        with serving(address) as (port, *_), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{port}/s/{study}")
            page.fill("#name", "Heron")
            page.click("button.primary")
            page.wait_for_selector("#outcome")
            shown, saved = zip(*page.evaluate(TOGGLE, TOGGLED), strict=True)
            browser.close()
    what = f"a text of {len(topic.units):,} {unit}s, a choice is"
    return [
        row(f"{what} shown", [one / 1000 for one in shown], "100 ms"),
        row(f"{what} saved", [one / 1000 for one in saved], ""),
    ]


@contextmanager
def postgresql() -> Iterator[str | None]:
    """The address of a server that is started for the benchmark; None where there is none."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not programs:
        yield None
        return
    folder = Path(tempfile.mkdtemp())
    user = "postgres" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user, user)
    port = free_port()
    run = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder, "user": user}
    data = folder / "data"
    subprocess.run([programs[-1] / "initdb", "-D", data, "-A", "trust", "-U", "bench"], **run)
    control = [programs[-1] / "pg_ctl", "-D", data, "-w", "-l", folder / "log"]
    options = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder}"
    subprocess.run([*control, "-o", options, "start"], **run)
    try:
        yield f"postgresql://bench@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], **run)
        shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--informants", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--no-write", action="store_true")
    given = parser.parse_args()
    lines = [
        f"{given.informants} informants at once, a click every {PAUSE:g} s, {given.seconds:g} s "
        f"each; server and load share the machine. The last rows: one informant in a real browser.",
        "",
        "| what | median | 95th percentile | to reach | times |",
        "|---|---|---|---|---|",
    ]
    headlines = []
    with tempfile.TemporaryDirectory() as folder:
        more, shown = measure(f"{folder}/summetry.db", given.informants, given.seconds)
        lines += more
        headlines.append(shown)
    with postgresql() as address:
        if address is None:
            print("PostgreSQL is not installed here")
        else:
            more, shown = measure(address, given.informants, given.seconds)
            lines += more
            headlines.append(shown)
    lines += [*toggled("sentence", 200), *toggled("word", 1000)]
    print("\n".join(lines))
    if not given.no_write:
        write_section("Web page", "web.py", lines, headlines)


if __name__ == "__main__":
    main()
