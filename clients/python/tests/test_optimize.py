"""Evaluating: several at once, failures, Ctrl-C."""

import math
import os
import signal
import subprocess
import sys
import textwrap
import threading
import unittest

import tarry
from world import Case, bowl


class Optimize(Case):
    def test_as_many_evaluations_run_at_once_as_there_are_jobs(self):
        study = self.study(budget=24, minimize=True)
        together = threading.Barrier(4)

        def objective(query):
            together.wait(60)
            return bowl(query)

        best = study.optimize(objective, n_jobs=4)
        self.assertEqual(best, study.best())
        self.assertEqual(study.state()["counts"]["observed"], 24)
        self.assertEqual(study.optimize(objective, n_jobs=4), best)  # it has ended

    def test_trials_and_time_end_a_call_and_the_next_goes_on(self):
        study = self.study()
        study.optimize(bowl, n_trials=5, n_jobs=2)
        self.assertEqual(study.state()["evaluations"], 5)
        study.optimize(bowl, timeout=0)
        self.assertEqual(study.state()["evaluations"], 5)
        study.optimize(bowl)
        self.assertEqual(study.state()["counts"]["observed"], 20)
        self.assertRaises(ValueError, study.optimize, bowl, n_jobs=0)

    def test_what_an_objective_may_say(self):
        study = self.study(constraints=[{"name": "size", "at_most": 2}], budget=8)

        def objective(query):
            if query.id == 1:
                return tarry.Outcome(5, constraints={"size": 3})  # the best value, and infeasible
            if query.id == 2:
                raise tarry.Infeasible("no such wing")
            if query.id == 3 and query.attempt == 1:
                raise tarry.Lost("preempted")
            if query.id == 4:
                raise OSError("the disk")
            if query.id == 5:
                return math.nan
            return tarry.Outcome(query["x"], constraints={"size": 1}, cost=2)

        best = study.optimize(objective, catch=OSError)
        counts = study.state()["counts"]
        self.assertEqual((counts["observed"], counts["failed"], counts["infeasible"], counts["pending"]), (4, 2, 2, 0))
        self.assertNotEqual(best.id, 1)
        self.assertEqual(study.evaluation(3)["attempt"], 2)
        self.assertIn("disk", study.evaluation(4)["reason"])
        self.assertIn("nan", study.evaluation(5)["reason"])
        self.assertEqual(study.evaluation(6)["cost"], 2)

    def test_any_other_exception_ends_everything_and_is_raised(self):
        for jobs in (1, 3):
            study = self.study(budget=10) if jobs == 1 else study.client.create("t", space={"x": tarry.Float(0, 1)}, policy="random", budget=10)

            def objective(query):
                if query.id == 2:
                    raise KeyError("a mistake")
                return 1.0

            with self.assertRaises(KeyError):
                study.optimize(objective, n_jobs=jobs)
            self.assertEqual(study.evaluation(2)["status"], "failed")
            self.assertEqual(study.pending(), [])
            with self.assertRaises(TypeError):
                study.optimize(lambda query: "0.5")

    def test_what_cannot_be_told_has_failed_and_is_raised_unless_it_is_caught(self):
        client = self.serve()
        constraints = [{"name": "size", "at_most": 1}]
        for n, (out, reason, error) in enumerate((
            (None, "value = None: want a number", TypeError),
            (0.5, "constraints: missing: .* size", tarry.Invalid),
            (tarry.Outcome(0.5, constraints={"size": math.nan}), "constraints.size = nan: want", ValueError),
            (tarry.Outcome(0.5, constraints=[math.inf]), r"constraints\[0\] = inf: want", ValueError),
            (tarry.Outcome(0.5, constraints={"size": None}), "constraints.size = None: want", TypeError),
            (tarry.Outcome(0.5, constraints=7), "'int' object is not iterable", TypeError),
            (tarry.Outcome(0.5, constraints={"sise": 1}), "constraints.sise: unknown constraint: did you mean size", tarry.Invalid),
            (tarry.Outcome(0.5, constraints={"size": 0}, cost=math.nan), "cost = nan: want", ValueError),
            (tarry.Outcome(0.5, constraints={"size": 0}, cost=-1), "cost = -1.*: want", tarry.Invalid),
        )):
            study = client.create(f"s{n}", space={"x": tarry.Float(0, 1)}, constraints=constraints, policy="random", seed=1, budget=4)
            with self.assertRaisesRegex(error, reason):
                study.optimize(lambda query: out)
            self.assertEqual((study.pending(), study.evaluation(1)["status"]), ([], "failed"))
            self.assertRegex(study.evaluation(1)["reason"], reason)
            best = study.optimize(lambda query: out if query.id == 2 else tarry.Outcome(query["x"], {"size": 0}), catch=error, n_jobs=2)
            self.assertIsNotNone(best)
            self.assertEqual((study.state()["counts"]["failed"], study.state()["counts"]["observed"]), (2, 2))
        self.assertRaisesRegex(TypeError, "^catch = ", study.optimize, bowl, catch=[ValueError])

    def test_queries_that_somebody_left_are_evaluated_too(self):
        study = self.study(budget=10, pending=3)
        study.ask(3)
        study.optimize(bowl, n_jobs=2)  # which would be held for ever otherwise
        self.assertEqual(study.state()["counts"]["observed"], 10)

    def test_a_lease_is_renewed_while_an_evaluation_goes_on(self):
        study = self.study(budget=2, lease=0.4)
        renewed = threading.Event()
        events = study.events(0)

        def watch():
            for event in events:
                if event.kind == "lease-renewed" and event.data["evaluation"] == 1:
                    renewed.set()
                    return

        threading.Thread(target=watch, daemon=True).start()
        study.optimize(lambda query: (renewed.wait(60), 1.0)[1], renew=0.05)
        self.assertTrue(renewed.is_set())
        self.assertEqual(study.state()["counts"]["observed"], 2)


