"""The configurations of docs/web-proxy.md, with the real programs in front of a real server."""

import http.client
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlencode

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "web-proxy.md"
NAME = "study.example.org"


def block(language):
    return re.search(rf"```{language}\n(.*?)```", PAGE.read_text("utf-8"), re.S)[1]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process):
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert process.poll() is None, "the proxy has ended"
        time.sleep(0.05)
    pytest.fail("the proxy does not listen")


def nginx(folder, port, to):
    config = block("nginx").replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    config = config.replace("/etc/ssl/", f"{folder}/").replace("127.0.0.1:8000", f"127.0.0.1:{to}")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    files = ["-keyout", folder / f"{NAME}.key", "-out", folder / f"{NAME}.pem"]
    subject = ["-nodes", "-days", "1", "-subj", f"/CN={NAME}"]
    subprocess.run([*command, *files, *subject], check=True, capture_output=True)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log stderr;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{paths}{config}\n}}\n"
    )
    return ["nginx", "-p", folder, "-c", folder / "nginx.conf"]


def caddy(folder, port, to):
    config = block("caddy").replace("127.0.0.1:8000", f"127.0.0.1:{to}")
    mine = "admin off\nlocal_certs\nskip_install_trust\nauto_https disable_redirects\n"
    mine += f"https_port {port}\nstorage file_system {folder}\n"
    (folder / "Caddyfile").write_text(config.replace("{\n", "{\n" + mine, 1))
    return ["caddy", "run", "--adapter", "caddyfile", "--config", folder / "Caddyfile"]


class Visitor:
    """A browser as far as requests go, through a proxy."""

    def __init__(self, port):
        self.port, self.cookies, self.csrf = port, {}, ""

    def ask(self, method, path, form=None, **headers):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPConnection(NAME, timeout=30)
        plain = socket.create_connection(("127.0.0.1", self.port), 30)
        connection.sock = context.wrap_socket(plain, server_hostname=NAME)
        sent = {"Cookie": "; ".join(f"{n}={v}" for n, v in self.cookies.items()), **headers}
        sent["Content-Type"] = "application/x-www-form-urlencoded"
        body = urlencode({"csrf": self.csrf, **form}) if form is not None else None
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        text, self.answer = answer.read().decode(), answer
        for cookie in answer.headers.get_all("set-cookie") or []:
            assert "; Secure" in cookie
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        token = re.search(r'name="csrf" value="([^"]+)"', text)
        self.csrf = token[1] if token else self.csrf
        connection.close()
        return text


@pytest.mark.slow
@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_the_page_is_served_by_https_and_its_limits_hold_for_each_visitor(tmp_path, proxy):
    if not shutil.which(proxy.__name__):
        pytest.skip(f"no {proxy.__name__}: apt-get install {proxy.__name__}")
    port, to = free_port(), free_port()
    url = ["--url", f"https://{NAME}", "--trusted-proxy", "127.0.0.1", "--port", str(to)]
    serve = [sys.executable, "-u", "-m", "summetry", "serve", *url, "--database", tmp_path / "a.db"]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:
        link = next(line for line in server.stdout if "/enter/" in line).partition("once: ")[2]
        assert link.startswith(f"https://{NAME}/enter/")
        log = (tmp_path / "log").open("w")
        front = subprocess.Popen(proxy(tmp_path, port, to), stdout=log, stderr=log, cwd=tmp_path)
        try:
            wait_for(port, front)
            admin = Visitor(port)
            path = link.strip().removeprefix(f"https://{NAME}")
            admin.ask("GET", path)
            assert admin.answer.getheader("strict-transport-security")
            admin.ask("POST", path, {})
            assert admin.answer.status == 303, (tmp_path / "log").read_text()
            admin.ask("GET", "/accounts")
            made = admin.ask("POST", "/accounts", {"name": "Ada"})
            assert f'value="https://{NAME}/enter/' in made
            # Another name does not come through, whoever refuses it.
            assert "Researchers" not in admin.ask("GET", "/accounts", Host="evil.example")
            # What a visitor claims to be changes nothing.
            thief, codes = Visitor(port), []
            thief.ask("GET", "/login")
            for number in range(11):
                form = {"name": f"Nobody {number}", "password": "wrong"}
                thief.ask("POST", "/login", form, **{"X-Forwarded-For": f"10.0.0.{number}"})
                codes.append(thief.answer.status)
            assert codes == [401] * 10 + [429]
        finally:
            for process in (front, server):
                process.kill()
                process.wait()
            log.close()
