package portrait

import (
	"math"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/internal/figures"
	"github.com/tarry-bo/tarry/internal/hindsight"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
)

// Evaluation is an evaluation as it is drawn.
type Evaluation struct {
	Number      int                `json:"n"`
	Status      string             `json:"status"`
	Attempt     int                `json:"attempt"` // 0 before the first
	Failures    int                `json:"failures,omitempty"`
	Worker      int                `json:"worker,omitempty"`
	Running     bool               `json:"running,omitempty"`
	Chosen      float64            `json:"chosen_s"`
	Began       *float64           `json:"began_s,omitempty"` // its first attempt
	Ended       *float64           `json:"ended_s,omitempty"`
	Age         *float64           `json:"age_s,omitempty"` // of one that is pending and was begun
	Value       *float64           `json:"value,omitempty"` // also of an infeasible point, where it does not count
	Counts      bool               `json:"counts,omitempty"`
	Foreign     bool               `json:"foreign,omitempty"`
	Below       bool               `json:"below,omitempty"` // of a lower fidelity than the target
	Cost        float64            `json:"cost,omitempty"`
	Constraints []hindsight.Number `json:"constraints,omitempty"`
	Units       []*float64         `json:"u"` // where each parameter is on its axis; null where it is inactive
	Point       string             `json:"point"`
	Forecast    *Forecast          `json:"forecast,omitempty"`
	Reason      string             `json:"reason,omitempty"`
	Chance      *float64           `json:"chance,omitempty"`    // that it is ever heard of, where the delays so far say so
	Arrival     *float64           `json:"arrival_s,omitempty"` // when half of those that are heard of have been
}

// Forecast is what the policy said of a value in the user's units when it chose the query, and how it did. What is beyond all numbers
// in these units is null.
type Forecast struct {
	Mean    hindsight.Number `json:"mean"`
	Stddev  hindsight.Number `json:"stddev"`
	Central *bool            `json:"central"` // whether the value is in its central 80 %; null before it is judged
	Held    *bool            `json:"held"`    // whether it is in the calibrated set; null also without one
}

// ForecastOf returns the forecast of an evaluation; nil where there is none, or one that is no number.
func ForecastOf(l *loop.Loop, e loop.Evaluation) *Forecast {
	f := l.Foretold(&e)
	if f == nil {
		return nil
	}
	mean, stddev := l.Config().Sense().Sign()*f.Quantile(0), f.Deviation()
	if math.IsNaN(mean) || math.IsNaN(stddev) {
		return nil
	}
	out := &Forecast{Mean: hindsight.Number(mean), Stddev: hindsight.Number(stddev)}
	if j, judged := l.Judgment(e.Number); judged {
		out.Central = &j.Central
		if j.Target > 0 {
			out.Held = &j.Held
		}
	}
	return out
}

// Bounds of what is told of an evaluation.
const (
	maxReason = 160 // runes of a reason
	maxPoint  = 400 // of a point
	grains    = 1e4 // of an axis, which are told apart
)

// Off is by how many standard deviations a value came from the forecast; false where that cannot be told.
func (f Forecast) Off(value float64) (deviations float64, told bool) {
	mean, stddev := float64(f.Mean), float64(f.Stddev)
	if !f.Mean.Finite() || !f.Stddev.Finite() || stddev <= 0 {
		return 0, false
	}
	if apart := value - mean; !math.IsInf(apart, 0) {
		return apart / stddev, true
	}
	return 2 * ((value/2 - mean/2) / stddev), true // the difference of two huge numbers overflows
}

// evaluation is an evaluation of a study as it is drawn.
func evaluation(s Study, e loop.Evaluation) Evaluation {
	where := s.Loop.Config().Space
	point := e.Point(where)
	out := Evaluation{
		Number: e.Number, Status: e.Status.String(), Attempt: e.Attempt, Failures: e.Failures + e.Vanished, Worker: e.Worker, Running: e.Running,
		Chosen: seconds(e.At), Counts: e.Counts(), Foreign: e.Foreign, Below: e.Below, Units: units(where, point),
		Point: Short(where.Format(point), maxPoint), Forecast: ForecastOf(s.Loop, e), Reason: Short(firstLine(e.Reason), maxReason),
	}
	if e.Attempt > 0 {
		out.Began = told(seconds(e.Dispatched))
	}
	if e.Status != loop.Pending {
		out.Ended = told(seconds(e.Ended))
	}
	if age, pending := (figures.Study{Now: s.Elapsed}).Age(e); pending {
		out.Age = told(seconds(age))
	}
	if silent, under := s.silences[e.Number]; under && silent.Left >= 0 {
		out.Chance, out.Arrival = told(math.Round(grains*silent.Chance)/grains), told(seconds(s.Elapsed+silent.Left))
	}
	if e.Measured {
		out.Value, out.Cost = told(e.Value), e.Cost
	}
	for _, c := range e.Constraints {
		out.Constraints = append(out.Constraints, hindsight.Number(c))
	}
	return out
}

// units is where a point is on the axes.
func units(where space.Space, x space.Point) []*float64 {
	out := make([]*float64, len(x))
	active := where.ActiveAt(x)
	for i, v := range x {
		if active.Has(i) {
			out[i] = told(math.Round(where.Parameter(i).Unit(v)*grains) / grains)
		}
	}
	return out
}

func told(v float64) *float64 { return &v }

// seconds is a time to the millisecond, and below a second to the microsecond.
func seconds(d time.Duration) float64 {
	to := time.Millisecond
	if d < time.Second {
		to = time.Microsecond
	}
	return d.Round(to).Seconds()
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// Short is the beginning of a text of at most so many runes, in UTF-8.
func Short(text string, most int) string {
	runes := []rune(strings.ToValidUTF8(text, "\ufffd"))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}
