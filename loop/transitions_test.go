package loop

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
)

// What happens to an evaluation by what is said of it, for every situation in which one can be. A dot means that it stays
// where it is; after it come the counters that move, and Cancel where an attempt is called off. Situations with the same
// reactions share a column.
const whilePending = `
                               | fresh         | running                   | follows                   | again                 | repeat
value                          | · Unknown     | observed                  | observed                  | observed              | observed
value, constraints hold        | · Unknown     | observed                  | observed                  | observed              | observed
value beyond the window        | · Unknown     | late LateValues           | late LateValues           | late LateValues       | late LateValues
value that is no number        | · Unknown     | repeat NotFinite Failures | repeat NotFinite Failures | · Repeated NotFinite  | failed NotFinite Failures
value, infeasible              | · Unknown     | violated Infeasible       | violated Infeasible       | violated Infeasible   | violated Infeasible
value, constraint above zero   | · Unknown     | violated Infeasible       | violated Infeasible       | violated Infeasible   | violated Infeasible
failed                         | · Unknown     | repeat Failures           | repeat Failures           | · Repeated            | failed Failures
failed, infeasible             | · Unknown     | infeasible Infeasible     | infeasible Infeasible     | infeasible Infeasible | infeasible Infeasible
failed, lost                   | · Unknown     | repeat Vanished           | repeat Vanished           | · Repeated            | repeat Vanished
value of the attempt before    | · Unknown     | · Unknown                 | · Unknown                 | · Unknown             | observed Cancel
attempt before failed          | · Unknown     | · Unknown                 | · Unknown                 | · Unknown             | · Repeated
attempt before was infeasible  | · Unknown     | · Unknown                 | · Unknown                 | · Unknown             | infeasible Infeasible Cancel
value of an attempt to come    | · Unknown     | · Unknown                 | · Unknown                 | · Unknown             | · Unknown
failure of an attempt to come  | · Unknown     | · Unknown                 | · Unknown                 | · Unknown             | · Unknown
its time is up                 | ·             | repeat Timeouts Cancel    | repeat Timeouts Cancel    | ·                     | timed-out Timeouts Cancel
its lease ends                 | ·             | ·                         | lost Expired Cancel       | ·                     | ·
cancelled                      | cancelled     | cancelled Cancel          | cancelled                 | cancelled             | cancelled Cancel
lease renewed                  | · Unknown     | ·                         | ·                         | · Repeated            | ·
its worker leaves              | · Unknown     | again Vanished            | ·                         | · Unknown             | again Vanished
resumed                        | · Restarts    | again Restarts            | · Restarts                | · Restarts            | again Restarts
answer follows                 | ·             | follows                   | ·                         | ·                     | follows
report                         | · Unknown     | · Reports                 | · Reports                 | · Overdue             | · Reports
report of little               | · Unknown     | stopped Reports Stopped Cancel | stopped Reports Stopped | · Overdue            | stopped Reports Stopped Cancel
report, no number              | · Unknown     | · Malformed               | · Malformed               | · Malformed           | · Malformed
report of before               | · Unknown     | · Unknown                 | · Unknown                 | · Unknown             | · Overdue
`

