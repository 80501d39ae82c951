"""What the tests share: a server of a folder, a server on a port that stays, and a proxy that cuts connections."""

import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import unittest

import tarry

SPACE = {"x": tarry.Float(0, 1), "kind": tarry.Categorical(["a", "b"])}


def bowl(query):
    return (query["x"] - 0.3) ** 2 + (query["kind"] == "a")


class Case(unittest.TestCase):
    """A test with a folder that is there for as long as it runs."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def serve(self, *args, **settings):
        server = tarry.Server(self.folder, args=args)
        self.addCleanup(server.close)
        client = server.client(**settings)
        self.addCleanup(client.close)
        return client

    def study(self, **options):
        options = {"space": SPACE, "policy": "random", "seed": 1, "budget": 20, **options}
        return self.serve().create("s", **options)


def free_port():
    """A port that no outgoing connection gets, so that a server can come back to it."""
    while True:
        port = random.randrange(20000, 30000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


class Mortal:
    """A server that is killed and comes back, with the same folder and port."""

    def __init__(self, folder):
        self.folder, self.address = folder, f"127.0.0.1:{free_port()}"
        self.start()

    def start(self):
        self.process = subprocess.Popen([os.environ["TARRY"], "serve", self.folder, "--http", self.address, "--without-tls"], stderr=subprocess.PIPE)
        while b" is served on " not in self.process.stderr.readline():
            pass

    def end(self, how):
        self.process.send_signal(how)
        self.process.wait()
        self.process.stderr.close()

    def kill(self):
        self.end(signal.SIGKILL)


class Proxy:
    """Passes bytes on, and cuts as many connections as ``cuts`` says, or each ``every``-th, when the answer comes, which is lost then."""

    def __init__(self, url):
        host, _, port = url.rpartition("/")[2].partition(":")
        self.to, self.lock = (host, int(port)), threading.Lock()
        self.cuts, self.every, self.answers = 0, 0, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(self.to)
            threading.Thread(target=self.pump, args=(near, far, False), daemon=True).start()
            threading.Thread(target=self.pump, args=(far, near, True), daemon=True).start()

    def pump(self, source, sink, answers):
        try:
            while True:
                part = source.recv(1 << 16)
                if not part or answers and self.cut():
                    break
                sink.sendall(part)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def cut(self):
        with self.lock:
            self.answers += 1
            if self.every and self.answers % self.every == 0:
                return True
            if self.cuts == 0:
                return False
            self.cuts -= 1
            return True

    def close(self):
        self.listener.close()
