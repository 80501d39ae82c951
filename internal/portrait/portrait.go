// Package portrait is what there is to see of one study, live or ended, as a value: a page shows it, and a report.
//
//	sketch := portrait.NewSketch()
//	sketch.Follow(study)                     // reads what is new
//	p := sketch.Portrait(study, portrait.Range{})
//	err := portrait.WriteReport(w, p)        // one HTML file
//
// A portrait of a hundred thousand evaluations has a bounded size: it holds some of them, and says which.
package portrait

import (
	"time"

	"github.com/tarry-bo/tarry/internal/hindsight"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// Study is what a portrait is made of. The loop is read and stays as it is.
type Study struct {
	Name    string
	Header  journal.Header
	Loop    *loop.Loop
	Begun   time.Time     // on the clock on the wall
	Elapsed time.Duration // since then: what the ages of pending evaluations are measured to
	Holder  string        // the process that is at it; empty without any
	Paused  bool
	Live    bool     // who looks may stream its events, and change it
	Command []string // that it runs; nil without any
	Workers int      // that run it
	Target  *float64 // that suffices
	GoOn    string   // the command that goes on with it

	silences map[int]loop.Silence // of what is under way, by number
}

// Portrait is what there is to see of a study. Times are seconds since it began, and numbers that are not finite are null.
type Portrait struct {
	Study       About         `json:"study"`
	Standing    Standing      `json:"standing"`
	Parameters  []Parameter   `json:"parameters"`
	Constraints []Bounded     `json:"constraints"`
	Best        *Found        `json:"best"` // null without a value
	Recommended *Found        `json:"recommended,omitempty"`
	Incumbents  []Step        `json:"incumbents"` // each evaluation that was the best when its value came
	Drawn       Drawn         `json:"drawn"`
	Values      Values        `json:"values"`
	Evaluations []Evaluation  `json:"evaluations"` // those that are drawn, by number
	Counters    []Counter     `json:"counters"`    // those above 0
	Failures    []Failure     `json:"failures"`
	Workers     []Worker      `json:"workers"`
	Coverage    loop.Coverage `json:"coverage"`
	Safety      string        `json:"safety,omitempty"`
	Fidelities  []Spending    `json:"fidelities,omitempty"`
	Slices      *Slices       `json:"slices,omitempty"`
	Events      []Event       `json:"events,omitempty"` // the latest ones
}

// About is what the study is.
type About struct {
	Name        string    `json:"name"`
	Begun       time.Time `json:"begun"`
	Policy      string    `json:"policy"` // with its options
	Seed        uint64    `json:"seed"`
	Minimize    bool      `json:"minimize"`
	Budget      int       `json:"budget"`
	BudgetCost  float64   `json:"budget_cost,omitempty"`
	Initial     int       `json:"initial"`
	Options     []Named   `json:"options"` // that are not what they are unless said
	Command     []string  `json:"command,omitempty"`
	Workers     int       `json:"workers,omitempty"`
	Target      *float64  `json:"target,omitempty"`
	Tarry       string    `json:"tarry"`
	Go          string    `json:"go"`
	Arch        string    `json:"arch"`
	Differences []string  `json:"differences,omitempty"` // to the program that looks at it
	GoOn        string    `json:"go_on,omitempty"`
}

// Named is a word with its text.
type Named struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Standing is how the study stands.
type Standing struct {
	Events      uint64           `json:"events"`
	Elapsed     float64          `json:"elapsed_s"`
	Last        float64          `json:"last_s"` // of the last event
	Holder      string           `json:"holder,omitempty"`
	Paused      bool             `json:"paused"`
	Live        bool             `json:"live"`            // its events stream, and it can be changed from here
	Ended       string           `json:"ended,omitempty"` // why; absent while it has not
	Evaluations int              `json:"evaluations"`
	Spent       int              `json:"spent"`
	Pending     int              `json:"pending"`
	Counts      []Count          `json:"counts"`            // by status, those above 0
	Foreign     int              `json:"foreign,omitempty"` // measured elsewhere
	Cost        hindsight.Number `json:"cost"`
	Digest      string           `json:"digest,omitempty"` // of the state; of a portrait that is complete
}

// Count is how many evaluations have a status.
type Count struct {
	Status string `json:"status"`
	N      int    `json:"n"`
}

// Parameter is a parameter with the marks of its axis, which is the unit interval: a logarithm where it has one.
type Parameter struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Role  string `json:"role"`
	Range string `json:"range"`
	Ticks []Tick `json:"ticks"`
	Apart bool   `json:"apart"` // its values are few: evaluations with the same one lie beside each other
	Log   bool   `json:"log"`
}

// Tick is a mark of an axis.
type Tick struct {
	At    float64 `json:"at"`
	Label string  `json:"label"`
}

// Found is an evaluation that stands out.
type Found struct {
	Evaluation
	Expected    *Expected    `json:"expected,omitempty"` // of the function there
	Feasibility *Feasibility `json:"feasible,omitempty"`
}

// Expected is a loop.Prediction as JSON.
type Expected struct {
	Mean   float64 `json:"mean"`
	Stddev float64 `json:"stddev"`
	Noise  float64 `json:"noise"`
}

// Step is a value that was the best when it came.
type Step struct {
	Evaluation int     `json:"n"`
	At         float64 `json:"at_s"`
	Value      float64 `json:"value"`
}

// Values are the ends of the axis of the values.
type Values struct {
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Beyond int     `json:"beyond"` // of those drawn, so much worse than the others that they have no place on it
	Empty  bool    `json:"empty"`
}

// Counter is something that was counted, with its words.
type Counter struct {
	Name  string `json:"name"`
	Words string `json:"words"`
	N     int    `json:"n"`
}

// Failure is a reason for which attempts failed.
type Failure struct {
	Reason string `json:"reason"` // its first line, shortened
	N      int    `json:"n"`      // evaluations whose last failure it was
	Latest int    `json:"latest"` // number of the latest one
}

// Worker is a worker as its evaluations tell of it.
type Worker struct {
	ID          int     `json:"id"`
	Evaluations int     `json:"evaluations"` // whose latest attempt was its
	Running     []int   `json:"running"`     // at most 20 of them
	LastSeen    float64 `json:"last_seen_s"` // when one of them last began, ended or was renewed
}

// Event is something that happened.
type Event struct {
	Seq        uint64  `json:"seq"`
	At         float64 `json:"at_s"`
	Kind       string  `json:"kind"`
	Evaluation int     `json:"evaluation,omitempty"`
}
