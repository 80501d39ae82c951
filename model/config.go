package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/particles"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Output names something that is measured at every point.
type Output int

// Objective is the first output, which every study has.
const Objective Output = 0

// Constraint returns the output of a constraint, from 0: its margin, which is ≥ 0 where it holds.
func Constraint(i int) Output { return Output(i + 1) }

// A fit of a margin looks at half of the answers where those are many, and candidates of a choice are compared by fewer: a margin need
// be known near zero only, and with two constraints fits take less than three times as long as without.
const (
	manyAnswers = 600
	marginShare = 0.75 // of the answers by which candidates are compared
)

// rows returns how many of so many answers a fit looks at.
func (o Output) rows(count int) int {
	if o != Objective && count > manyAnswers {
		return count / 2 // levels of a fit double, so that this is all of them but the last
	}
	return count
}

// outlying reports whether some values of the output may be outliers.
func (o Output) outlying() bool { return o == Objective }

// sparse reports whether few of many parameters may matter to the output. Of a constraint, which has to be known near its bound only, it is not believed.
func (o Output) sparse() bool { return o == Objective }

// doubts reports whether it matters if there is noise at all: a point of a finite space is measured again for the sake of the objective.
func (o Output) doubts(s space.Space) bool {
	return o == Objective && (s.Size() > 0 || s.Combinations() > 0)
}

// compared returns by how many answers candidates are compared.
func (o Output) compared() int {
	if o == Objective {
		return chooseRows
	}
	return int(marginShare * chooseRows)
}

// String returns "objective", or "output 1" and so on.
func (o Output) String() string {
	if o == Objective {
		return "objective"
	}
	return fmt.Sprintf("output %d", int(o))
}

// Want names a belief: an output, how queries without an answer are seen, and under which of its kernels.
type Want struct {
	Output  Output
	Pending feedback.Imputation
	Member  int // of Spec.Members; 0 is the output's own kernel, which is the first member where there are some
}

// String returns "objective, pending ignored" and so on.
func (w Want) String() string {
	how := w.Pending.String()
	switch w.Pending {
	case feedback.Ignore, feedback.Hallucinate:
		how += "d"
	case feedback.Censor:
		how += "ed"
	}
	if w.Member != 0 {
		how += fmt.Sprintf(", member %d", w.Member)
	}
	return fmt.Sprintf("%v, pending %s", w.Output, how)
}

// Text returns the name of the belief, as in "objective:ignore", "1:censor" and "objective:hallucinate:4": what ParseWant reads. An imputation that there is
// none of is its number: it may be nonsense, but it is what was said.
func (w Want) Text() string {
	output := "objective"
	if w.Output != Objective {
		output = strconv.Itoa(int(w.Output))
	}
	how := w.Pending.String()
	if w.Pending < feedback.Ignore || w.Pending > feedback.Hallucinate {
		how = strconv.Itoa(int(w.Pending))
	}
	if w.Member != 0 {
		how += ":" + strconv.Itoa(w.Member)
	}
	return output + ":" + how
}

// ParseWant returns the belief of a name.
func ParseWant(text string) (Want, error) {
	output, how, _ := strings.Cut(text, ":")
	how, member, numbered := strings.Cut(how, ":")
	i := slices.Index(feedback.Imputations(), how)
	var w Want
	if output != "objective" {
		n, err := strconv.Atoi(output)
		if err != nil || n == 0 {
			return w, fmt.Errorf("want objective, or the number of an output, found %q", output)
		}
		w.Output = Output(n)
	}
	if i < 0 {
		n, err := strconv.Atoi(how)
		if err != nil {
			return w, fmt.Errorf("want one of %s, found %q", strings.Join(feedback.Imputations(), ", "), how)
		}
		i = n
	}
	w.Pending = feedback.Imputation(i)
	if numbered {
		n, err := strconv.Atoi(member)
		if err != nil || n == 0 {
			return w, fmt.Errorf("want the number of a member, found %q", member)
		}
		w.Member = n
	}
	return w, nil
}

// Spec is what is known of an output before any of its values.
type Spec struct {
	Prior surrogate.Prior
	Known bool     // whether the hyperparameters of the prior are given, in the units of the values; otherwise they are learned
	Floor *float64 // worst possible value, in the maximization sense; nil: a stand-in below what was seen
	Range float64  // known range of the values, best − worst; 0: their spread is learned
	// Origin says that the prior mean is the value zero, and not the mean of what was seen: values are scaled alone. A belief that
	// censors measures from the worst value all the same.
	Origin bool
	// Kernels are those that fits choose from, which have the same hyperparameters, and a warp of the values is chosen too, by the
	// evidence; nil: hyperparameters alone are learned. A belief that censors takes values as they are.
	Kernels []surrogate.Kernel
	// Fidelity says that a coordinate is a fidelity; nil: none is. Then the kernels of the prior, of Kernels and of Sums are those of the
	// other coordinates, and New makes ICM kernels of them, whose decay is learned with the other hyperparameters. A kernel over a
	// fidelity stays as it is.
	Fidelity *surrogate.FidelityAxis
	// Sums are kernels of sums of functions of one coordinate, and of surfaces, with the same hyperparameters as Kernels, of which a fit may choose
	// one instead; nil without Kernels.
	Sums []surrogate.Kernel
	// Warped are kernels of warped coordinates (surrogate.Unwarped), of which a fit may choose one instead; nil without Kernels.
	Warped []surrogate.Kernel
	// Meta are priors that earlier tasks taught, besides that of Prior; nil: there are none.
	Meta *Meta
	// Members are further kernels, of which fits learn the parameters as particles; nil: none. Then Kernels and Sums are nil and the
	// output's own kernel is the first of them.
	Members *Members

	particles *particles.Settings // of Members, as New sets them
}

// over returns what is known with kernels over the fidelity, if there is one.
func (s Spec) over() Spec {
	if s.Fidelity == nil {
		return s
	}
	s.Prior.Kernel = s.Fidelity.Over(s.Prior.Kernel)
	s.Kernels, s.Sums = overAll(*s.Fidelity, s.Kernels), overAll(*s.Fidelity, s.Sums)
	return s
}

func overAll(a surrogate.FidelityAxis, bases []surrogate.Kernel) (all []surrogate.Kernel) {
	for _, k := range bases {
		all = append(all, a.Over(k))
	}
	return all
}

// Config is everything that decides a model besides what happens.
type Config struct {
	Space   space.Space
	Seed    uint64
	Window  feedback.Window
	Active  int  // most rows of a belief; beyond them a choice is kept
	Most    int  // rows that a belief will ever have, at most
	Draws   bool // whether functions are drawn from the posteriors
	Blind   bool // nobody looks at a posterior, and none is computed
	Blank   bool // queries that failed have no value: Belief.Blamed names them, and who looks at it keeps away by himself
	Outputs []Spec
	Beliefs []Want // the first of them is that of predictions; no two are equal
}

// Limits.
const (
	MinActive, MaxActive = 50, 8000 // of Config.Active
	MaxCells             = 1 << 28  // rows of a belief times points of a finite list: 2 GiB
	JointDraw            = 512      // most actions over which a draw at a context is exact: the cost of one grows with their square
)