const onceEnded = `
                               | observed, late      | failed, timed-out, lost, cancelled | stopped                            | infeasible           | violated        | elsewhere
value                          | · Repeated          | late LateValues                    | late LateValues                    | late LateValues      | · Repeated      | · Unknown
another value                  | · Contradictory     | late LateValues                    | late LateValues                    | late LateValues      | · Contradictory | · Unknown
value, constraints hold        | · Repeated          | late LateValues                    | late LateValues                    | late LateValues      | · Repeated      | · Unknown
value beyond the window        | · Repeated          | late LateValues                    | late LateValues                    | late LateValues      | · Repeated      | · Unknown
value that is no number        | · Contradictory     | · Repeated NotFinite               | · Repeated NotFinite               | · Repeated NotFinite | · Contradictory | · Unknown
value, infeasible              | · Contradictory     | violated Infeasible                | violated Infeasible                | violated             | · Repeated      | · Unknown
value, constraint above zero   | · Contradictory     | violated Infeasible                | violated Infeasible                | violated             | · Repeated      | · Unknown
failed                         | · Repeated          | · Repeated                         | ·                                  | · Repeated           | · Repeated      | · Unknown
failed, infeasible             | · Contradictory     | infeasible Infeasible              | infeasible Infeasible              | · Repeated           | · Repeated      | · Unknown
failed, lost                   | · Repeated          | · Repeated                         | ·                                  | · Repeated           | · Repeated      | · Unknown
value of the attempt before    | · Repeated          | late LateValues                    | late LateValues                    | late LateValues      | · Repeated      | · Unknown
attempt before failed          | · Repeated          | · Repeated                         | · Repeated                         | · Repeated           | · Repeated      | · Unknown
attempt before was infeasible  | · Contradictory     | infeasible Infeasible              | infeasible Infeasible              | · Repeated           | · Repeated      | · Unknown
value of an attempt to come    | · Unknown           | · Unknown                          | · Unknown                          | · Unknown            | · Unknown       | · Unknown
failure of an attempt to come  | · Unknown           | · Unknown                          | · Unknown                          | · Unknown            | · Unknown       | · Unknown
its time is up                 | ·                   | ·                                  | ·                                  | ·                    | ·               | ·
its lease ends                 | ·                   | ·                                  | ·                                  | ·                    | ·               | ·
cancelled                      | · Repeated          | · Repeated                         | · Repeated                         | · Repeated           | · Repeated      | · Repeated
lease renewed                  | · Repeated          | · Repeated                         | · Repeated                         | · Repeated           | · Repeated      | · Unknown
its worker leaves              | ·                   | ·                                  | ·                                  | ·                    | ·               | · Unknown
resumed                        | · Restarts          | · Restarts                         | · Restarts                         | · Restarts           | · Restarts      | · Restarts
answer follows                 | ·                   | ·                                  | ·                                  | ·                    | ·               | ·
report                         | · Overdue           | · Overdue                          | · Overdue                          | · Overdue            | · Overdue       | · Unknown
report of little               | · Overdue           | · Overdue                          | · Overdue                          | · Overdue            | · Overdue       | · Unknown
report, no number              | · Malformed         | · Malformed                        | · Malformed                        | · Malformed          | · Malformed     | · Unknown
report of before               | · Overdue           | · Overdue                          | · Overdue                          | · Overdue            | · Overdue       | · Unknown
`

// What a situation means: the status, the row in the model for each imputation (never is a bad value that no neighbor
// forgives), the budget that it costs, and whether the next free slot gets the evaluation.
const meanings = `
           | status     | ignore | censor  | hallucinate | costs | dispatched next
fresh      | pending    | none   | imputed | imputed     | 1     | yes
running    | pending    | none   | imputed | imputed     | 1     | no
follows    | pending    | none   | imputed | imputed     | 1     | no
again      | pending    | none   | imputed | imputed     | 1     | yes
repeat     | pending    | none   | imputed | imputed     | 1     | no
observed   | observed   | value  | value   | value       | 1     | no
late       | late       | value  | value   | value       | 1     | no
failed     | failed     | bad    | bad     | bad         | 1     | no
timed-out  | timed out  | bad    | bad     | bad         | 1     | no
lost       | lost       | none   | none    | none        | 0     | no
cancelled  | cancelled  | none   | none    | none        | 0     | no
stopped    | stopped    | none   | imputed | imputed     | 1     | no
infeasible | infeasible | never  | never   | never       | 1     | no
violated   | infeasible | never  | never   | never       | 1     | no
elsewhere  | observed   | value  | value   | value       | 0     | no
`

