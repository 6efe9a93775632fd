"""How many small faults the tests notice: run by `make mutation`.

A fixed sample of places in the source is changed, one place at a time, and the tests that belong to
the place run on the changed copy. A fault is noticed when a test fails or does not end. The sample
depends on the text of the places only, so a change elsewhere does not draw another one.

    python tests/mutation.py [--places 300] [--only PART_OF_A_PATH] [--jobs 2]
"""

import argparse
import ast
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutation"
# The parts of the package that are changed, with the folders whose tests belong to them.
TESTS_BY_PART = {
    "stats": ["stats", "metaeval"],
    "metrics": ["metrics", "compat"],
    "references": ["references"],
    "formats": ["formats", "records"],
    "engine": ["engine"],
    "web/store": ["web"],
}
PYTEST = [
    sys.executable, "-m", "pytest", "-x", "-q", "-m", "not slow", "--cpu-limit", "0",
    "-p", "no:cacheprovider", "-p", "no:schemathesis", "-p", "no:xdist", "--no-header", "--tb=no",
    # A fault may make a loop endless, or a wait: the first is seen by CPU time, as a machine may be
    # busy.
    "--cpu-kill", "60",
    "-o", "faulthandler_timeout=1200", "-o", "faulthandler_exit_on_timeout=true",
]  # fmt: skip
# Of pytest: all passed, no such test, no test at all.
NONE_FAILED = (0, 4, 5)
NO_RESULT = "an end without a result"
# It may also fill the memory.
MOST_MEMORY = 6 << 30
SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "in": "not in",
    "not in": "in", "is": "is not", "is not": "is", "+": "-", "-": "+", "*": "/", "/": "*",
    "//": "/", "%": "*", "**": "*", "and": "or", "or": "and", "|": "&", "&": "|", "+=": "-=",
    "-=": "+=", "*=": "/=", "break": "continue", "continue": "break", "min": "max", "max": "min",
    "any": "all", "all": "any", "True": "False", "False": "True",
}  # fmt: skip

_OPERATOR = re.compile(r"\b(?:not in|is not|in|is|and|or)\b|[<>=!]=|//|\*\*|[-+*/%<>|&]")


@dataclass(frozen=True)
class Fault:
    """One changed piece of a source file."""

    path: str
    start: int
    end: int
    old: str
    new: str
    line: int
    function: str
    number: int  # among the same changes of the same function

    @property
    def rank(self) -> str:
        identity = (self.path, self.function, self.old, self.new, str(self.number))
        return hashlib.sha256("\0".join(identity).encode()).hexdigest()

    def __str__(self) -> str:
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.path}:{self.line} {self.function}: {old} -> {new}"

    def apply(self, content: bytes) -> bytes:
        return content[: self.start] + self.new.encode() + content[self.end :]


