package journal

import (
	"fmt"

	"github.com/tarry-bo/tarry/bandit"
	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/loop"
)

// visitHeader lists the members of a header. As with events, names are never changed, and what is added later may be absent.
func visitHeader(f *fields, h *Header) {
	f.int(must, "format", &h.Format)
	structure(f, must, "program", &h.Program, visitProgram)
	structure(f, must, "config", &h.Config, visitConfig)
}

func visitProgram(f *fields, p *Program) {
	f.text(must, "tarry", &p.Tarry)
	f.text(must, "go", &p.Go)
	f.text(must, "arch", &p.Arch)
	f.text(may, "level", &p.Level)
	f.text(may, "experiment", &p.Experiment)
}

// visitConfig has the members that loop.Config.Options lists.
func visitConfig(f *fields, c *loop.Config) {
	f.json("space", &c.Space)
	for _, o := range c.Options() {
		f.option(o)
	}
}

// option is a number as such; what has units or is one of some words is a text.
func (f *fields) option(o option.Option) {
	p := presence(o.Always)
	switch v := o.Field.(type) {
	case *int:
		f.int(p, o.Name, v)
	case *uint64:
		f.uint64(p, o.Name, v)
	case *bool:
		f.bool(p, o.Name, v)
	case *string:
		f.text(p, o.Name, v)
	case *float64:
		f.number(p, o.Name, v)
	case **float64:
		f.optional(o.Name, v)
	case *[]float64:
		numbers(f, o.Name, v)
	case **loop.Learned:
		pointer(f, o.Name, v, visitLearned)
	case **loop.Earlier:
		pointer(f, o.Name, v, visitEarlier)
	case **loop.Prior:
		pointer(f, o.Name, v, visitPrior)
	case **bandit.Knowledge:
		pointer(f, o.Name, v, visitTaught)
	default:
		f.words(p, o)
	}
}

// visitLearned has what a study began with, so that a journal is all that its replay needs.
func visitLearned(f *fields, k *loop.Learned) {
	f.json("space", &k.Space)
	f.text(may, "kernel", &k.Kernel)
	ints(f, "layers", &k.Layers)
	list(f, "tasks", &k.Tasks, func(f *fields, t *loop.LearnedTask) {
		f.text(may, "name", &t.Name)
		f.int(may, "evaluations", &t.Evaluations)
		f.number(may, "cost", &t.Cost)
		f.optional("best", &t.Best)
	})
	rows(f, "particles", &k.Particles)
}

// visitPrior has the prior by content.
func visitPrior(f *fields, p *loop.Prior) {
	f.json("space", &p.Space)
	f.bool(may, "minimize", &p.Minimize)
	list(f, "tasks", &p.Tasks, func(f *fields, t *loop.PriorTask) {
		f.text(may, "name", &t.Name)
		f.int(must, "values", &t.Values)
		f.number(must, "best", &t.Best)
		f.bool(may, "source", &t.Source)
		pointer(f, "left", &t.Left, func(f *fields, l *loop.LeftOut) {
			f.int(must, "seen", &l.Seen)
			f.number(must, "error", &l.Error)
			f.number(must, "fresh", &l.Fresh)
			f.number(must, "coverage", &l.Coverage)
		})
	})
	ints(f, "mean", &p.Mean)
	ints(f, "features", &p.Features)
	f.number(must, "shift", &p.Units.Shift)
	f.number(must, "shift_deviation", &p.Units.ShiftDeviation)
	f.number(must, "log_scale", &p.Units.LogScale)
	f.number(must, "log_scale_deviation", &p.Units.LogScaleDeviation)
	rows(f, "particles", &p.Particles)
}

// visitEarlier has the earlier studies by content, so that their files may go.
func visitEarlier(f *fields, e *loop.Earlier) {
	f.jsonUnless(e.Space.Dim() == 0, "space", &e.Space)
	f.bool(may, "minimize", &e.Minimize)
	list(f, "studies", &e.Studies, func(f *fields, s *loop.EarlierStudy) {
		f.text(may, "name", &s.Name)
		rows(f, "points", &s.Points)
		numbers(f, "values", &s.Values)
		numbers(f, "hyper", &s.Hyper)
		f.number(may, "noise", &s.Noise)
	})
}

// visitTaught has what a bandit began with.
func visitTaught(f *fields, k *bandit.Knowledge) {
	f.json("space", &k.Space)
	f.number(may, "explore", &k.Explore)
	f.number(may, "eta", &k.Eta)
	f.number(may, "scale", &k.Scale)
	ints(f, "layers", &k.Layers)
	numbers(f, "weights", &k.Weights)
	f.int(may, "tasks", &k.Tasks)
}

func (f *fields) words(p presence, o option.Option) {
	text := o.Text()
	if !f.reading && o.Words != nil && !o.Valid() { // it would not come back
		f.fail(o.Name, fmt.Errorf("want %s, found %s", o.Kind, text))
	}
	one(f, p, o.Name, &text, o.IsZero(), putText, func(raw []byte) (string, error) {
		text, err := getText(raw)
		if err != nil || !o.Read(text) {
			return "", fmt.Errorf("want %s, found %s", o.Kind, cut(raw))
		}
		return text, nil
	})
}
