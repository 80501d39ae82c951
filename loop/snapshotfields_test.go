package loop

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// fields says of every structure in the state of a loop what becomes of its fields in a snapshot.
type fields struct {
	of      any
	stored  string // in the snapshot
	derived string // from what is stored, or from the configuration
	without string // starts anew: no later behaviour depends on it
}

var fieldsOfALoop = []fields{
	{of: Loop{}, stored: "ledger model plan counts coverage seq now", derived: "config points", without: "broken output reaction"},
	{of: ledger{}, stored: "evaluations history ready deadlines leases workers overdue", derived: "queries sites pending foreign freed idle repeated differ", without: "shown lent"},
	{of: worker{}, stored: "id slots", derived: "busy"},
	{of: tenure{}, stored: "worker evaluation attempt"},
	{of: expiry{}, stored: "at evaluation attempt"},
	{of: Evaluation{}, stored: "Query Forecast Status Attempt Failures Vanished Worker Running Holds Deadline Lease Dispatched Ended Seen " +
		"Outcome Measured Given Foreign Reason"},
	{of: outcome.Outcome{}, stored: "Value Cost Constraints", derived: "Infeasible"},
	{of: policies.Query{}, stored: "At X", derived: "Number Round"},
	{of: policies.Forecast{}, stored: "Mean Stddev Warp Shift Scale Target Threshold Levels"},
	{of: policies.Answer{}, derived: "Query Forecast Seen Value Late"},
	{of: model.State{}, stored: "Fits Outputs Beliefs"},
	{of: model.FitsState{}, stored: "Started Open Output X Y Known"},
	{of: model.OutputState{}, stored: "Floor Prior Next Size Urged Variances"},
	{of: model.PriorState{}, stored: "Name Kernel Noise Warp"},
	{of: model.BeliefState{}, stored: "Greatest Changed Units Best Generation Base BaseKnown NoiseScale Edits Filled Targets Unanswered Failed Hopeless Spared Suspects RebuildSoon"},
	{of: model.Top{}, stored: "Number Seen Value"},
	{of: model.Edit{}, stored: "Number Row Known"},
	{of: feedback.Warp{}, stored: "Top Scale"},
	{of: feedback.Units{}, stored: "Warp Shift Scale Censored Failed"},
	{of: plan{}, stored: "contexts queue observations ask view asked batch wake stopped finished reason last", derived: "design"},
	{of: queued{}, stored: "x given lost"},
	{of: observation{}, stored: "x given value"},
	{of: Ask{}, stored: "ID Round Count"},
	{of: policies.View{}, stored: "Round At Context Pending History Quiet", derived: "Space Window Queries Belief Also"},
	{of: Counters{}, stored: "Repeated Contradictory Unknown LateValues NotFinite Failures Timeouts Vanished Fallbacks Jittered Lifted Merged " +
		"Raised Fits FitFailures Infeasible Expired Restarts Revisits Dropped"},
	{of: Reaction{}, without: "Fate Evaluation Attempt Status Overdue Ask Fit Vanished Settled Judged Judgment Effects"},
	{of: Coverage{}, stored: "Judged Central Issued Held Target"},
}

// The configuration is not in a snapshot, but its fingerprint is.
var fieldsOfAConfiguration = []fields{
	{of: Config{}, stored: "Space Traits Seed Minimize Budget Initial Design Model Window Floor Range Barrier Pending Timeout Exclusive Retries Lease Patience FitBeside"},
	{of: Model{}, stored: "Kernel Hyper Noise Active"},
	{of: policies.Traits{}, stored: "Name Model Pending Also Draws Adapts Barrier"},
	{of: model.Want{}, stored: "Output Pending"},
	{of: feedback.Window{}, stored: "Rounds Duration Strict"},
	{of: space.Parameter{}, stored: "Name Kind Role Low High Log Choices Step Values", derived: "steps"},
	{of: space.Space{}, stored: "parameters unit", derived: "points index actions contexts"},
}

