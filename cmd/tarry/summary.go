package main

import (
	"fmt"
	"io"

	"github.com/tarry-bo/tarry"
)

// summarize prints what a study found, and where to look.
func summarize(w io.Writer, study string, r *tarry.Result) error {
	_, err := fmt.Fprintf(w, "%v\nstudy %s, output of the attempts in %s; more with: tarry inspect %s\n", r, study, logsOf(study), study)
	return err
}
