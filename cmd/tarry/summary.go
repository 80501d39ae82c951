package main

import (
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/tarry-bo/tarry"
)

// summarize prints what a study found, and where to look. That nobody reads it is no error: the study is what counts.
func summarize(w io.Writer, study, logs string, r *tarry.Result) error {
	_, err := fmt.Fprintf(w, "%v\nstudy %s, output of the attempts in %s; more with: tarry inspect %s\n", visible(r.String()), study, shortened(logs), argument(study))
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}
