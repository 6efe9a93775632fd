"""A server of chat completions on loopback that answers as it is told, request by request."""

import json
import socket
import struct
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def says(content, **message):
    """The body of a whole answer."""
    said = {"role": "assistant", "content": content, **message}
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    return json.dumps({"choices": [{"message": said, "finish_reason": "stop"}], "usage": usage})


class Script:
    """What is answered: each request takes the next of ``replies``, all others the ``last``.

    A reply is a body, or a status with a body and headers, or None for a connection that is reset,
    or a function of the request that gives one of these.
    """

    def __init__(self, *replies, last=None):
        self.replies, self.last = list(replies), last
        self.requests, self.headers = [], []
        self.lock = threading.Lock()

    def next(self, request, headers):
        with self.lock:
            self.requests.append(request)
            self.headers.append(headers)
            reply = self.replies.pop(0) if self.replies else self.last
        return reply


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = self.server.script.next(request, dict(self.headers) | {"path": self.path})
        reply = reply(request) if callable(reply) else reply
        if reply is None:
            # Closed with a reset, not with an end.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()
            return
        status, body, headers = reply if isinstance(reply, tuple) else (200, reply, {})
        content = body.encode()
        self.send_response(status)
        headers = {"Content-Length": len(content), **headers}
        for name, value in headers.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(content)
        self.close_connection = headers["Content-Length"] != len(content)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        """A client that was killed is no error of ours."""


@contextmanager
def scripted_server(script):
    server = _Server(("127.0.0.1", 0), _Handler)
    server.script = script
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
