package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/tarry-bo/tarry/space"
)

// remark says on the log of a new study what is allowed in its space, but is hardly meant.
func remark(log io.Writer, s space.Space) {
	for _, note := range append([]string{falling(s)}, wide(s)...) {
		if note != "" {
			fmt.Fprintln(log, "tarry:", plain(note))
		}
	}
}

// falling names the values of a fidelity that cost as much as a greater one; empty where there are none.
func falling(s space.Space) string {
	at, has := s.Fidelity()
	if !has {
		return ""
	}
	p := s.Parameter(at)
	var dear []string
	for _, v := range p.Dear() {
		dear = append(dear, fmt.Sprintf("%s=%s for %v", p.Name, p.Format(v), p.Cost(v)))
	}
	if dear == nil {
		return ""
	}
	return fmt.Sprintf("the costs of %s do not increase: %s: a greater value costs as much or less, so these are hardly worth a query", p.Name, strings.Join(dear, ", "))
}

const wideRatio = 1000 // of the ends of a range

// wide names the real parameters whose ranges are orders of magnitude and searched evenly: nine tenths of such a range are its last decade.
func wide(s space.Space) (notes []string) {
	for i := range s.Dim() {
		p := s.Parameter(i)
		if p.Kind != space.KindFloat || p.Role != space.Action || p.Log || p.Step != 0 || p.Low <= 0 || p.High/p.Low < wideRatio {
			continue
		}
		notes = append(notes, fmt.Sprintf(`%s goes evenly from %s to %s: nine in ten of its values are above %.3g; with "log": true they are spread over the orders of magnitude`,
			p.Name, p.Format(p.Low), p.Format(p.High), p.Low+(p.High-p.Low)/10))
	}
	return notes
}
