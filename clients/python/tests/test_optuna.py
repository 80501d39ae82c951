"""TarrySampler beside Optuna's own storage, pruners, threads and processes."""

import copy
import math
import os
import pickle
import subprocess
import sys
import threading
import unittest
import warnings

import optuna
import tarry
from optuna.trial import TrialState
from tarry_optuna import TarrySampler
from world import Case, Mortal

optuna.logging.set_verbosity(optuna.logging.ERROR)


def mixed(trial):
    x = trial.suggest_float("x", -5, 10)
    rate = trial.suggest_float("learning rate / 1", 1e-5, 1, log=True)  # no name for tarry
    drop = trial.suggest_float("drop", 0, 0.5, step=0.1)
    layers = trial.suggest_int("layers", 1, 9, step=2)
    width = trial.suggest_int("width", 1, 1024, log=True)
    kind = trial.suggest_categorical("kind", ["a", None, True, 3.5, "None"])
    only = trial.suggest_int("only", 4, 4)
    return (x - 2) ** 2 + math.log10(rate / 0.01) ** 2 + (drop - 0.2) ** 2 + (layers - 5) ** 2 + math.log(width / 60) ** 2 + (kind is not None) + only


def plane(trial):
    return (trial.suggest_float("x", 0, 1) - 0.3) ** 2 + (trial.suggest_float("y", 0, 1) - 0.6) ** 2