class _Places(ast.NodeVisitor):
    """Pieces of a file that can be changed, each with what stands there afterwards."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        lengths = [len(line) for line in content.splitlines(keepends=True)]
        self.line_starts = [sum(lengths[:i]) for i in range(len(lengths) + 1)]
        self.functions: list[str] = []
        self.found: list[tuple[int, int, str, str]] = []

    def start(self, node: ast.AST) -> int:
        return self.line_starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]

    def end(self, node: ast.AST) -> int:
        return self.line_starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]

    def add(self, start: int, end: int, new: str) -> None:
        self.found.append((start, end, new, ".".join(self.functions)))

    def replace(self, node: ast.AST, new: str) -> None:
        self.add(self.start(node), self.end(node), new)

    def text(self, node: ast.AST) -> str:
        return self.content[self.start(node) : self.end(node)].decode()

    def swap_between(self, left: ast.AST, right: ast.AST) -> None:
        """Change the operator that stands between two neighbours."""
        start = self.end(left)
        between = self.content[start : self.start(right)].decode()
        match = _OPERATOR.search(between)
        if match and match[0] in SWAPS and "#" not in between:
            offset = start + len(between[: match.start()].encode())
            self.add(offset, offset + len(match[0]), SWAPS[match[0]])

    # Names in annotations, and what a type checker reads alone, decide nothing.
    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Our own mistakes: no test can make them."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.functions.append(node.name)
        for default in [*node.args.defaults, *filter(None, node.args.kw_defaults)]:
            self.visit(default)
        for statement in node.body:
            self.visit(statement)
        self.functions.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.functions.append(node.name)
        for statement in node.body:
            self.visit(statement)
        self.functions.pop()

    def visit_If(self, node: ast.If) -> None:
        if self.text(node.test) == "TYPE_CHECKING":
            return
        self.replace(node.test, f"not ({self.text(node.test)})")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.replace(node.test, f"(not ({self.text(node.test)}))")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, right in zip([node.left, *node.comparators], node.comparators, strict=False):
            self.swap_between(left, right)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if not isinstance(node.left, ast.Constant | ast.JoinedStr) or not isinstance(
            getattr(node.left, "value", None), str
        ):
            self.swap_between(node.left, node.right)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in zip(node.values, node.values[1:], strict=False):
            self.swap_between(left, right)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            self.replace(node, f"({self.text(node.operand)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.replace(node, str(not node.value))
        elif isinstance(node.value, int | float):
            self.replace(node, repr(node.value + 1))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Words for people."""

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.swap_between(node.target, node.value)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return
        if isinstance(node.value, ast.Call):
            self.replace(node, "pass")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        if node.exc:
            self.replace(node, "pass")
        # What an error says is not changed.

    def visit_Return(self, node: ast.Return) -> None:
        if node.value and not isinstance(node.value, ast.Constant):
            self.replace(node, "return None")
        self.generic_visit(node)

    def visit_Break(self, node: ast.Break) -> None:
        self.replace(node, "continue")

    def visit_Continue(self, node: ast.Continue) -> None:
        self.replace(node, "break")

    def visit_Call(self, node: ast.Call) -> None:
        name = self.text(node.func)
        method = name.rpartition(".")[2]
        if method in SWAPS:
            self.add(self.end(node.func) - len(method), self.end(node.func), SWAPS[method])
        elif name in ("sorted", "abs", "set", "reversed") and node.args:
            self.replace(node.func, {"sorted": "list", "reversed": "list"}.get(name, ""))
        for keyword in node.keywords:
            if keyword.arg and len(node.args) + len(node.keywords) > 1:
                self.drop(node, keyword)
        self.generic_visit(node)

    def drop(self, call: ast.Call, keyword: ast.keyword) -> None:
        """Leave one named argument out, so that its default holds."""
        rest = self.content[self.end(keyword) : self.end(call)]
        comma = re.match(rb"\s*,\s*", rest)
        before = re.search(rb",\s*\Z", self.content[: self.start(keyword)])
        if comma:
            self.add(self.start(keyword), self.end(keyword) + comma.end(), "")
        elif before:
            self.add(before.start(), self.end(keyword), "")


def faults_of(path: str) -> Iterator[Fault]:
    """All changes of one file; a few of them are no Python."""
    content = (ROOT / path).read_bytes()
    places = _Places(content)
    places.visit(ast.parse(content))
    numbers: Counter[tuple[str, str, str]] = Counter()
    for start, end, new, function in sorted(set(places.found)):
        old = content[start:end].decode()
        if not function or old == new:
            continue
        key = (function, old, new)
        line = content.count(b"\n", 0, start) + 1
        fault = Fault(path, start, end, old, new, line, function, numbers[key])
        numbers[key] += 1
        yield fault


def is_python(fault: Fault) -> bool:
    try:
        ast.parse(fault.apply((ROOT / fault.path).read_bytes()))
    except SyntaxError:
        return False
    return True


def sample(places: int, only: str = "") -> list[Fault]:
    paths = (
        path.relative_to(ROOT).as_posix()
        for part in TESTS_BY_PART
        for path in (ROOT / "src" / "summetry" / part).rglob("*.py")
    )
    faults = (fault for path in paths for fault in faults_of(path))
    ranked = sorted(faults, key=lambda fault: fault.rank)
    chosen = islice(filter(is_python, ranked), places)
    return [fault for fault in chosen if only in str(fault)]


def groups_of_tests(path: str) -> list[list[str]]:
    """The tests that belong to a file, the likeliest first: each group runs by itself."""
    part = next(part for part in TESTS_BY_PART if path.startswith(f"src/summetry/{part}/"))
    module = path.removeprefix("src/").removesuffix(".py").replace("/", ".")
    module = module.removesuffix(".__init__")
    parent, _, stem = module.rpartition(".")
    imports = re.compile(
        rf"\b{re.escape(module)}\b|from {re.escape(parent)} import [^\n]*\b{re.escape(stem)}\b"
    )
    groups: dict[str, list[str]] = {"of its name": [], "that import it": [], "of the folder": []}
    if b">>>" in (ROOT / path).read_bytes():
        groups["of its name"].append(path)
    for folder in TESTS_BY_PART[part]:
        for test in sorted((ROOT / "tests" / folder).rglob("test_*.py")):
            if stem.strip("_") in test.stem:
                group = "of its name"
            elif imports.search(test.read_text(encoding="utf-8")):
                group = "that import it"
            else:
                group = "of the folder"
            groups[group].append(test.relative_to(ROOT).as_posix())
    groups["of the commands"] = ["tests/cli"]
    return [group for group in groups.values() if group]


