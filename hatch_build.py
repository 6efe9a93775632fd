"""Compiles the kernel (``src/summetry/arrays/kernel``) when the package is built."""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# No fused multiplications and nothing that changes the order of sums: the bits are to be the same
# with every compiler.
FLAGS = ["-std=c11", "-O3", "-ffp-contract=off", "-Wall", "-Wextra", "-shared", "-fPIC",
         "-fvisibility=hidden"]  # fmt: skip
ENDINGS = {"win32": ".dll", "darwin": ".dylib"}


class Kernel(BuildHookInterface):
    def dependencies(self):
        return [] if shutil.which("cc") else ["ziglang"]

    def initialize(self, version, build_data):
        folder = Path(self.root, "src", "summetry", "arrays", "kernel")
        library = folder / ("library" + ENDINGS.get(sys.platform, ".so"))
        compiler = ["cc"] if shutil.which("cc") else [sys.executable, "-m", "ziglang", "cc"]
        sources = sorted(map(str, folder.glob("*.c")))
        subprocess.run([*compiler, *FLAGS, "-o", str(library), *sources], check=True)
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data.update(pure_python=False, tag=f"py3-none-{platform}")
        build_data["artifacts"].append(f"src/summetry/arrays/kernel/{library.name}")
