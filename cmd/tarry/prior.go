package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/spacefile"
	"github.com/tarry-bo/tarry/loop"
)

// priorUsage is the help of the flag with the file of a prior.
const priorUsage = "`FILE` of tarry learn: the study begins with what many others taught, for policies with a model that do not censor, but for rgpe, auto:earlier, mft-mes and continual-mf-mes"

// openPrior returns the prior in the file of a flag; nothing without the flag.
func openPrior(path string) (*tarry.Prior, error) {
	if path == "" {
		return nil, nil
	}
	p, err := readPrior(path)
	if err != nil {
		return nil, fmt.Errorf("--prior: %w", err)
	}
	return p, nil
}

// samePrior returns why a study that is there did not begin with the prior in the file of a flag.
func samePrior(path, study string, c loop.Config) error {
	if path == "" {
		return nil
	}
	if c.Prior == nil {
		return fmt.Errorf("--prior: study %s began without one, and keeps to that", study)
	}
	given, err := openPrior(path)
	if err != nil {
		return err
	}
	one, err := json.Marshal(given)
	other, err2 := json.Marshal(c.Prior)
	if err := cmp.Or(err, err2); err != nil {
		return fmt.Errorf("--prior: %w", err)
	}
	if !bytes.Equal(one, other) {
		return fmt.Errorf("--prior: study %s began with another one than what %s has now, %v, and keeps to that: leave --prior out to go on", study, path, *c.Prior)
	}
	return nil
}

// readPrior reads a file of learn.
func readPrior(path string) (*tarry.Prior, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var p tarry.Prior
	if err = check.Object(text, &p); err == nil {
		_, err = p.Belief()
	}
	if err != nil {
		return nil, fmt.Errorf("%s is no prior of tarry learn: %w", path, err)
	}
	return &p, nil
}

// held says whether the prior that the study began with, or what earlier tasks of its sequence taught, still explains its answers; empty without one. Before the first
// fit nothing was compared, and weights of a network have nothing that they are compared with.
func (s *inspected) held() string {
	began := s.sequence()
	if p := s.header.Config.Prior; p != nil {
		began = *p
	}
	switch {
	case began == nil:
		return ""
	case s.loop.Counters().Fits == 0 || s.sequence() != nil && len(s.header.Config.Traits.Layers) > 0:
		return fmt.Sprintf("began with %v", began)
	case s.loop.Believed():
		return fmt.Sprintf("began with %v, which explains its answers best", began)
	}
	return fmt.Sprintf("began with %v, but a model that knows of no other study explains its answers better", began)
}

// isPrior reports whether a file of JSON is a prior, by the members of its object.
func isPrior(path string) bool {
	text, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return false
	}
	_, units := members["units"]
	_, features := members["features"]
	return units && features
}

// left is how well tasks that were left out were predicted, as means over them.
type left struct {
	tasks, seen                       int
	prior, fresh, coverage            float64
	priorError, freshError, coversErr float64
}

func leftOf(p tarry.Prior) (l left) {
	var of [3][]float64
	for _, task := range p.Tasks {
		if task.Left != nil {
			l.tasks++
			l.seen = max(l.seen, task.Left.Seen)
			of[0], of[1], of[2] = append(of[0], task.Left.Error), append(of[1], task.Left.Fresh), append(of[2], task.Left.Coverage)
		}
	}
	l.prior, l.priorError = meanOf(of[0])
	l.fresh, l.freshError = meanOf(of[1])
	l.coverage, l.coversErr = meanOf(of[2])
	return l
}

// meanOf is the mean with its standard error; that of one number is 0.
func meanOf(of []float64) (mean, sem float64) {
	n := float64(len(of))
	for _, v := range of {
		mean += v / n
	}
	for _, v := range of {
		sem += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sem / max(n-1, 1) / max(n, 1))
}

// predicts is what tarry learn says of how good the prior is; empty where it was not tried.
func predicts(p tarry.Prior) string {
	l := leftOf(p)
	if l.tasks == 0 {
		return ""
	}
	return fmt.Sprintf("; studies left out: error %.2f ± %.2f, of a fresh model %.2f ± %.2f", l.prior, l.priorError, l.fresh, l.freshError)
}

// priorText is a prior in words and numbers.
func priorText(p tarry.Prior) (string, error) {
	belief, err := p.Belief()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v\n", p)
	if l := leftOf(p); l.tasks > 0 {
		fmt.Fprintf(&b, "\nEach study was predicted from %d of its values by what others taught. Error at its other values, in standard deviations of them: %.2f ± %.2f,\n"+
			"and %.2f ± %.2f of a model that knows of no other study. Intervals of 80 %% held %.0f ± %.0f %%.\n",
			l.seen, l.prior, l.priorError, l.fresh, l.freshError, 100*l.coverage, 100*l.coversErr)
	}
	writeBelief(&b, p, belief)
	b.WriteString("\n")
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "STUDY\tVALUES\tBEST\tERROR\tFRESH\tHELD")
	for _, task := range p.Tasks {
		elsewhere := ""
		if task.Source {
			elsewhere = ", from elsewhere"
		}
		fmt.Fprintf(t, "%s%s\t%d\t%.6g", plain(task.Name), elsewhere, task.Values, task.Best)
		if l := task.Left; l != nil {
			fmt.Fprintf(t, "\t%.2f\t%.2f\t%.0f %%", l.Error, l.Fresh, 100*l.Coverage)
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s\n%s", b.String(), spacefile.Format(p.Space)), nil
}

// writeBelief says what the prior expects.
func writeBelief(b *strings.Builder, p tarry.Prior, belief tarry.PriorBelief) {
	u := p.Units
	fmt.Fprintf(b, "\nvalues of the next study: around %.4g ± %.2g, in units of %.3g (a factor of %.2g up or down)\n", u.Shift, u.ShiftDeviation, math.Exp(u.LogScale), math.Exp(u.LogScaleDeviation))
	fmt.Fprintf(b, "expected to be best at %s: %.4g ± %.2g\n\n", plain(pointText(p.Space, belief.Best)), belief.Value, belief.Spread)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "PARAMETER\tEXPECTED EFFECT\tLEFT OPEN")
	for i, q := range p.Space.Parameters() {
		fmt.Fprintf(t, "%s\t%.3g\t%.2g ± %.1g\n", plain(q.Name), belief.Effect[i], belief.Difference[i].Mean, belief.Difference[i].Deviation)
	}
	t.Flush()
	fmt.Fprint(b, "\nexpected effect: standard deviation of the expected value as the parameter varies; left open: by how much functions differ from that at points a\n"+
		"tenth of a range apart, in standard deviations of the function\n")
	fmt.Fprintf(b, "noise is %.2g ± %.1g of the variance of a value\n", belief.Noise.Mean, belief.Noise.Deviation)
}

// pointText is a point as name=value between commas, without what is inactive.
func pointText(s tarry.Space, x tarry.Point) string {
	var parts []string
	for i, q := range s.Parameters() {
		if !math.IsNaN(x[i]) {
			parts = append(parts, q.Name+"="+q.Format(x[i]))
		}
	}
	return strings.Join(parts, ", ")
}
