"""Connections that are lost, servers that die, limits, certificates."""

import http.server
import os
import socket
import socketserver
import threading
import unittest
from unittest import mock

import tarry
from world import SPACE, Case, Mortal, Proxy, bowl, free_port


class Trouble(Case):
    def through_a_proxy(self, **options):
        study = self.study(**options)
        proxy = Proxy(study.client.url)
        self.addCleanup(proxy.close)
        client = tarry.Client(proxy.url, retry=20)
        self.addCleanup(client.close)
        return proxy, client.study("s"), study

    def test_an_ask_whose_answer_is_lost_gives_the_same_query_again(self):
        proxy, study, direct = self.through_a_proxy()
        proxy.cuts = 2
        query = study.ask()[0]
        self.assertEqual((proxy.cuts, query.id), (0, 1))
        self.assertEqual(direct.state()["evaluations"], 1)
        proxy.cuts = 1
        self.assertFalse(direct.tell(query, 1).repeated)
        self.assertTrue(study.tell(query, 1).repeated)

    def test_a_tell_and_an_observation_whose_answers_are_lost_count_once(self):
        proxy, study, direct = self.through_a_proxy()
        query = study.ask()[0]
        proxy.cuts = 1
        self.assertTrue(study.tell(query, 0.5).repeated)
        proxy.cuts = 1
        study.observe({"x": 0.1, "kind": "a"}, 2)
        proxy.cuts = 1
        study.enqueue({"x": 0.2, "kind": "b"})
        self.assertEqual(study.ask()[0].params, {"x": 0.2, "kind": "b"})
        self.assertNotEqual(study.ask()[0].params, {"x": 0.2, "kind": "b"})
        self.assertEqual(direct.state()["counts"]["observed"], 2)

    def test_where_every_fifth_answer_is_lost_nothing_else_is(self):
        proxy, study, direct = self.through_a_proxy(budget=60)
        proxy.every = 5
        evaluated = []

        def objective(query):
            evaluated.append(query.id)
            return bowl(query)

        study.optimize(objective, n_jobs=4)
        self.assertGreater(proxy.answers, 120)
        self.assertEqual(sorted(evaluated), list(range(1, 61)))  # each of them once
        self.assertEqual(direct.state()["counts"]["observed"], 60)

    def test_what_is_no_server_of_tarry_is_said_so(self):
        page = socketserver.TCPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
        threading.Thread(target=page.serve_forever, daemon=True).start()
        self.addCleanup(page.server_close)
        self.addCleanup(page.shutdown)
        with tarry.Client(f"http://127.0.0.1:{page.server_address[1]}", retry=1) as client:
            self.assertRaises(tarry.TarryError, client.studies)  # 404, and no document
            self.assertRaises(tarry.TarryError, client._call, "GET", "/")  # 200, and no JSON

    def test_events_go_on_where_a_connection_was_cut(self):
        proxy, study, direct = self.through_a_proxy(budget=30)
        from_now_on = study.events()
        got = []

        def read():
            for event in from_now_on:
                got.append(event)
                if event.data["spent"] == 30 and event.data["pending"] == 0:
                    return

        for query in direct.ask(3):  # which nobody hears of
            direct.tell(query, bowl(query))
        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        while not any(c.kind == "feedback-arrived" for c in got):  # the stream has begun
            query = direct.ask()[0]
            direct.tell(query, bowl(query))
        proxy.cuts = 1
        direct.optimize(bowl)
        thread.join(60)
        self.assertFalse(thread.is_alive())
        numbers = [event.seq for event in got]
        self.assertEqual(numbers, sorted(set(numbers)))
        told = [event.data["evaluation"] for event in got if event.kind == "feedback-arrived"]
        self.assertEqual(told, list(range(told[0], 31)))
        self.assertGreater(told[0], 3)
        self.assertEqual(proxy.cuts, 0)

    def test_a_reader_of_events_that_was_cut_off_hears_of_a_pause_that_ended_meanwhile(self):
        proxy, study, direct = self.through_a_proxy(budget=30)
        events = study.events()
        got = []

        def read():
            for event in events:
                got.append((event.kind, event.data.get("paused")))
                if event.kind == "feedback-arrived":
                    return

        turn = lambda verb: direct.client._call("POST", f"{direct._path}/{verb}")
        thread = threading.Thread(target=read, daemon=True)
        turn("pause")
        thread.start()
        while not got:
            threading.Event().wait(0.01)
        proxy.cuts = 1  # what it says of the end of the pause is lost
        turn("resume")
        while len(got) < 2:
            threading.Event().wait(0.01)
        proxy.cuts = 1  # and so is the query, of which it hears when it comes again
        query = direct.ask()[0]
        while proxy.cuts:
            threading.Event().wait(0.01)
        direct.tell(query, 1)
        thread.join(60)
        self.assertFalse(thread.is_alive())
        self.assertEqual([paused for kind, paused in got if kind == "paused"], [True, False])

    def test_a_server_that_cannot_be_reached_is_said_so(self):
        client = tarry.Client(f"http://127.0.0.1:{free_port()}", retry=0.3)
        self.assertRaises(tarry.Unreachable, client.studies)
        self.assertRaises(ConnectionError, client.studies)
        self.assertRaises(tarry.Unreachable, lambda: next(client.study("s").events()))

    def test_a_server_that_says_nothing_is_given_up(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            with tarry.Client(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=0.2, retry=0.3) as client:
                self.assertRaises(tarry.Unreachable, client.studies)

    def test_the_program_is_found_in_path(self):
        with mock.patch.dict(os.environ):
            del os.environ["TARRY"]
            self.assertEqual(self.serve().studies(), [])
            os.environ["PATH"] = self.folder
            with self.assertRaises(tarry.TarryError) as caught:
                tarry.Server(self.folder)
            self.assertIn("no tarry in PATH", str(caught.exception))

    def test_a_limit_is_waited_for_as_long_as_the_server_says(self):
        client = self.serve("--rate", "2")
        for _ in range(6):
            self.assertEqual(client.studies(), [])
        impatient = tarry.Client(client.url, retry=0)
        self.addCleanup(impatient.close)
        with self.assertRaises(tarry.Busy) as caught:
            for _ in range(6):
                impatient.studies()
        self.assertEqual(caught.exception.type, "rate")

    def test_a_server_that_is_killed_and_comes_back_is_the_same(self):
        server = Mortal(self.folder)
        self.addCleanup(lambda: server.end(15))
        client = tarry.Client(f"http://{server.address}", retry=60)
        study = client.create("s", space=SPACE, policy="random", seed=1, budget=40, minimize=True)
        killed, lock = [], threading.Lock()

        def objective(query):
            with lock:
                if query.id in (7, 20) and query.id not in killed:
                    killed.append(query.id)
                    server.kill()
                    threading.Timer(0.5, server.start).start()
            return bowl(query)

        best = study.optimize(objective, n_jobs=3, alone=True)
        state = study.state()
        self.assertEqual(killed, [7, 20])
        self.assertEqual((state["counts"]["observed"], state["counts"]["pending"], state["ended"]), (40, 0, "budget spent"))
        self.assertEqual(best, study.best())
        client.close()

    @unittest.skipUnless("TARRY_CERTIFICATES" in os.environ, "no certificates: the Go test makes them")
    def test_callers_show_a_certificate(self):
        folder = os.environ["TARRY_CERTIFICATES"]
        file = lambda name: os.path.join(folder, name)
        server = tarry.Server(self.folder, args=["--tls-cert", file("server.pem"), "--tls-key", file("server.key"), "--client-ca", file("ca.pem")])
        self.addCleanup(server.close)
        client = server.client(ca=file("ca.pem"), cert=file("client.pem"), key=file("client.key"))
        study = client.create("s", space=SPACE, policy="random", budget=5)
        self.assertIsNotNone(study.optimize(bowl, n_jobs=2))
        self.assertGreater(next(study.events(0)).seq, 0)
        client.close()
        without = server.client(ca=file("ca.pem"), retry=1)
        self.assertRaises(tarry.Unreachable, without.studies)
        distrusting = server.client(cert=file("client.pem"), key=file("client.key"), retry=1000)
        self.assertRaises(tarry.Unreachable, distrusting.studies)  # at once: it would not get better
        self.assertRaises(tarry.Unreachable, lambda: next(distrusting.study("s").events()))

    def test_a_folder_is_served_once_and_the_program_must_be_there(self):
        self.serve()
        with self.assertRaises(tarry.TarryError) as caught:
            tarry.Server(self.folder)
        self.assertIn("served by another process", str(caught.exception))
        with self.assertRaises(tarry.TarryError):
            tarry.Server(self.folder, binary=os.path.join(self.folder, "none"))


if __name__ == "__main__":
    unittest.main()
