package tournament

import (
	"encoding/json"
	"math"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/internal/lab/experiment"
	"github.com/tarry-bo/tarry/internal/stat"
)

// Number is a number that JSON writes as null where it is none.
type Number float64

// MarshalJSON writes the shortest text that reads back as the same number.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return json.Marshal(v)
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads null as NaN.
func (n *Number) UnmarshalJSON(text []byte) error {
	*n = Number(math.NaN())
	if string(text) == "null" {
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// Mean is a mean with its standard error.
type Mean struct {
	Mean Number `json:"mean"`
	SE   Number `json:"se"`
}

func meanOf(e stat.Estimate) Mean { return Mean{Number(e.Mean), Number(e.SE)} }

// Gap is a mean difference with the ends of its interval of 95 %.
type Gap struct {
	Mean Number `json:"mean"`
	SE   Number `json:"se"`
	Low  Number `json:"low"`
	High Number `json:"high"`
}

// Summary is all that tables and pictures show. All of it but the seconds, and how many runs went on at once,
// follows from the command.
type Summary struct {
	Seeds     int      `json:"seeds"`
	First     uint64   `json:"first_seed"`
	Runs      int      `json:"runs"`     // of all policies in all cells
	Complete  int      `json:"complete"` // of them
	AtOnce    int      `json:"at_once"`  // runs, at most; 0: not known
	Floor     float64  `json:"floor"`
	Reference string   `json:"reference"`
	Policies  []string `json:"policies"`
	Missing   []string `json:"missing"` // problems that could not be drawn
	Parts     []Part   `json:"parts"`
	Cells     []Row    `json:"cells"`
}

// Part is what some of the cells say together: those of a half, or all.
type Part struct {
	Name      string     `json:"name"`
	Cells     int        `json:"cells"`
	Problems  int        `json:"problems"`
	Standings []Standing `json:"standings"`
	Families  []Family   `json:"families"`
	Verdicts  []Verdict  `json:"verdicts"`
}

// Standing is how a policy did over the cells of a part. Regrets are means of log10; errors allow for cells of one problem
// depending on each other.
type Standing struct {
	Policy      string `json:"policy"`
	Halfway     Mean   `json:"halfway"`
	End         Mean   `json:"end"`
	Recommended Mean   `json:"recommended"`
	Rank        Number `json:"rank"`
	Gap         Gap    `json:"gap"`    // minus the reference, at the end
	Better      int    `json:"better"` // cells in which it is significantly better than the reference: paired, two-sided, 95 %, Holm over the cells
	Worse       int    `json:"worse"`
	Coverage    Number `json:"coverage"` // share of the values in the central 80 % of their forecasts
	Repeats     Number `json:"repeats"`
	Seconds     Number `json:"seconds"` // on the clock for a query, fits and the simulation included: the more, the more runs go on at once and the busier the machine is
	Ranks       []Mean `json:"ranks"`   // after each twentieth of the budget
}

// Family is how the policies did in a family of problems.
type Family struct {
	Name   string     `json:"name"`
	Cells  int        `json:"cells"`
	Curves [][]Number `json:"curves"` // mean log10 regrets by policy, after each twentieth of the budget
	Ranks  []Number   `json:"ranks"`  // by policy, at the end
}

// Row is a cell.
type Row struct {
	Name    string `json:"name"`
	Problem string `json:"problem"`
	Family  string `json:"family"`
	Half    string `json:"half"`
	Noise   string `json:"noise"`
	Delay   string `json:"delay"`
	Workers int    `json:"workers"`
	Budget  int    `json:"budget"`
	Seeds   int    `json:"seeds"` // that every policy has completed
	Best    string `json:"best"`  // fixed policy on the even seeds; empty without any
	Halfway []Mean `json:"halfway"`
	End     []Mean `json:"end"` // by policy
	Gaps    []Gap  `json:"gaps"`
}

// summary sums runs up.
func summary(cells []Cell, names []string, j Terms, runs []experiment.Run, first uint64, seeds int) Summary {
	all := sheets(cells, names, runs, j.Floor)
	out := Summary{Seeds: seeds, First: first, Floor: j.Floor, Reference: j.Reference, Policies: names, Missing: j.Missing}
	out.Runs, out.Complete = len(cells)*len(names)*seeds, len(runs)
	for _, r := range runs {
		out.AtOnce = max(out.AtOnce, r.AtOnce)
	}
	for _, s := range all {
		out.Cells = append(out.Cells, row(s, names, j.reference(names)))
	}
	all = slices.DeleteFunc(all, func(s sheet) bool { return len(s.seeds) == 0 })
	for _, name := range Selections {
		some := slices.DeleteFunc(slices.Clone(all), func(s sheet) bool { return !s.cell.Problem.In(name) })
		if len(some) > 0 && !(name == Both && len(out.Parts) == 1) {
			out.Parts = append(out.Parts, part(name, some, names, j.reference(names)))
		}
	}
	return out
}

func row(s sheet, names []string, reference int) Row {
	c := s.cell
	out := Row{
		Name: c.Name(), Problem: c.Problem.Name, Family: c.Problem.Family, Half: c.Problem.Half,
		Noise: c.Condition.Noise, Delay: c.Condition.Delay, Workers: c.Condition.Workers, Budget: c.Budget, Seeds: len(s.seeds),
	}
	if even := s.only(even); len(even.seeds) > 0 {
		if best := even.best(names); best >= 0 {
			out.Best = names[best]
		}
	}
	for k := range names {
		out.Halfway = append(out.Halfway, meanOf(stat.Of(s.scores(k, halfway))))
		out.End = append(out.End, meanOf(stat.Of(s.scores(k, atEnd))))
		g := s.gap(k, reference)
		low, high := g.Interval(1 - level)
		out.Gaps = append(out.Gaps, Gap{Number(g.Mean), Number(g.SE), Number(low), Number(high)})
	}
	return out
}

func part(name string, all []sheet, names []string, reference int) Part {
	out := Part{Name: name, Cells: len(all), Verdicts: verdicts(all, names)}
	seen := map[string]bool{}
	for _, p := range problemsOf(all) {
		seen[p] = true
	}
	out.Problems = len(seen)
	stations := rankCurves(all, len(names))
	for k, policy := range names {
		out.Standings = append(out.Standings, standing(all, k, policy, reference, stations[k]))
	}
	var families []string
	for _, s := range all {
		if f := s.cell.Problem.Family; !slices.Contains(families, f) {
			families = append(families, f)
		}
	}
	for _, f := range families {
		out.Families = append(out.Families, family(f, slices.DeleteFunc(slices.Clone(all), func(s sheet) bool { return s.cell.Problem.Family != f }), len(names)))
	}
	return out
}

// over is the mean over cells of the mean over the seeds of each.
func over(all []sheet, of func(s sheet) float64) Mean {
	values := make([]float64, len(all))
	for i, s := range all {
		values[i] = of(s)
	}
	return meanOf(stat.Clustered(values, problemsOf(all)))
}

// regret is the mean of the scores of a policy at a station, over cells.
func regret(all []sheet, policy, station int) Mean {
	return over(all, func(s sheet) float64 { return stat.Of(s.scores(policy, station)).Mean })
}

func standing(all []sheet, k int, policy string, reference int, ranks []Mean) Standing {
	out := Standing{
		Policy: policy, Halfway: regret(all, k, halfway), End: regret(all, k, atEnd), Ranks: ranks, Rank: ranks[atEnd].Mean,
		Repeats: over(all, func(s sheet) float64 { return s.record(k, curveRepeats) }).Mean,
		Recommended: over(all, func(s sheet) float64 {
			var scores []float64
			for _, r := range s.runs[k] {
				scores = append(scores, s.score(r.Record[curveRecommended][0]))
			}
			return stat.Of(scores).Mean
		}),
	}
	gaps, p := make([]stat.Estimate, len(all)), make([]float64, len(all))
	var judged, central, queries float64
	var work time.Duration
	for i, s := range all {
		gaps[i] = s.gap(k, reference)
		p[i] = gaps[i].Apart()
		for _, r := range s.runs[k] {
			judged, central = judged+r.Record[curveCoverage][0], central+r.Record[curveCoverage][1]
			work += r.Wall
			queries += float64(s.cell.Budget)
		}
	}
	for i, adjusted := range stat.Holm(p) {
		switch {
		case adjusted >= level:
		case gaps[i].Mean < 0:
			out.Better++
		default:
			out.Worse++
		}
	}
	out.Gap, out.Coverage, out.Seconds = pooled(all, gaps), Number(central/judged), Number(work.Seconds()/queries)
	return out
}

// rankCurves are the average ranks by policy and station.
func rankCurves(all []sheet, policies int) [][]Mean {
	out := make([][]Mean, policies)
	for station := range stations {
		for k, e := range averageRanks(all, station) {
			out[k] = append(out[k], meanOf(e))
		}
	}
	return out
}

func family(name string, all []sheet, policies int) Family {
	out := Family{Name: name, Cells: len(all)}
	for k := range policies {
		var curve []Number
		for station := range stations {
			curve = append(curve, regret(all, k, station).Mean)
		}
		out.Curves = append(out.Curves, curve)
	}
	for _, e := range averageRanks(all, atEnd) {
		out.Ranks = append(out.Ranks, Number(e.Mean))
	}
	return out
}
