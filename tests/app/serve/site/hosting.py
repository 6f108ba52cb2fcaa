"""Simple web servers for static files."""

import re
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class WholeFiles(SimpleHTTPRequestHandler):
    """Request handler of `python -m http.server` that does not log requests."""

    def log_message(self, *words):
        pass


class Parts(WholeFiles):
    """Request handler that sends parts of files, and counts the bytes sent of each file."""

    sent: dict[str, int]

    def do_GET(self):
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("range", ""))
        if not found:
            super().do_GET()
            return
        with open(self.translate_path(self.path), "rb") as file:  # noqa: PTH123
            first, last = map(int, found.groups())
            file.seek(first)
            part = file.read(last + 1 - first)
        name = self.path.rpartition("/")[2]
        self.sent[name] = self.sent.get(name, 0) + len(part)
        self.send_response(206)
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)


@contextmanager
def hosting(folder, handler=WholeFiles):
    """Serve a folder of files; yield its address."""
    made = partial(handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), made) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join(10)
