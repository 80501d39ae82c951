"""Ask and tell: what is answered, what is refused, and what comes twice."""

import datetime
import math
import unittest
from fractions import Fraction

import tarry
from world import SPACE, Case, bowl


class AskAndTell(Case):
    def test_a_study_is_asked_told_and_looked_at(self):
        study = self.study(minimize=True)
        queries = study.ask(3)
        self.assertEqual([query.id for query in queries], [1, 2, 3])
        self.assertEqual(set(queries[0].params), {"x", "kind"})
        self.assertIsNone(study.best())
        for query in queries[:2]:
            self.assertEqual(study.tell(query, bowl(query)), tarry.Told())
        best = min(queries[:2], key=bowl)
        self.assertEqual(study.best(), tarry.Best(best.id, best.params, bowl(best)))
        self.assertEqual(study.pending(), [queries[2]])
        self.assertEqual(study.cancel(queries[2]), tarry.Told())
        number = study.observe({"x": 0.3, "kind": "b"}, 0)
        self.assertEqual(study.evaluation(number)["foreign"], True)
        study.enqueue({"x": 0.25, "kind": "a"})
        self.assertEqual(study.ask()[0].params, {"x": 0.25, "kind": "a"})
        self.assertEqual(study.state()["counts"]["cancelled"], 1)
        self.assertEqual([p["name"] for p in study.space()["parameters"]], ["x", "kind"])
        self.assertEqual(len(study.export()["evaluations"]), 5)
        self.assertEqual(len(study.export_csv().splitlines()), 6)
        self.assertEqual(study.client.studies(), ["s"])
        self.assertEqual(study.client.study("s").best().id, number)

    def test_predictions_come_from_a_model_and_there_is_none_without_answers(self):
        study = self.study(policy="gp-bucb", initial=4)
        self.assertIsNone(study.predict({"x": 0.5, "kind": "a"}))
        self.assertIsNone(study.recommend())
        for query in study.ask(4):
            study.tell(query, bowl(query))
        study.ask()
        self.assertGreater(study.predict({"x": 0.5, "kind": "a"}).stddev, 0)
        self.assertEqual(set(study.recommend().params), {"x", "kind"})

    def test_a_value_that_comes_again_changes_nothing_and_another_one_is_a_contradiction(self):
        study = self.study()
        query = study.ask()[0]
        self.assertFalse(study.tell(query, 0.5).repeated)
        self.assertTrue(study.tell(query, 0.5).repeated)
        with self.assertRaises(tarry.Contradiction) as caught:
            study.tell(query, 0.6)
        self.assertEqual(caught.exception.status, 409)
        self.assertEqual(caught.exception.stands["value"], 0.5)
        self.assertIn("the first stands", str(caught.exception))
        with self.assertRaises(tarry.NotAwaited):
            study.renew(query)
        self.assertEqual(study.cancel(query), tarry.Told(repeated=True, stands="value 0.5"))

    def test_what_is_no_finite_number_is_refused_before_it_is_sent(self):
        study = self.study()
        query = study.ask()[0]
        for value in (math.nan, math.inf, -math.inf):
            self.assertRaises(ValueError, study.tell, query, value)
            self.assertRaises(ValueError, study.observe, {"x": 0.5, "kind": "a"}, value)
            self.assertRaises(ValueError, study.tell, query, 1, cost=value)
            self.assertRaises(ValueError, study.tell, query, 1, constraints=[value])
        for value in ("0.5", None, [1], b"1"):
            self.assertRaises(TypeError, study.tell, query, value)
        for wrong in (math.nan, math.inf):
            self.assertRaisesRegex(ValueError, "^x.x = ", study.observe, {"x": wrong, "kind": "a"}, 1)
        self.assertRaisesRegex(ValueError, "value = inf", study.tell, query, 10**400)
        self.assertRaises(TypeError, study.enqueue, {"x": object()})
        self.assertEqual(study.state()["counts"]["pending"], 1)

    def test_arguments_that_cannot_be_meant_are_named(self):
        study = self.study()
        client = study.client
        for wait in (-1, math.nan, math.inf, "3s"):
            self.assertRaisesRegex(ValueError, "^wait = ", study.ask, 1, wait=wait)
        self.assertRaisesRegex(ValueError, "^n_trials = -1", study.optimize, lambda query: 1.0, n_trials=-1)
        for space in ({"x": (0, 1)}, [tarry.Float(0, 1)], None):
            self.assertRaisesRegex(TypeError, "^space", client.create, "wrong", space=space)
        self.assertRaisesRegex(ValueError, r"^space\['x'\]: low = nan", client.create, "wrong", space={"x": tarry.Float(math.nan, 1)})
        self.assertRaisesRegex(ValueError, "^name = ''", client.create, "", space={"x": tarry.Float(0, 1)})

    def test_what_is_given_is_compared_and_what_is_not_is_as_it_was(self):
        space = {"x": tarry.Float(0, 1)}
        client = self.study().client
        client.create("down", space=space, minimize=True)
        client.create("down", space=space)
        self.assertTrue(client.study("down").state()["minimize"])
        with self.assertRaises(tarry.Exists):
            client.create("down", space=space, minimize=False)

    def test_everything_that_is_wrong_with_a_request_is_said_at_once(self):
        client = self.serve()
        with self.assertRaises(tarry.Invalid) as caught:
            client.create("s", space={"x": tarry.Float(1, 0), "y": {"type": "real"}}, bugdet=9)
        self.assertEqual(caught.exception.type, "invalid")
        self.assertGreaterEqual(len(caught.exception.violations), 3)
        self.assertIsInstance(caught.exception, ValueError)
        self.assertIn("did you mean budget", str(caught.exception))
        with self.assertRaises(tarry.Invalid):
            client.create("no/name", space=SPACE)

    def test_what_there_is_not_is_not_found(self):
        study = self.study()
        for call in (study.client.study("none").ask, study.client.study("none").best, lambda: next(study.client.study("none").events())):
            with self.assertRaises(tarry.NotFound) as caught:
                call()
            self.assertEqual((caught.exception.type, caught.exception.status), ("study", 404))
        self.assertRaises(LookupError, study.tell, 7, 1.0)

    def test_the_same_study_is_found_again_and_another_one_is_refused(self):
        study = self.study()
        study.ask()
        again = study.client.create("s", space=SPACE, policy="random", seed=1, budget=20)
        self.assertEqual(again.state()["evaluations"], 1)
        with self.assertRaises(tarry.Exists) as caught:
            study.client.create("s", space=SPACE, policy="random", seed=2, budget=21)
        self.assertEqual(len(caught.exception.violations), 2)

    def test_after_the_end_there_are_no_queries(self):
        study = self.study(budget=1)
        query = study.ask()[0]
        empty = study.ask(wait=0.1)
        self.assertEqual((list(empty), empty.held), ([], "budget spent"))
        study.tell(query, 1)
        self.assertRaises(tarry.Ended, study.ask)

    def test_times_are_numbers_text_or_differences(self):
        study = self.study(timeout=3600, lease=datetime.timedelta(minutes=5), retries=1)
        query = study.ask()[0]
        self.assertGreater(query.deadline, datetime.datetime.now(datetime.timezone.utc))
        study.renew(query)
        study.fail(query, "out of memory")
        again = study.ask()[0]
        self.assertEqual((again.id, again.attempt, again.params), (1, 2, query.params))
        study.tell(again, 1)

    def test_times_are_exact_to_the_nanosecond(self):
        for given, sent in (
            (1e-7, "0.0000001s"), (1e-9, "0.000000001s"), (1.2346e-6, "0.000001235s"), (0.1, "0.1s"), (90, "90s"), (1e9 + 0.1, "1000000000.1s"), (0, "0s"), (0.0, "0s"),
            (Fraction(1, 4), "0.25s"), (-2.5, "-2.5s"), (datetime.timedelta(microseconds=1), "0.000001s"), (datetime.timedelta(days=3, microseconds=1), "259200.000001s"),
        ):
            self.assertEqual(tarry._duration("lease", given), sent)
        client = self.study(lease=1e-7, timeout=2e-9).client
        client.create("s", space=SPACE, lease="100ns", timeout="2ns")
        self.assertRaises(tarry.Exists, client.create, "s", space=SPACE, lease="101ns")
        for wrong in (1e-10, -1e-10, math.nan, math.inf):
            self.assertRaisesRegex(ValueError, f"^lease = {wrong}: want ", client.create, "t", space=SPACE, lease=wrong)
        self.assertRaisesRegex(ValueError, "^lease = 1000", client.create, "t", space=SPACE, lease=10**400)
        self.assertRaisesRegex(tarry.Invalid, "options.lease = ", client.create, "t", space=SPACE, lease=1e12)
        asked, study = [], client.study("s")
        study.state()
        client._call = lambda method, path, *_, **__: asked.append(path) or {"queries": []}
        study._ask("key", 1, 0.0004)
        self.assertEqual(asked, ["/v1/studies/s/ask?wait=0.0004s"])

    def test_values_on_the_way_are_reported_and_who_is_not_awaited_hears_it(self):
        study = self.study(budget=3)
        query = study.ask()[0]
        self.assertFalse(study.report(query, 0.2, 1))
        self.assertFalse(study.report(query, 0.2, 1))
        self.assertFalse(study.report(query, 0.1, 0.5))
        self.assertRaises(tarry.Contradiction, study.report, query, 0.3, 1)
        self.assertRaises(ValueError, study.report, query, float("nan"), 2)
        study.tell(query, 1)
        self.assertTrue(study.report(query, 0.4, 2))

    def test_constraints_by_name_and_infeasible_points(self):
        study = self.study(constraints=[{"name": "latency", "at_most": 0.2}])
        first, second = study.ask(2)
        self.assertRaises(tarry.Invalid, study.tell, first, 1.0)
        study.tell(first, 1.0, constraints={"latency": 0.3})
        study.tell(second, 0.5, constraints={"latency": 0.1})
        self.assertEqual(study.best().id, second.id)

    def test_a_space_may_be_written_as_in_a_file(self):
        study = self.serve().create("s", space={"parameters": [{"name": "hour", "role": "context", **tarry.Int(0, 23)}, {"name": "on", **tarry.Bool()}]})
        (query,) = study.ask(context={"hour": 7})
        self.assertEqual((query["hour"], type(query["on"])), (7, bool))
        other = study.client.create("t", space={"size": tarry.Ordered([1, 10, 100]), "depth": tarry.Int(1, 9, step=2, when={"size": [10, 100]})}, seeds=None)
        for query in other.ask(8):
            self.assertEqual("depth" in query.params, query["size"] > 1)

    def test_choices_come_back_as_what_they_were(self):
        big = 10**18 + 1  # an object of its own
        space = {
            "batch": tarry.Categorical([16, 32, big]), "mode": tarry.Categorical([True, "auto", 0.5, 1e-7]), "kind": tarry.Categorical(["1", "2"]),
            "hour": tarry.Categorical([6, 18], role="context"), "x": tarry.Float(0, 1, when={"batch": [16, 32, big]}),
        }
        study = self.serve().create("s", space=space, policy="gp-bucb", seed=1, initial=4, budget=40)
        study.enqueue({"batch": big})
        queries = study.ask(12, context={"hour": 6})
        self.assertLess({(type(q["batch"]), q["batch"]) for q in queries}, {(int, 16), (int, 32), (int, big), "never"})
        self.assertIs(queries[0]["batch"], big)
        self.assertLess({repr(q["mode"]) for q in queries}, {"True", "'auto'", "0.5", "1e-07", "never"})
        self.assertLess({(q["kind"], q["hour"]) for q in queries}, {("1", 6), ("2", 6), "never"})
        self.assertEqual(study.pending(), queries)
        for query in queries:
            study.tell(query, query["batch"] % 7 + query["x"])
        self.assertEqual(study.best().params, max(queries, key=lambda q: q["batch"] % 7 + q["x"]).params)
        number = study.observe(queries[0].params, 0.5)
        study.ask(context={"hour": 18.0})
        self.assertEqual(study.predict(queries[1].params).params, queries[1].params)
        self.assertEqual(study.recommend({"hour": 18}).params["hour"], 18)
        study.enqueue({"batch": 32.0, "mode": 0.5})
        (query,) = study.ask(context={"hour": "6"})
        self.assertEqual((repr(query["batch"]), query["mode"], query["hour"]), ("32", 0.5, 6))
        for wrong in (1, False, 16, None):
            self.assertRaisesRegex(tarry.Invalid, "x.mode = ", study.enqueue, {"mode": wrong})

        attached = study.client.study("s")  # which knows no more than the server
        self.assertEqual(attached.best().params["batch"], str(study.best().params["batch"]))
        self.assertEqual(attached.evaluation(number)["x"]["hour"], "6")
        self.assertRaisesRegex(tarry.Invalid, "x.batch = 32: want one of", attached.enqueue, {"batch": 32})
        attached.enqueue({"batch": "32", "mode": "true"})
        again = study.client.create("s", space=space)
        self.assertEqual(again.best(), study.best())
        whole = {"parameters": [{"name": name, **one} for name, one in space.items()]}
        self.assertEqual(study.client.create("s", space=whole).best(), study.best())
        shelf = [{"size": 2, "on": True}, {"size": 8, "on": False}]
        listed = study.client.create("t", space={"size": tarry.Categorical([2, 8]), "on": tarry.Categorical([True, False])}, points=shelf, policy="random")
        for query in listed.ask(2):
            self.assertIn(query.params, shelf)

    def test_a_float_is_one_also_where_it_is_whole(self):
        space = {"x": tarry.Float(0, 4, step=1), "n": tarry.Int(1, 4), "size": tarry.Ordered([0.5, 1.0, 2]), "whole": tarry.Ordered([1, 2]), "hour": tarry.Float(0, 24, role="context")}
        kinds = {"x": float, "n": int, "size": {0.5: float, 1: float, 2: int}, "whole": int, "hour": float}
        study = self.serve().create("s", space=space, policy="gp-bucb", initial=3, seed=1)
        attached = study.client.study("s")  # whose types are those that the server describes
        for known in (study, attached):
            kinds["size"][2] = int if known is study else float
            is_right = lambda x: [self.assertIs(type(v), kinds[p][v] if p == "size" else kinds[p], (p, v)) for p, v in x.items()]
            for size in (0.5, 1, 2):
                known.enqueue({"x": 1, "size": size})
                (query,) = known.ask(context={"hour": 6})
                self.assertEqual((query["x"], query["size"]), (1, size))
                is_right(query.params)
                self.assertEqual([repr(one.params) for one in known.pending()], [repr(query.params)])
                is_right(known.state()["pending"][0]["x"])
                known.tell(query, size)
            number = known.observe({"x": 3, "n": 2, "size": 2, "whole": 1, "hour": 12}, 3)
            known.cancel(known.ask(context={"hour": 6})[0])
            for x in (known.best().params, known.recommend({"hour": 6}).params, known.evaluation(number)["x"], known.export()["evaluations"][0]["x"]):
                is_right(x)
            self.assertIs(type(known.predict(query.params).mean), float)

    def test_what_json_has_no_number_for_is_named(self):
        client = self.serve()
        x = tarry.Float(0, 1)
        for path, given in (
            (r"space\['k'\]: choices\[1\] = nan", {"space": {"k": tarry.Categorical([1, math.nan])}}),
            (r"space\['o'\]: values\[0\] = -inf", {"space": {"o": tarry.Ordered([-math.inf, 1])}}),
            (r"parameters\[0\].high = inf", {"space": {"parameters": [{"name": "x", "type": "float", "low": 0, "high": math.inf}]}}),
            (r"constraints\[0\].at_most = nan", {"space": {"x": x}, "constraints": [{"name": "c", "at_most": math.nan}]}),
            (r"points\[1\].x = nan", {"space": {"x": x}, "points": [{"x": 0}, {"x": math.nan}]}),
            ("options.noise = nan", {"space": {"x": x}, "noise": math.nan}),
        ):
            self.assertRaisesRegex(ValueError, f"^{path}: want a finite number", client.create, "s", **given)
        self.assertRaisesRegex(ValueError, "^context.h = nan", client.create("s", space={"x": x}).ask, context={"h": math.nan})

    def test_a_query_is_named_by_any_whole_number(self):
        class Whole:  # as those of numpy are, no int
            def __format__(self, how):
                return "1"

        study = self.study()
        study.ask()
        self.assertEqual(study.cancel(Whole()), tarry.Told())
        self.assertEqual(study.state()["counts"]["cancelled"], 1)

    def test_only_points_of_a_list_are_asked_for(self):
        shelf = [{"ph": 3.5, "kind": "acid"}, {"ph": 7, "kind": "salt"}]
        study = self.serve().create("s", space={"ph": tarry.Float(0, 14), "kind": tarry.Categorical(["acid", "salt"])}, points=shelf)
        for query in study.ask(2):
            self.assertIn(query.params, shelf)

    def test_a_server_says_in_seconds_or_by_a_date_when_to_come_again(self):
        self.assertEqual(tarry._retry_after("2"), 2)
        self.assertEqual(tarry._retry_after("Wed, 21 Oct 2015 07:28:00 GMT"), 0)
        self.assertGreater(tarry._retry_after("Fri, 31 Dec 9999 23:59:59 GMT"), 1e9)
        for nothing in (None, "", "soon", "nan", "-1"):
            self.assertIsNone(tarry._retry_after(nothing))

    def test_an_address_that_is_none_is_refused(self):
        for url in ("127.0.0.1:8080", "ftp://host", "http://", ""):
            self.assertRaises(ValueError, tarry.Client, url)
        self.assertRaises(ValueError, tarry.Client, "http://127.0.0.1:1", ca="ca.pem")
        self.assertRaises(ValueError, tarry.Client, "http://127.0.0.1:1", retry=math.nan)


if __name__ == "__main__":
    unittest.main()