PROGRAM = """
import signal, sys, threading, time, tarry
signal.signal(signal.SIGINT, signal.default_int_handler)  # though who runs the tests ignores it
client = tarry.Client(sys.argv[1])
jobs = int(sys.argv[2])
begun = threading.Barrier(jobs, action=lambda: print("begun", flush=True))
go = threading.Event()

def read():
    if sys.stdin.readline():
        go.set()

def objective(query):
    begun.wait()
    go.wait()  # until the test says so
    if threading.current_thread().name == "tarry-1":
        time.sleep(0.5)  # the thread that Ctrl-C found waited for ends last
    return query["x"]

threading.Thread(target=read, daemon=True).start()
client.study("s").optimize(objective, n_jobs=jobs, alone=True)
"""


WAITING = """
import signal, sys, threading, tarry
signal.signal(signal.SIGINT, signal.default_int_handler)
study = tarry.Client(sys.argv[1]).study("s")
study.state()
threading.Timer(0.5, print, ["begun"], {"flush": True}).start()
study.optimize(lambda query: 1 / 0, n_jobs=int(sys.argv[2]))
"""


STARTING = """
import sys, threading, tarry
begun, go = threading.Event(), threading.Event()
start = threading.Thread.start

def interrupted(thread):
    start(thread)
    if thread.name == "tarry-2":
        begun.wait()
        threading.Timer(0.5, go.set).start()
        raise KeyboardInterrupt

def objective(query):
    begun.set()
    go.wait()
    return query["x"]

threading.Thread.start = interrupted
tarry.Client(sys.argv[1]).study("s").optimize(objective, n_jobs=3, alone=True)
"""


class Interrupts(Case):
    def begin(self, study, jobs):
        program = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(PROGRAM), study.client.url, str(jobs)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1,
        )
        self.assertEqual(program.stdout.readline(), "begun\n")
        return program

    def end(self, program):
        _, errors = program.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", errors)
        self.assertNotEqual(program.returncode, 0)

    def test_ctrl_c_interrupts_the_only_evaluation_which_is_asked_again(self):
        study = self.study(budget=3)
        program = self.begin(study, 1)
        program.send_signal(signal.SIGINT)
        self.end(program)
        self.assertEqual(study.pending(), [])
        study.optimize(bowl)
        self.assertEqual(study.state()["counts"]["observed"], 3)
        self.assertEqual(study.evaluation(1)["attempt"], 2)

    def test_ctrl_c_ends_who_waits_for_a_query(self):
        for jobs in (1, 3):
            study = self.study(budget=9, pending=1) if jobs == 1 else study
            held = study.pending() or study.ask()
            program = subprocess.Popen(
                [sys.executable, "-c", textwrap.dedent(WAITING), study.client.url, str(jobs)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            self.assertEqual(program.stdout.readline(), "begun\n")
            program.send_signal(signal.SIGINT)
            self.end(program)
            self.assertEqual(study.pending(), list(held))

    def test_ctrl_c_waits_for_the_evaluations_that_run(self):
        study = self.study(budget=9)
        program = self.begin(study, 3)
        program.send_signal(signal.SIGINT)
        self.assertIn("waiting for 3", program.stderr.readline())
        program.stdin.write("\n")
        self.end(program)
        counts = study.state()["counts"]
        self.assertEqual((counts["observed"], counts["pending"]), (3, 0))

    def test_ctrl_c_while_the_threads_are_started_waits_for_those_that_were(self):
        study = self.study(budget=9)
        program = subprocess.run([sys.executable, "-c", STARTING, study.client.url], capture_output=True, text=True, timeout=60)
        self.assertIn("KeyboardInterrupt", program.stderr)
        self.assertEqual(study.pending(), [])
        self.assertGreater(study.state()["counts"]["observed"], 0)

    def test_a_second_ctrl_c_leaves_them_to_whoever_comes_next(self):
        study = self.study(budget=9)
        program = self.begin(study, 3)
        program.send_signal(signal.SIGINT)
        self.assertIn("waiting for 3", program.stderr.readline())
        program.send_signal(signal.SIGINT)
        self.end(program)
        self.assertEqual(study.pending(), [])
        self.assertEqual(sorted(query.id for query in study.ask(3)), [1, 2, 3])


if __name__ == "__main__":
    unittest.main()
