package portrait

import (
	"cmp"
	"slices"

	"github.com/tarry-bo/tarry/internal/hindsight"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// Portrait returns what there is to see of a study that was followed, but for what its model says (Model) and its events. Cost O(d) for
// each evaluation that is drawn.
func (k *Sketch) Portrait(s Study, r Range) Portrait {
	s.Elapsed = s.elapsed()
	s.silences = map[int]loop.Silence{}
	for _, silent := range s.Loop.Silences(s.Elapsed) {
		s.silences[silent.Number] = silent
	}
	c := s.Loop.Config()
	all := s.Loop.Evaluations()
	p := Portrait{
		Study: about(s), Standing: k.standing(s), Parameters: parameters(c.Space), Constraints: []Bounded{}, Incumbents: k.steps(), Counters: []Counter{},
		Failures: k.failures(), Workers: k.crew(), Coverage: s.Loop.Coverage(), Fidelities: SpendingsOf(s.Loop), Evaluations: []Evaluation{},
	}
	for _, b := range c.Constraints {
		p.Constraints = append(p.Constraints, BoundedOf(b))
	}
	for _, one := range CountersOf(s.Loop) {
		if one.N > 0 {
			p.Counters = append(p.Counters, one)
		}
	}
	if safe := s.Loop.Safety(); safe != nil {
		p.Safety = safe.String()
	}
	if number := k.best(); number > 0 {
		p.Best = &Found{Evaluation: evaluation(s, all[number-1])}
	}
	var numbers []int
	numbers, p.Drawn = k.choose(r)
	p.Values = valuesOf(all, numbers, c.Sense())
	for _, number := range numbers {
		if k.marks[number-1].changed > p.Drawn.After {
			p.Evaluations = append(p.Evaluations, evaluation(s, all[number-1]))
		}
	}
	return p
}

// about is what the study is.
func about(s Study) About {
	c, made := s.Loop.Config(), s.Header.Program
	out := About{
		Name: s.Name, Begun: s.Begun, Policy: c.Traits.Name, Seed: c.Seed, Minimize: c.Minimize, Budget: c.Budget, BudgetCost: c.BudgetCost, Initial: c.Initial,
		Options: []Named{}, Command: s.Command, Workers: s.Workers, Target: s.Target, Tarry: made.Tarry, Go: made.Go, Arch: made.Arch,
		Differences: made.Differences(journal.ThisProgram()), GoOn: s.GoOn,
	}
	if made.Level != "" {
		out.Arch += " " + made.Level
	}
	for _, o := range c.Options() {
		switch o.Name {
		case "policy", "seed", "minimize", "budget", "budget-cost", "initial", "constraints":
			continue
		}
		if o.Help != "" && !o.IsZero() {
			out.Options = append(out.Options, Named{o.Name, Short(o.Text(), maxReason)})
		}
	}
	return out
}

// standing is how the study stands.
func (k *Sketch) standing(s Study) Standing {
	seq, last := s.Loop.Now()
	out := Standing{
		Events: seq, Elapsed: seconds(s.Elapsed), Last: seconds(last), Holder: s.Holder, Paused: s.Paused, Live: s.Live, Evaluations: len(k.marks), Spent: s.Loop.Spent(),
		Pending: s.Loop.Pending(), Counts: []Count{}, Foreign: k.foreign, Cost: hindsight.Number(k.cost(s.Loop)),
	}
	if s.Loop.Finished() {
		out.Ended = cmp.Or(s.Loop.Reason(), "ended")
	}
	for status, n := range k.counts {
		if n > 0 {
			out.Counts = append(out.Counts, Count{loop.Status(status).String(), n})
		}
	}
	return out
}

// Bounds of the lists of a portrait.
const (
	mostFailures = 12
	mostCrew     = 200
)

// failures are the reasons that stand most often. Cost O(n) at most.
func (k *Sketch) failures() []Failure {
	out, index := []Failure{}, map[int32]int{}
	for i, r := range k.reasons {
		if r.n > 0 {
			out = append(out, Failure{r.text, r.n, i + 1})
		}
	}
	slices.SortStableFunc(out, func(a, b Failure) int { return cmp.Or(b.N-a.N, cmp.Compare(a.Reason, b.Reason)) })
	out = out[:min(len(out), mostFailures)]
	for i := range out {
		index[int32(out[i].Latest)], out[i].Latest = i, 0
	}
	for number := len(k.marks); number > 0 && len(index) > 0; number-- {
		if i, listed := index[k.marks[number-1].reason]; listed {
			out[i].Latest = number
			delete(index, k.marks[number-1].reason)
		}
	}
	return out
}

// crew are the workers, by their numbers; of many those that were seen last.
func (k *Sketch) crew() []Worker {
	out, running := []Worker{}, map[int][]int{}
	for _, number := range k.pending {
		if m := k.marks[number-1]; m.running && len(running[int(m.worker)]) < maxRunning {
			running[int(m.worker)] = append(running[int(m.worker)], number)
		}
	}
	for _, w := range k.workers {
		one := *w
		one.Running = append([]int{}, running[w.ID]...)
		out = append(out, one)
	}
	if len(out) > mostCrew {
		slices.SortFunc(out, func(a, b Worker) int { return cmp.Or(cmp.Compare(b.LastSeen, a.LastSeen), a.ID-b.ID) })
		out = out[:mostCrew]
	}
	slices.SortFunc(out, func(a, b Worker) int { return a.ID - b.ID })
	return out
}
