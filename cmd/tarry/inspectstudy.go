package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/internal/serve"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

// inspected is a study as it was when it was looked at.
type inspected struct {
	path    string
	holder  string    // the process that is at it; empty without any
	begun   time.Time // on the clock on the wall
	header  journal.Header
	task    *task // nil where it runs no command
	session bool  // whether it is asked and told by lines
	crewed  bool  // whether remote workers evaluate it
	loop    *loop.Loop
	events  uint64
	now     time.Duration // of the last event, since it began
	found   *loop.Result
}

// inspect reads a study.
func inspect(path string) (*inspected, error) {
	store, err := sqlite.Read(path)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	s := &inspected{path: path}
	if s.holder, err = store.Holder(); err != nil {
		return nil, err
	}
	if s.header, err = store.Header(); err != nil {
		return nil, err
	}
	if s.begun, err = store.Created(); err != nil {
		return nil, err
	}
	text, err := store.Kept(taskName)
	if err != nil {
		return nil, err
	}
	if text != nil {
		s.task = &task{}
		if err := json.Unmarshal(text, s.task); err != nil {
			return nil, fmt.Errorf("study %s: what it runs: %w", path, err)
		}
	}
	mark, err := store.Kept(sessionName)
	if err != nil {
		return nil, err
	}
	s.session = mark != nil
	if s.crewed, err = serve.Crewed(store); err != nil {
		return nil, fmt.Errorf("study %s: %w", path, err)
	}
	if s.loop, _, err = journal.Replay(store); err != nil {
		return nil, fmt.Errorf("study %s: %w", path, err)
	}
	s.events, s.now = s.loop.Now()
	return s, nil
}

// evaluations are all of them, by number. Read only.
func (s *inspected) evaluations() []loop.Evaluation { return s.loop.Evaluations() }

// result is what was found. What is recommended takes the work of a suggestion, O(n³) for the rows of the model.
func (s *inspected) result() loop.Result {
	if s.found == nil {
		r := s.loop.Result()
		s.found = &r
	}
	return *s.found
}

// ended says why the study ended; empty while it has not.
func (s *inspected) ended() string {
	if !s.loop.Finished() {
		return ""
	}
	return s.result().Reason
}

// counts are how many evaluations have each status, by status.
func (s *inspected) counts() []int {
	out := make([]int, len(loop.Statuses()))
	for _, e := range s.evaluations() {
		out[e.Status]++
	}
	return out
}

// foreign is how many evaluations were measured elsewhere.
func (s *inspected) foreign() int {
	n := 0
	for _, e := range s.evaluations() {
		if e.Foreign {
			n++
		}
	}
	return n
}

// cost is the sum of all costs; +Inf where that is beyond all numbers.
func (s *inspected) cost() float64 { return portrait.CostOfAll(s.loop) }

// ranked are the evaluations with a value that counts, the best first, of equals the one that was there first.
func (s *inspected) ranked() []loop.Evaluation {
	var out []loop.Evaluation
	for _, e := range s.evaluations() {
		if e.Counts() {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b loop.Evaluation) int { return s.header.Config.Rank(&a, &b) })
	return out
}

// differences are what the program that wrote the study has that this one has not.
func (s *inspected) differences() []string {
	return s.header.Program.Differences(journal.ThisProgram())
}

// sense is what the study does with the values.
func (s *inspected) sense() string {
	if s.header.Config.Minimize {
		return "minimizes"
	}
	return "maximizes"
}

// conditions are the study in a few words.
func (s *inspected) conditions() string {
	c := s.loop.Config()
	budget := fmt.Sprint(c.Budget)
	switch {
	case c.BudgetCost > 0 && c.Budget < loop.MaxBudget:
		budget = fmt.Sprintf("%d, %.6g in cost", c.Budget, c.BudgetCost)
	case c.BudgetCost > 0:
		budget = fmt.Sprintf("%.6g in cost", c.BudgetCost)
	}
	list := ""
	if n := c.Space.Size(); n > 0 {
		list = fmt.Sprintf(", a list of %d points", n)
	}
	return fmt.Sprintf("policy %s, seed %d, %s, budget %s (%d initial)%s", c.Traits.Name, c.Seed, s.sense(), budget, c.Initial, list)
}

// resumption is the command that goes on with the study.
func (s *inspected) resumption() string {
	switch {
	case s.task != nil:
		return resumption(s.path)
	case s.crewed:
		return serving(s.path)
	case s.session:
		return session(s.path)
	}
	return inProgram
}