class Sampler(Case):
    def sampler(self, **settings):
        if not hasattr(self, "client"):
            self.client = self.serve()
        return TarrySampler(self.client, **{"seed": 1, "policy": "gp-bucb", **settings})

    def beside(self):
        """The only study of tarry that there is."""
        (name,) = self.client.studies()
        return self.client.study(name)

    def told(self, study=None):
        """What tarry was told: values by point."""
        return [(e["x"], e["value"]) for e in (study or self.beside()).export()["evaluations"] if e["value"] is not None]

    def test_every_distribution_is_searched_and_every_value_told(self):
        study = optuna.create_study(sampler=self.sampler(policy="auto"))
        study.optimize(mixed, n_trials=60)
        values = [t.value for t in study.trials]
        self.assertLess(min(values), sorted(values[:12])[0])
        for t in study.trials:
            for name, value in t.params.items():
                self.assertTrue(t.distributions[name]._contains(t.distributions[name].to_internal_repr(value)), (name, value))
        self.assertEqual(sorted(value for _, value in self.told()), sorted(values))
        self.assertEqual({len({repr(t.params[name]) for t in study.trials}) > 2 for name in study.trials[0].params if name != "only"}, {True})

    def test_the_best_of_a_bowl_is_found(self):
        study = optuna.create_study(sampler=self.sampler(n_startup_trials=5))
        study.optimize(plane, n_trials=30)
        self.assertLess(study.best_value, 1e-3)

    def test_the_same_seed_makes_the_same_trials_and_another_one_others(self):
        def run(seed, sign, direction):
            study = optuna.create_study(sampler=self.sampler(seed=seed), direction=direction)
            study.optimize(lambda trial: sign * plane(trial), n_trials=15)
            return [t.params for t in study.trials]

        first = run(1, 1, "minimize")
        self.assertEqual(first, run(1, 1, "minimize"))
        self.assertEqual(first, run(1, -1, "maximize"))
        self.assertNotEqual(first, run(2, 1, "minimize"))

    def test_several_jobs_are_each_told_and_none_is_at_the_point_of_another(self):
        study = optuna.create_study(sampler=self.sampler())
        together = threading.Barrier(8)

        def objective(trial):
            value = plane(trial)
            together.wait(60)  # eight points are chosen before one of them has a value
            return value

        study.optimize(objective, n_trials=32, n_jobs=8)
        points = {tuple(t.params.values()) for t in study.trials}
        self.assertEqual((len(points), len(self.told())), (32, 32))

    def test_trials_of_an_earlier_run_are_told_as_observations(self):
        storage = f"sqlite:///{self.folder}/o.sqlite"
        study = optuna.create_study(storage=storage, study_name="s", sampler=optuna.samplers.RandomSampler(seed=1))
        study.optimize(plane, n_trials=25)
        best = study.best_value
        again = optuna.load_study(storage=storage, study_name="s", sampler=self.sampler(policy="auto"))
        again.optimize(plane, n_trials=8)
        evaluations = self.beside().export()["evaluations"]
        self.assertEqual([e["foreign"] for e in evaluations], [True] * 25 + [False] * 8)
        self.assertLess(min(t.value for t in again.trials[25:]), best)

    def test_trials_of_other_processes_are_pending_while_they_run(self):
        storage = f"sqlite:///{self.folder}/o.sqlite"
        study = optuna.create_study(storage=storage, study_name="s", sampler=self.sampler())
        study.optimize(plane, n_trials=2)
        other = optuna.load_study(storage=storage, study_name="s", sampler=optuna.samplers.RandomSampler(seed=9))
        running = other.ask()
        half = other.ask()
        half.suggest_float("x", 0, 1)  # whose point is not known yet
        value = plane(running)
        study.optimize(plane, n_trials=1)
        (pending,) = self.beside().pending()
        self.assertEqual(pending.params, running.params)
        other.tell(running, value)
        study.optimize(plane, n_trials=1)
        self.assertEqual(self.beside().pending(), [])
        self.assertIn((running.params, value), self.told())

    def test_enqueued_trials_whole_half_and_out_of_range(self):
        study = optuna.create_study(sampler=self.sampler())
        study.optimize(plane, n_trials=2)
        study.enqueue_trial({"x": 0.25, "y": 0.5})
        study.enqueue_trial({"x": 0.75})
        study.enqueue_trial({"x": 7.0})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Optuna's of a value out of range
            study.optimize(plane, n_trials=4)
        self.assertEqual(study.trials[2].params, {"x": 0.25, "y": 0.5})
        self.assertEqual(study.trials[3].params["x"], 0.75)
        self.assertEqual(study.trials[4].params["x"], 7.0)
        told = self.told()
        for t in study.trials:
            self.assertEqual((t.params, t.value) in told, t.number != 4, t)
        self.assertEqual(self.beside().pending(), [])

    def test_values_on_a_grid_may_be_rounded_and_names_may_be_odd(self):
        def objective(trial):
            kind = trial.suggest_categorical("", ["é", "è", "", "2:", "?"])
            return trial.suggest_float("a b", 0, 1, step=0.1) + trial.suggest_int("a_b", 0, 9) + trial.suggest_float("p-a_b", -1, 1, step=0.25) + len(kind)

        study = optuna.create_study(sampler=self.sampler())
        study.optimize(objective, n_trials=2)
        study.enqueue_trial({"": "è", "a b": 0.1 * 3, "a_b": 3, "p-a_b": 0.0})  # 0.30000000000000004
        study.optimize(objective, n_trials=6)
        evaluations = self.beside().export()["evaluations"]
        self.assertEqual([e["foreign"] for e in evaluations], [True] + [False] * 7)
        self.assertEqual([e["status"] for e in evaluations], ["observed"] * 8)
        self.assertEqual(sorted(e["value"] for e in evaluations), sorted(t.value for t in study.trials))

    def test_failed_pruned_and_infinite_trials(self):
        study = optuna.create_study(sampler=self.sampler())

        def objective(trial):
            value = plane(trial)
            if trial.number == 3:
                raise OSError("the disk")
            if trial.number == 4:
                return math.inf
            if trial.number == 5:
                return math.nan
            if trial.number in (6, 7):
                trial.report({6: 9.0, 7: -9.0}[trial.number], 1)
                raise optuna.TrialPruned
            if trial.number == 8:
                raise optuna.TrialPruned
            return value

        study.optimize(objective, n_trials=12, catch=OSError)
        counts = self.beside().state()["counts"]
        self.assertEqual((counts["failed"], counts["observed"], counts["pending"]), (4, 8, 0))
        by_point = dict((tuple(sorted(x.items())), value) for x, value in self.told())
        of = lambda number: by_point[tuple(sorted(study.trials[number].params.items()))]
        completed = sorted(study.trials[i].value for i in range(3))
        self.assertEqual(of(6), 9.0)  # worse than the median
        self.assertEqual(of(7), completed[1])  # better than it, which a pruned trial is not

    def test_a_space_that_grows_and_branches(self):
        study = optuna.create_study(sampler=self.sampler())

        def objective(trial):
            value = plane(trial)
            if trial.number >= 5:
                value += trial.suggest_float("new", 0, 1)  # which the earlier trials do not have
            if trial.suggest_categorical("kind", ["a", "b"]) == "a":
                value += trial.suggest_int("depth", 1, 5)
            return value

        with self.assertLogs("optuna.tarry", "WARNING") as logs:
            study.optimize(objective, n_trials=20)
        self.assertEqual(sum("Parameter new " in line for line in logs.output), 1)
        spaces = [set(p["name"] for p in self.client.study(name).space()["parameters"]) for name in self.client.studies()]
        self.assertIn({"x", "y", "kind"}, spaces)
        last = next(self.client.study(name) for name, space in zip(self.client.studies(), spaces) if space == {"x", "y", "kind"})
        self.assertEqual(len(self.told(last)), 20)

    def test_a_parameter_whose_range_changes_is_left_out(self):
        study = optuna.create_study(sampler=self.sampler())
        study.optimize(lambda trial: trial.suggest_float("x", 0, 1) + trial.suggest_float("y", 0, 1 + trial.number // 5), n_trials=10)
        last = [self.client.study(name) for name in self.client.studies() if len(self.client.study(name).space()["parameters"]) == 1]
        self.assertEqual(len(self.told(last[0])), 10)

    def test_constraints_are_learned(self):
        def objective(trial):
            x, y = trial.suggest_float("x", 0, 1), trial.suggest_float("y", 0, 1)
            trial.set_user_attr("c", (0.5 - x, y - 0.5))  # x at least and y at most a half
            return x - y

        study = optuna.create_study(sampler=self.sampler(constraints_func=lambda trial: trial.user_attrs["c"]))
        study.optimize(objective, n_trials=30)
        feasible = [t.value for t in study.trials if max(t.user_attrs["c"]) <= 0]
        self.assertLess(min(feasible), 0.02)  # the best is 0
        self.assertEqual(study.trials[4].system_attrs["constraints"], study.trials[4].user_attrs["c"])
        best = self.beside().best()
        self.assertAlmostEqual(best.value, min(feasible))

    def test_a_finite_space_that_is_exhausted_goes_on_at_random(self):
        study = optuna.create_study(sampler=self.sampler(policy="auto"))
        with self.assertLogs("optuna.tarry", "WARNING") as logs:
            study.optimize(lambda trial: 1.1 ** "abc".index(trial.suggest_categorical("k", "abc")) + trial.suggest_int("n", 0, 1) / 7, n_trials=20)
        self.assertEqual((len(study.trials), study.best_value), (20, 1))
        self.assertEqual(["has no query" in line for line in logs.output], [True])

    def test_what_tarry_refuses_of_a_space_is_drawn_at_random_and_said(self):
        def objective(trial):
            refused = trial.suggest_int("seed", 0, 2**41) + trial.suggest_int("log", 1, 2**45, log=True) + trial.suggest_int("large", 0, 2**60)
            refused += trial.suggest_float("fine", 0, 1, step=1e-15) + trial.suggest_float("tiny", 1e-320, 1, log=True)
            return plane(trial) + 0 * refused

        study = optuna.create_study(sampler=self.sampler())
        with self.assertLogs("optuna.tarry", "WARNING") as logs:
            study.optimize(objective, n_trials=12)
        said = "\n".join(logs.output)
        self.assertEqual(len(logs.output), 5)
        for name in ("seed", "log", "large", "fine", "tiny"):
            self.assertRegex(said, f"Parameter {name} of trial 1 is drawn independently: tarry refuses it: ")
        self.assertIn("want fewer than 2^40 values", said)
        self.assertEqual([p["name"] for p in self.beside().space()["parameters"]], ["x", "y"])
        self.assertEqual(len(self.told()), 12)
        alone = optuna.create_study(sampler=self.sampler())
        alone.optimize(lambda trial: trial.suggest_int("seed", 0, 2**41), n_trials=4)
        self.assertEqual({t.state for t in alone.trials}, {TrialState.COMPLETE})

    def test_an_error_of_tarry_leaves_no_trial_that_runs(self):
        study = optuna.create_study(sampler=self.sampler(policy="none"))
        self.assertRaises(tarry.Invalid, study.optimize, plane, n_trials=2)
        self.assertEqual([t.state for t in study.trials], [TrialState.COMPLETE, TrialState.FAIL])

    def test_a_study_has_any_name(self):
        for name in ("-1", "--", "../é"):
            optuna.create_study(study_name=name, sampler=self.sampler()).optimize(plane, n_trials=3)
        self.assertEqual([study.rpartition("-")[0] for study in sorted(self.client.studies())], ["1", "____", "study"])

    def test_a_pause_is_said_and_what_was_named_meanwhile_is_not_asked_later(self):
        study = optuna.create_study(sampler=self.sampler())
        study.optimize(plane, n_trials=3)
        turn = lambda verb: self.client._call("POST", f"{self.beside()._path}/{verb}")
        turn("pause")
        study.enqueue_trial({"x": 0.25, "y": 0.5})
        study.enqueue_trial({"x": 0.125, "y": 0.5})
        with self.assertLogs("optuna.tarry", "WARNING") as logs:
            study.optimize(plane, n_trials=4)
        self.assertEqual(len(logs.output), 1)
        self.assertIn("no query for trial 3: the study is paused", logs.output[0])
        turn("resume")
        study.optimize(plane, n_trials=4)
        self.assertEqual(sum(t.params == {"x": 0.25, "y": 0.5} for t in study.trials), 1)
        evaluations = self.beside().export()["evaluations"]
        self.assertEqual(sum(e["status"] == "observed" and not e["foreign"] for e in evaluations), 2 + 4)
        self.assertEqual((len(self.told()), self.beside().pending()), (11, []))

    def test_trials_that_began_before_one_had_completed_are_not_warned_of(self):
        study = optuna.create_study(sampler=self.sampler())
        early, first = study.ask(), study.ask()
        study.tell(first, plane(first))
        study.optimize(plane, n_trials=2)
        with self.assertLogs("optuna.tarry", "WARNING") as logs:
            early.suggest_float("x", 0, 1)
            study.optimize(lambda trial: plane(trial) + trial.suggest_float("new", 0, 1), n_trials=1)
        self.assertEqual(["Parameter new " in line for line in logs.output], [True])

    def test_a_grid_so_fine_that_floats_hardly_tell_it_is_searched(self):
        for n, (low, high, step) in enumerate(((0, 1000, 1e-6), (1000.1, 2000.1, 1e-6), (0, 1, 1e-12), (-1, 1, 1e-11))):
            study = optuna.create_study(study_name=f"fine{n}", sampler=self.sampler(n_startup_trials=4))
            target = low + 0.3 * (high - low)
            study.optimize(lambda trial: ((trial.suggest_float("x", low, high, step=step) - target) / (high - low)) ** 2, n_trials=16)
            self.assertLess(study.best_value, 1e-5)
            told = [(x, v) for name in self.client.studies() if name.startswith(f"fine{n}-") for x, v in self.told(self.client.study(name))]
            self.assertEqual(sorted(value for _, value in told), sorted(t.value for t in study.trials))

    def test_a_server_of_its_own_that_died_is_started_again(self):
        sampler = TarrySampler(seed=1, policy="gp-bucb")
        self.addCleanup(sampler.close)
        study = optuna.create_study(sampler=sampler)
        study.optimize(plane, n_trials=4)
        sampler._own.process.kill()
        sampler._own.process.wait()
        with self.assertLogs("optuna.tarry", "WARNING") as logs:
            study.optimize(plane, n_trials=4)
        self.assertEqual(["another one is started" in line for line in logs.output], [True])
        self.assertEqual([t.state for t in study.trials], [TrialState.COMPLETE] * 8)
        (name,) = sampler._client.studies()
        self.assertEqual(len(self.told(sampler._client.study(name))), 8)

    def test_a_partially_fixed_sampler_searches_the_rest(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            study = optuna.create_study(sampler=optuna.samplers.PartialFixedSampler({"y": 0.6}, self.sampler()))
        study.optimize(plane, n_trials=20)
        self.assertEqual({t.params["y"] for t in study.trials}, {0.6})
        self.assertLess(study.best_value, 1e-3)

    def test_several_objectives_are_refused(self):
        study = optuna.create_study(sampler=self.sampler(), directions=["minimize", "minimize"])
        self.assertRaises(ValueError, study.optimize, lambda trial: (trial.suggest_float("x", 0, 1), 1), n_trials=1)
        self.assertRaises(ValueError, TarrySampler, n_startup_trials=0)

    def test_a_sampler_is_kept_copied_and_used_again(self):
        sampler = TarrySampler(seed=1, policy="gp-bucb")
        study = optuna.create_study(sampler=sampler)
        study.optimize(plane, n_trials=5)
        study.sampler = pickle.loads(pickle.dumps(sampler))
        study.optimize(plane, n_trials=5)
        other = optuna.create_study(sampler=copy.deepcopy(sampler))
        other.optimize(plane, n_trials=5)
        for each in (sampler, study.sampler, other.sampler):
            each.close()
        study.optimize(plane, n_trials=2)  # with a server that begins anew
        study.sampler.close()
        self.assertEqual(len(study.trials), 12)

    def test_a_server_that_dies_and_comes_back_under_several_jobs(self):
        server = Mortal(self.folder)
        self.addCleanup(lambda: server.end(15))
        with tarry.Client(f"http://{server.address}") as client:
            study = optuna.create_study(sampler=TarrySampler(client, seed=1, policy="gp-bucb"))

            def objective(trial):
                if trial.number == 10:
                    server.kill()
                    threading.Timer(0.5, server.start).start()
                return plane(trial)

            study.optimize(objective, n_trials=24, n_jobs=3)
            (name,) = client.studies()
            self.assertEqual(len(self.told(client.study(name))), 24)
            self.assertEqual(client.study(name).pending(), [])
        self.assertEqual([t.state for t in study.trials], [TrialState.COMPLETE] * 24)

    def test_a_query_that_was_lost_with_a_server_is_given_up(self):
        study = optuna.create_study(sampler=self.sampler())
        study.optimize(plane, n_trials=3)
        self.beside().ask()  # as one would be out whose answer did not come
        study.optimize(plane, n_trials=3)
        counts = self.beside().state()["counts"]
        self.assertEqual((counts["cancelled"], counts["observed"], counts["pending"]), (1, 6, 0))

    def test_the_server_of_a_sampler_goes_with_its_program(self):
        program = (
            "import optuna, tarry_optuna\n"
            "sampler = tarry_optuna.TarrySampler(folder=%r, policy='random')\n"
            "optuna.create_study(sampler=sampler).optimize(lambda trial: trial.suggest_float('x', 0, 1), n_trials=3)\n" % self.folder
        )
        subprocess.run([sys.executable, "-c", program], check=True, stderr=subprocess.DEVNULL)
        client = self.serve()  # the folder is free
        self.assertEqual(len(client.studies()), 1)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_a_fork_begins_a_study_of_its_own(self):
        storage = f"sqlite:///{self.folder}/o.sqlite"
        study = optuna.create_study(storage=storage, study_name="s", sampler=self.sampler())
        study.optimize(plane, n_trials=3)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                optuna.load_study(storage=storage, study_name="s", sampler=study.sampler).optimize(plane, n_trials=3)
                code = 0
            finally:
                os._exit(code)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        study.optimize(plane, n_trials=2)
        told = sorted(len(self.told(self.client.study(name))) for name in self.client.studies())
        self.assertEqual(told, [6, 8])


if __name__ == "__main__":
    unittest.main()
