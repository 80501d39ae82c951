package journal

import (
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
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

func visitConfig(f *fields, c *loop.Config) {
	f.json("space", &c.Space)
	structure(f, must, "traits", &c.Traits, visitTraits)
	f.uint64(must, "seed", &c.Seed)
	f.bool(may, "minimize", &c.Minimize)
	f.int(must, "budget", &c.Budget)
	f.int(must, "initial", &c.Initial)
	enum(f, "design", &c.Design, "uniform", "latin-hypercube", "halton")
	structure(f, may, "model", &c.Model, visitModel)
	structure(f, may, "window", &c.Window, visitWindow)
	f.optional("floor", &c.Floor)
	f.number(may, "range", &c.Range)
	f.int(may, "barrier", &c.Barrier)
	f.int(may, "pending", &c.Pending)
	f.duration("timeout_ns", &c.Timeout)
	f.bool(may, "exclusive", &c.Exclusive)
	f.int(may, "retries", &c.Retries)
	f.duration("lease_ns", &c.Lease)
	f.duration("patience_ns", &c.Patience)
	f.bool(may, "fit_beside", &c.FitBeside)
}

func visitTraits(f *fields, t *policies.Traits) {
	f.text(must, "name", &t.Name)
	f.bool(may, "model", &t.Model)
	enum(f, "pending", &t.Pending, "ignore", "censor", "hallucinate")
	list(f, "also", &t.Also, visitWant)
	f.bool(may, "draws", &t.Draws)
	f.bool(may, "adapts", &t.Adapts)
	f.int(may, "barrier", &t.Barrier)
}

func visitWant(f *fields, w *model.Want) {
	f.int(may, "output", (*int)(&w.Output))
	enum(f, "pending", &w.Pending, "ignore", "censor", "hallucinate")
}

func visitModel(f *fields, m *loop.Model) {
	f.text(may, "kernel", &m.Kernel)
	f.numbers("hyper", &m.Hyper)
	f.number(may, "noise", &m.Noise)
	f.int(may, "active", &m.Active)
}

func visitWindow(f *fields, w *feedback.Window) {
	f.int(may, "rounds", &w.Rounds)
	f.duration("duration_ns", &w.Duration)
	f.bool(may, "strict", &w.Strict)
}
