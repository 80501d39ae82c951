package claims

import "testing"

const printed = `branin: the function of that name.
delay poisson:10, no noise.
┌─────────┬───────┬───────────────┐
│         │       │ simple regret │
│ policy  │ seeds │      after 20 │
├─────────┼───────┼───────────────┤
│ gp-bucb │     2 │ 0.5 ± 0.1     │
├─────────┼───────┼───────────────┤
│ all     │     4 │ 0.6           │
└─────────┴───────┴───────────────┘
and for q = 2, which is odd
q = 20
┌────────┬─────┐
│ method │ end │
├────────┼─────┤
│ a/b    │  20 │
└────────┴─────┘
q = 2
┌────────┬─────┐
│ method │ end │
├────────┼─────┤
│ a/b    │   2 │
└────────┴─────┘

goos: linux
BenchmarkOpen/n=2/x-2         	    5000	    300.5 ns/op	  16 B/op	 2 allocs/op
BenchmarkOpen/n=2/x-2         	    5000	    100.5 ns/op	  16 B/op	 2 allocs/op
BenchmarkOpen/n=2/x-2         	    5000	    200.5 ns/op	  16 B/op	 2 allocs/op
BenchmarkEngine-2   	       1	     70000 evaluations/s	 14.5 µs/evaluation	 1.5 policy-µs/evaluation
Counters: Raised 23452.
`

func TestPlacesInTheOutput(t *testing.T) {
	o := parseOutput(printed)
	row := []string{"gp-bucb", "poisson"}
	for place, want := range map[string]string{
		"branin > gp-bucb > simple regret after 20":            "0.5 ± 0.1",
		"branin > {1} > seeds":                                 "2",
		"branin: *delay {2}:10 > all > simple regret after 20": "0.6",
		"* > gp-* > seeds":                                     "2",
		"q = 2 > a/b > end":                                    "2",
		"q = 20 > a/b > end":                                   "20",
		"q = 3 > a/b > end":                                    "",
		"branin > random > seeds":                              "",
		"benchmarks > Open/n=2/x > ns/op":                      "200.5 ns", // the median of three
		"benchmarks > Open/n=2/x > allocs/op":                  "2",
		"benchmarks > Open/n=2/x > evaluations/s":              "-",
		"benchmarks > Engine > evaluations/s":                  "70000",
		"benchmarks > Engine > µs/evaluation":                  "14.5 µs",
		"benchmarks > Engine > policy-µs/evaluation":           "1.5 µs",
		`/Raised (\d+)/`:                                       "23452",
		`/Lifted (\d+)/`:                                       "",
		"branin > gp-bucb":                                     "",
	} {
		if got, err := o.at(place, row); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v, want %q", place, got, err, want)
		}
	}
	if got := o.whole("end", "q = 2"); got != "q = 2 > {1} > end" {
		t.Errorf("a column below the words of its table is at %s", got)
	}
	if got := o.whole("end", "elsewhere"); got != "* > {1} > end" {
		t.Errorf("a column below other words is at %s", got)
	}
}
