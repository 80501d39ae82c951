package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/spacefile"
)

// isLearned reports whether a file is one of what was learned, and no study: it begins as JSON does.
func isLearned(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	start := make([]byte, 64)
	n, _ := io.ReadFull(file, start)
	return bytes.HasPrefix(bytes.TrimSpace(start[:n]), []byte("{"))
}

// sequence is what earlier tasks of its sequence taught the study; nil where it has none.
func (s *inspected) sequence() fmt.Stringer {
	if k := s.header.Config.Learned; k != nil {
		return *k
	}
	return nil
}

// learned shows a file of what was learned.
func (l look) learned(path string, w io.Writer) error {
	if l.csv || l.json || l.plot != "" || !l.all || l.explains {
		return usage(fmt.Errorf("%s is what studies have learned, and JSON itself: want no --csv, --json, --plot, --top and --explain", path))
	}
	if isPrior(path) {
		return showPrior(path, w)
	}
	learned, err := readLearned(path)
	if err != nil {
		return usage(err)
	}
	text, err := learnedText(*learned)
	if err != nil {
		return usage(fmt.Errorf("%s is no file of what was learned: %w", path, err))
	}
	_, err = io.WriteString(w, text)
	return failure(err)
}

// showPrior shows a file of learn.
func showPrior(path string, w io.Writer) error {
	p, err := readPrior(path)
	if err != nil {
		return usage(err)
	}
	text, err := priorText(*p)
	if err != nil {
		return usage(err)
	}
	_, err = io.WriteString(w, text)
	return failure(err)
}

// learnedText is what was learned in words and numbers.
func learnedText(k tarry.Learned) (string, error) {
	s, err := k.Summary()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	of := "the hyperparameters of kernel " + k.Kernel
	if k.Kernel == "" {
		of = fmt.Sprintf("the weights of a network with layers of %s", strings.Trim(fmt.Sprint(k.Layers), "[]"))
	}
	fmt.Fprintf(&b, "%s: %d particles of %s\n\n", howMany(len(k.Tasks), "task"), len(k.Particles), of)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, task := range k.Tasks {
		best := "no value at the target"
		if task.Best != nil {
			best = fmt.Sprintf("best %.6g", *task.Best)
		}
		cost := ""
		if task.Cost > 0 {
			cost = fmt.Sprintf("cost %.6g", task.Cost)
		}
		fmt.Fprintf(t, "%s\t%d values\t%s\t%s\n", plain(task.Name), task.Evaluations, cost, best)
	}
	err = t.Flush()
	b.WriteString("\nby how much values differ at points a tenth of a range apart, in standard deviations of a value, ± as the particles do\n")
	fidelity, has := k.Space.Fidelity()
	for i, p := range k.Space.Parameters() {
		name := plain(p.Name)
		if has && i == fidelity {
			name += ", from one to the next"
		}
		fmt.Fprintf(t, "  %s\t%.2g ± %.1g\n", name, s.Difference[i].Mean, s.Difference[i].Deviation)
	}
	err = errors.Join(err, t.Flush())
	fmt.Fprintf(&b, "noise is %.2g ± %.1g of the variance of a value\n\n%s", s.Noise.Mean, s.Noise.Deviation, spacefile.Format(k.Space))
	return b.String(), err
}

// howMany is a number of things.
func howMany(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