// columns reads a table: the cell of each row and column, both by name.
func columns(t *testing.T, table string) map[string]map[string]string {
	t.Helper()
	lines := strings.Split(strings.Trim(table, "\n"), "\n")
	split := func(line string) []string {
		cells := strings.Split(line, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		return cells
	}
	names := split(lines[0])
	out := map[string]map[string]string{}
	for _, line := range lines[1:] {
		cells := split(line)
		if len(cells) != len(names) || out[cells[0]] != nil {
			t.Fatalf("%q: %d cells, want %d; or it is there twice", line, len(cells), len(names))
		}
		out[cells[0]] = map[string]string{}
		for i, cell := range cells[1:] {
			for name := range strings.SplitSeq(names[i+1], ", ") {
				out[cells[0]][name] = cell
			}
		}
	}
	return out
}

// Every situation, everything that can be said in it, and for each imputation what it then is.
func TestEveryTransition(t *testing.T) {
	become := map[[2]Status]bool{}
	meaning := columns(t, meanings)
	for _, table := range []map[string]map[string]string{columns(t, whilePending), columns(t, onceEnded)} {
		if len(table) < len(happenings)-1 {
			t.Fatalf("%d happenings of %d", len(table), len(happenings))
		}
		for what, row := range table {
			for where, want := range row {
				for _, how := range imputations {
					t.Run(fmt.Sprintf("%s/%s/%v", where, what, how), func(t *testing.T) {
						from, to := transition(t, where, what, want, how, meaning)
						if from != to {
							become[[2]Status{from, to}] = true
						}
					})
				}
			}
		}
	}
	for from, r := range rules {
		for _, to := range r.next {
			if !become[[2]Status{Status(from), to}] {
				t.Errorf("nothing in the tables goes from %v to %v", Status(from), to)
			}
			delete(become, [2]Status{Status(from), to})
		}
	}
	if len(become) > 0 {
		t.Errorf("the rules say nothing of %v", become)
	}
}

// transition lets something happen to an evaluation and compares what it is afterwards with the tables.
func transition(t *testing.T, where, what, want string, how feedback.Imputation, meaning map[string]map[string]string) (from, to Status) {
	lease := distantLease
	if where == "lost" || what == "its lease ends" {
		lease = soonLease
	}
	s := setTheStage(t, where, how, lease)
	before, counters, spent := *s.evaluation(), s.l.counts, s.l.ledger.spent(s.l.config.Budget)
	effects := s.happens(what)
	after := *s.evaluation()
	wantCounters := strings.Fields(want)
	wantSituation := wantCounters[0]
	wantCounters = wantCounters[1:]
	if wantSituation == "·" {
		wantSituation = where
		sameLife(t, before, after)
	}
	if got := situation(&after); got != wantSituation {
		t.Fatalf("it is %s now, want %s", got, wantSituation)
	}
	got := moved(counters, s.l.counts)
	if slices.Contains(effects, Effect(Cancel{Evaluation: s.number, Attempt: before.Attempt, Worker: before.Worker})) {
		got = append(got, "Cancel")
	}
	if !slices.Equal(got, wantCounters) {
		t.Errorf("%v, want %v", got, wantCounters)
	}
	if got := countDispatches(s.t, effects, after); got != after.Attempt-before.Attempt {
		t.Errorf("%d dispatches, attempt %d after %d", got, after.Attempt, before.Attempt)
	}
	m := meaning[wantSituation]
	if after.Status.String() != m["status"] {
		t.Errorf("status %v, want %s", after.Status, m["status"])
	}
	cost := map[string]int{"0": 0, "1": 1}
	if got, want := s.l.ledger.spent(s.l.config.Budget)-spent, cost[m["costs"]]-cost[meaning[where]["costs"]]; got != want {
		t.Errorf("the budget spent grew by %d, want %d", got, want)
	}
	if got := s.row(how); got != m[how.String()] {
		t.Errorf("its row is %s, want %s", got, m[how.String()])
	}
	again := s.step(s.l.now, WorkerJoined{9, 50})
	if got := countDispatches(s.t, again, *s.evaluation()) == 1; got != (m["dispatched next"] == "yes") {
		t.Errorf("a free slot gets it: %v, want %s", got, m["dispatched next"])
	}
	return before.Status, after.Status
}

// sameLife wants an evaluation to be as it was; only a lease that is renewed may end later, and it may have reported.
func sameLife(t *testing.T, before, after Evaluation) {
	t.Helper()
	before.Lease, before.Reports, before.Reporter = after.Lease, after.Reports, after.Reporter
	if !reflect.DeepEqual(before, after) {
		t.Errorf("it changed from %+v to %+v", before, after)
	}
}

// After the end a value is kept as one that was given up, and nothing is to be done any more.
func TestAfterTheEndValuesAreKept(t *testing.T) {
	table := columns(t, onceEnded)
	for what := range happenings {
		for _, how := range imputations {
			s := setTheStage(t, "repeat", how, distantLease)
			s.step(0, StopRequested{"enough"})
			before := s.l.counts
			if effects := s.happens(what); len(effects) > 0 {
				t.Errorf("%s: %+v is to be done after the end", what, effects)
			}
			got, want := situation(s.evaluation()), strings.Fields(table[what]["cancelled"])
			if want[0] == "·" {
				want[0] = "cancelled"
			}
			if counters := moved(before, s.l.counts); got != want[0] || !slices.Equal(counters, want[1:]) {
				t.Errorf("%s: %s, counters %v; want %v", what, got, counters, want)
			}
			if r := s.l.Result(); r.Best == nil || (r.Best.Number == 3) != (what == "another value") {
				t.Errorf("%s: the best is %+v", what, r.Best)
			}
		}
	}
}