// Whoever adds a field to the state says here what becomes of it in a snapshot, and sees to it: the codec writes what is
// stored, adopt makes what is derived.
func TestEveryFieldIsKnownToTheSnapshot(t *testing.T) {
	for _, f := range slices.Concat(fieldsOfALoop, fieldsOfAConfiguration) {
		var are []string
		of := reflect.TypeOf(f.of)
		for i := range of.NumField() {
			are = append(are, of.Field(i).Name)
		}
		known := strings.Fields(f.stored + " " + f.derived + " " + f.without)
		slices.Sort(are)
		slices.Sort(known)
		if !slices.Equal(are, known) {
			t.Errorf("%v has the fields %v, the snapshot knows %v", of, are, known)
		}
	}
}

// fill notes which fields of the structures in a loop hold something.
func fill(seen map[string]bool, l *Loop) {
	b := bare(l)
	fillValue(seen, reflect.ValueOf(b))
	seen["loop.Loop.model"] = true // its State
}

func fillValue(seen map[string]bool, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			fillValue(seen, v.Elem())
		}
	case reflect.Slice:
		if of := v.Type().Elem().Kind(); of != reflect.Struct && of != reflect.Pointer {
			return
		}
		for i := range v.Len() {
			fillValue(seen, v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[space.Space]() {
			return
		}
		for i := range v.NumField() {
			f := v.Field(i)
			if !f.IsZero() && (f.Kind() != reflect.Slice || f.Len() > 0) {
				seen[v.Type().String()+"."+v.Type().Field(i).Name] = true
				fillValue(seen, f)
			}
		}
	}
}

// unusedYet is what a model has and no study brings about so far: another output than the objective, and known noise.
var unusedYet = []string{"model.FitsState.Output", "model.FitsState.Known", "model.OutputState.Variances", "model.BeliefState.BaseKnown", "model.Edit.Known"}

// unfilled are the stored fields that never held anything, but for the censor value, which is zero in all units so far. What of
// a kernel is stored the kernel says itself (surrogate.Kernel.Values).
func unfilled(seen map[string]bool) (empty []string) {
	for _, f := range fieldsOfALoop {
		of := reflect.TypeOf(f.of)
		for _, name := range strings.Fields(f.stored) {
			if field := of.String() + "." + name; !seen[field] && field != "feedback.Units.Censored" && !slices.Contains(unusedYet, field) {
				empty = append(empty, field)
			}
		}
	}
	return empty
}

// bareLoop is a loop without what starts anew, and the state of its model.
type bareLoop struct {
	Loop
	State  model.State
	Buffer buffer.Buffer
}

func bare(l *Loop) bareLoop {
	b := *l
	b.output, b.reaction = nil, Reaction{}
	b.ledger.shown, b.ledger.lent = 0, false
	b.model = nil
	return bareLoop{b, l.model.State(), *l.model.Answers(model.Objective)}
}

// differs says where two values differ, empty where nowhere. Floats are compared by their bits; an empty slice is as good as
// none.
func differs(a, b any) string { return differ("", reflect.ValueOf(a), reflect.ValueOf(b)) }

func differ(path string, a, b reflect.Value) string {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return fmt.Sprintf("%s: %v, %v", path, a, b)
	}
	if !a.IsValid() {
		return ""
	}
	same := true
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() != b.IsNil() {
			return path + ": one is nil"
		}
		return differ(path, a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return fmt.Sprintf("%s: %d and %d elements", path, a.Len(), b.Len())
		}
		for i := range a.Len() {
			if what := differ(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i)); what != "" {
				return what
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if what := differ(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i)); what != "" {
				return what
			}
		}
	case reflect.Float64:
		same = math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case reflect.Map: // of a space: it follows from the points
		same = a.Len() == b.Len()
	default:
		same = a.Equal(b)
	}
	if !same {
		return fmt.Sprintf("%s: %v, %v", path, a, b)
	}
	return ""
}
