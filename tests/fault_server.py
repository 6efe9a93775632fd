"""A server of chat completions that fails as real ones do, on loopback, in a process of its own.

Which fault a request meets is drawn from its prompt and the number of its attempt, so that a run
against it can be checked: ``ledger`` gets a line for every answer that went out whole.

    python fault_server.py LEDGER SHARE_OF_FAULTS [SECONDS_OF_A_SLOW_ANSWER]
"""

import hashlib
import json
import random
import re
import socket
import struct
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

# Those after which a client has no answer, and those that are answers of a kind.
BROKEN = ["500", "502", "503", "429", "reset", "cut", "slow"]
ODD = ["wrong_json", "no_message", "refusal", "off_scale", "prose"]


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, ledger, share, slow):
        super().__init__(("127.0.0.1", 0), Handler)
        self.ledger, self.share, self.slow = ledger, share, slow
        self.lock = threading.Lock()
        self.attempts = {}

    def handle_error(self, request, client_address):
        """A client that was killed is no error of ours."""

    def number_of(self, prompt):
        with self.lock:
            self.attempts[prompt] = self.attempts.get(prompt, 0) + 1
            return self.attempts[prompt]

    def note(self, **what):
        with self.lock, self.ledger.open("a") as file:
            file.write(json.dumps(what) + "\n")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = json.dumps(asked, sort_keys=True)
        name = hashlib.sha256(prompt.encode()).hexdigest()
        attempt = self.server.number_of(name)
        draw = random.Random(f"{name} {attempt}")
        # What the model thinks of a text does not depend on when it is asked.
        mark = random.Random(name).randint(1, 5)
        fault = draw.choice(BROKEN + ODD) if draw.random() < self.server.share else ""
        if fault == "reset":
            # Closed with a reset, not with an end.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()
            return
        if fault.isdecimal():
            # All wait while one is told to, so that it is told rarely.
            after = ("1" if draw.random() < 0.2 else "0") if fault == "429" else None
            self.answer(int(fault), json.dumps({"error": {"message": "try again"}}), retry=after)
            return
        if fault == "slow":
            time.sleep(self.server.slow)
        content = json.dumps({"mark": mark, "reason": "as drawn"})
        message = {"role": "assistant", "content": content}
        if fault == "refusal":
            message["content"] = "I'm sorry, but I can't judge this text."
        elif fault == "off_scale":
            message["content"] = '{"mark": 17}'
        elif fault == "prose":
            message["content"] = "A lovely summary, full of promise."
        usage = {"prompt_tokens": len(prompt) // 4, "completion_tokens": 12}
        choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
        body = json.dumps({"object": "chat.completion", "choices": choices, "usage": usage})
        if fault == "wrong_json":
            body = body[:-20]
        elif fault == "no_message":
            body = json.dumps({"error": "no model is loaded"})
        if fault == "cut":
            self.answer(200, body, keep=len(body) // 2)
            self.close_connection = True
            return
        time.sleep(draw.uniform(0, 0.02))
        self.answer(200, body)
        expected = mark if fault in ("", "slow") else fault
        self.server.note(name=name, attempt=attempt, expected=expected, fault=fault, at=time.time())

    def answer(self, status, body, keep=None, retry=None):
        content = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        if retry is not None:
            self.send_header("Retry-After", retry)
        self.end_headers()
        self.wfile.write(content[:keep])
        self.wfile.flush()


@contextmanager
def fault_server(ledger, share=0.2, slow=1.0):
    """The address of a server in a process of its own, which ends with the block."""
    command = [sys.executable, __file__, str(ledger), str(share), str(slow)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = running.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", address), "the server did not start"
        yield address
    finally:
        running.kill()
        running.wait()
        running.stdout.close()


if __name__ == "__main__":
    path, share, slow = Path(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
    with Server(path, share, slow) as server:
        print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
        server.serve_forever()