def failing_test(copy: Path, tests: list[str], kernel: str) -> str:
    """The name of the first test that fails, or nothing."""
    environment = os.environ | {
        "PYTHONPATH": str(copy / "src"),
        "SUMMETRY_KERNEL": kernel,
        "PYTHONDONTWRITEBYTECODE": "",
        "PY_COLORS": "0",
    }
    run = subprocess.Popen(
        [*PYTEST, *tests],
        cwd=copy,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if hasattr(resource, "prlimit"):
        resource.prlimit(run.pid, resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    output, _ = run.communicate()
    if run.returncode in NONE_FAILED:
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, flags=re.M)
    return failed[1] if failed else NO_RESULT


def noticed_by(copy: Path, fault: Fault, kernel: str) -> str:
    """The name of a test that notices a fault, or nothing."""
    file = copy / fault.path
    content = file.read_bytes()
    for tests in groups_of_tests(fault.path):
        left_out: list[str] = []
        while True:
            file.write_bytes(fault.apply(content))
            try:
                failed = failing_test(copy, [*tests, *left_out], kernel)
            finally:
                file.write_bytes(content)
            if not failed:
                break
            if failed == NO_RESULT:
                if failing_test(copy, tests, kernel) == NO_RESULT:
                    sys.exit(f"tests do not run here without a fault either: {' '.join(tests)}")
                return failed
            if failed in left_out or not failing_test(copy, [failed], kernel):
                return failed
            # What fails on this machine anyway notices nothing: a test, or a file of tests.
            if failed in tests:
                tests = [test for test in tests if test != failed]
                if not tests:
                    break
            left_out += ["--deselect" if "::" in failed else "--ignore", failed]
    return ""


def digest_of_the_tree() -> str:
    digest = hashlib.sha256()
    for pattern in ("src/**/*.py", "src/**/*.[ch]", "tests/**/*.py"):
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def copy_of_the_tree(name: str) -> Path:
    copy = WORK / name
    shutil.rmtree(copy, ignore_errors=True)
    left_out = shutil.ignore_patterns(
        ".venv", ".git", "build", "site", "dist", "__pycache__", ".*_cache", ".hypothesis"
    )
    shutil.copytree(ROOT, copy, ignore=left_out, symlinks=True)
    # Real data are looked for beside the project.
    shared = ROOT.parent / "shared"
    if shared.is_dir() and not (WORK / "shared").exists():
        (WORK / "shared").symlink_to(shared)
    return copy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--places", type=int, default=300, help="how many are drawn (default: 300)")
    parser.add_argument(
        "--only", default="", help="of these, only places with this in their path or function"
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count(),
        help="how many run at once (default: one a core)",
    )
    parser.add_argument(
        "--compiled-only",
        action="store_true",
        help="do not try faults again with the kernel switched off",
    )
    arguments = parser.parse_args()
    # A shell lets what runs in the background ignore Ctrl-C, and tests would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    faults = sample(arguments.places, arguments.only)
    if not faults:
        parser.error(f"none of the {arguments.places:,} places has {arguments.only!r} in its name")
    WORK.mkdir(parents=True, exist_ok=True)
    # A run that was stopped goes on, if neither source nor tests have changed.
    log = WORK / f"{digest_of_the_tree()}.jsonl"
    done = {}
    if log.exists():
        entries = (json.loads(line) for line in log.read_text().splitlines())
        done = {entry["rank"]: entry for entry in entries}
    copies: SimpleQueue[Path] = SimpleQueue()
    for job in range(arguments.jobs):
        copies.put(copy_of_the_tree(f"copy-{job}"))

    def run(fault: Fault) -> dict[str, str]:
        if fault.rank in done:
            return done[fault.rank]
        copy = copies.get()
        try:
            by, kernel = noticed_by(copy, fault, kernel=""), "compiled"
            if not by and not arguments.compiled_only:
                by, kernel = noticed_by(copy, fault, kernel="plain"), "plain"
        finally:
            copies.put(copy)
        return {"rank": fault.rank, "fault": str(fault), "by": by, "kernel": kernel if by else ""}

    started = time.monotonic()
    with ThreadPoolExecutor(arguments.jobs) as pool, log.open("a") as written:
        results = []
        for number, entry in enumerate(pool.map(run, faults), 1):
            if entry["rank"] not in done:
                written.write(json.dumps(entry) + "\n")
                written.flush()
            results.append(entry)
            minutes = (time.monotonic() - started) / 60
            noticed = entry["by"] or "NOT NOTICED"
            print(
                f"{number}/{len(faults)} {minutes:.0f} min  {entry['fault']}  {noticed}", flush=True
            )
    survivors = [entry["fault"] for entry in results if not entry["by"]]
    if survivors:
        print(*["", "survivors:", *survivors], sep="\n")
    noticed = len(results) - len(survivors)
    print(f"\n{noticed} of {len(results)} faults noticed ({noticed / len(results):.1%})")


if __name__ == "__main__":
    main()
