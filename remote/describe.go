package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// Study is what a worker knows of a study.
type Study struct {
	Name        string
	Identity    string // tells it from others of its name, before and after it: letters, digits, _ and -
	Space       space.Space
	Constraints []outcome.Constraint // what is measured beside each value, in this order
	Minimize    bool                 // the smallest value is the best
	Exclusive   bool                 // a slot is busy until its attempt has returned, also one that was stopped
	Timeout     time.Duration        // of one attempt; 0: none
}

// description is a Study as it travels.
type description struct {
	Study       string        `json:"study"`
	Identity    string        `json:"identity"`
	Space       space.Space   `json:"space"`
	Constraints []string      `json:"constraints,omitempty"`
	Minimize    bool          `json:"minimize,omitempty"`
	Exclusive   bool          `json:"exclusive,omitempty"`
	Timeout     time.Duration `json:"timeout,omitempty"` // nanoseconds
}

func describe(name, identity string, c loop.Config) ([]byte, error) {
	d := description{Study: name, Identity: identity, Space: c.Space, Minimize: c.Minimize, Exclusive: c.Exclusive, Timeout: c.Timeout}
	for _, one := range c.Constraints {
		d.Constraints = append(d.Constraints, one.Text())
	}
	return json.Marshal(d)
}

// digest says which description of a study it is.
func digest(description []byte) string {
	code := sha256.Sum256(description)
	return hex.EncodeToString(code[:8])
}

// readStudy reads what describe wrote; it must be the description that was meant.
func readStudy(text []byte, about string) (*Study, error) {
	if got := digest(text); got != about {
		return nil, fmt.Errorf("description of a study: it is %s, want %.99s", got, about)
	}
	s, err := parseStudy(text)
	return &s, err
}

// parseStudy reads what describe wrote.
func parseStudy(text []byte) (Study, error) {
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		return Study{}, fmt.Errorf("description of a study: %w", err)
	}
	if d.Space.Dim() == 0 {
		return Study{}, fmt.Errorf("description of study %.99q: space is empty", d.Study)
	}
	if !isName(d.Identity) {
		return Study{}, fmt.Errorf("description of study %.99q: identity = %.99q: want 1 to %d letters, digits, _ and -", d.Study, d.Identity, maxName)
	}
	s := Study{Name: d.Study, Identity: d.Identity, Space: d.Space, Minimize: d.Minimize, Exclusive: d.Exclusive, Timeout: d.Timeout}
	for _, t := range d.Constraints {
		c, err := outcome.ParseConstraint(t)
		if err != nil {
			return Study{}, fmt.Errorf("description of study %.99q: %w", d.Study, err)
		}
		s.Constraints = append(s.Constraints, c)
	}
	if wrong := outcome.CheckConstraints(s.Constraints); wrong != "" {
		return Study{}, fmt.Errorf("description of study %.99q: want %s", d.Study, wrong)
	}
	return s, nil
}
