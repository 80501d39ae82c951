package experiment

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"time"
)

// line is a run as it is written.
type line struct {
	Group  string             `json:"group"`
	Arm    string             `json:"arm"`
	Seed   uint64             `json:"seed"`
	WallMS float64            `json:"wall_ms"`           // on the clock
	AtOnce int                `json:"at_once,omitempty"` // runs, at most
	Curves map[string]numbers `json:"curves"`
}

// numbers is a list of which what is not finite is written as null.
type numbers []float64

// MarshalJSON writes the shortest text that reads back as the same number.
func (n numbers) MarshalJSON() ([]byte, error) {
	values := make([]*float64, len(n))
	for i, v := range n {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			values[i] = &v
		}
	}
	return json.Marshal(values)
}

// UnmarshalJSON reads null as NaN.
func (n *numbers) UnmarshalJSON(text []byte) error {
	var values []*float64
	if err := json.Unmarshal(text, &values); err != nil {
		return err
	}
	*n = make(numbers, len(values))
	for i, v := range values {
		(*n)[i] = math.NaN()
		if v != nil {
			(*n)[i] = *v
		}
	}
	return nil
}

func lineOf(r Run) line {
	l := line{Group: r.Group, Arm: r.Arm, Seed: r.Seed, WallMS: float64(r.Wall.Round(time.Microsecond)) / float64(time.Millisecond), AtOnce: r.AtOnce, Curves: map[string]numbers{}}
	for name, values := range r.Record {
		l.Curves[name] = values
	}
	return l
}

// writeLine writes one line of JSON in one piece.
func writeLine(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// WriteLines writes the header and the runs in their order, one line of JSON each.
func (r Results) WriteLines(w io.Writer, h Header) error { return writeLines(w, h, r.Runs()) }

func writeLines(w io.Writer, h Header, runs []Run) error {
	b := bufio.NewWriter(w)
	if err := writeLine(b, h); err != nil {
		return err
	}
	for _, run := range runs {
		if err := writeLine(b, lineOf(run)); err != nil {
			return err
		}
	}
	return b.Flush()
}
