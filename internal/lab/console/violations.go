package console

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/sim"
)

// flagOf says which flag fills a field, so that an error names what the user wrote.
var flagOf = map[string]string{
	"Scenario.Rounds":      "-rounds",
	"Scenario.Initial":     "-initial",
	"Scenario.Workers":     "-workers",
	"Scenario.Noise":       "-noise",
	"Scenario.Timeout":     "-timeout",
	"Scenario.Contextual":  "-context",
	"Config.Budget":        "-initial plus -rounds",
	"Config.Initial":       "-initial",
	"Config.Barrier":       "-batch",
	"Config.Timeout":       "-timeout",
	"Config.Retries":       "-retries",
	"Config.Window.Rounds": "-window",
	"Config.Window.Strict": "-strict",
	"Config.Window.Share":  "-window-share",
	"Config.Forget":        "-forget",
	"Config.WeighPending":  "-weigh-pending",
	"Config.GiveUp":        "-give-up",
	"Options.Workers":      "-workers",
	"Options.Timeout":      "-timeout",
}

// inFlags puts flags in the place of fields where a range names them.
var inFlags = strings.NewReplacer("set Rounds or Duration", "set -window", "Rounds or Duration, which say", "-window, which says")

// wholeFlag are the fields that are the whole text of a flag, whichever flag it is.
var wholeFlag = []string{"problem", "delay law", "faults", "fault"}

// Blame returns the violations in err with the flag in front: in place of the field where a flag fills it, otherwise
// flag is blamed. Durations become ticks, as the flags count.
func Blame(flag string, err error) error {
	var out []error
	for _, e := range leaves(err) {
		var field *check.FieldError
		switch {
		case errors.As(e, &field) && flagOf[field.Field] != "":
			value := field.Value
			if d, ok := value.(time.Duration); ok {
				value = Short(d.Seconds() / sim.Tick.Seconds())
			}
			out = append(out, &check.FieldError{Field: flagOf[field.Field], Value: value, Want: inFlags.Replace(field.Want)})
		case field != nil && flag != "" && slices.Contains(wholeFlag, field.Field):
			out = append(out, &check.FieldError{Field: flag, Value: field.Value, Want: field.Want})
		case flag != "":
			out = append(out, fmt.Errorf("%s: %w", flag, e))
		default:
			out = append(out, e)
		}
	}
	return errors.Join(out...)
}

// leaves takes joined errors apart.
func leaves(err error) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var out []error
	for _, e := range joined.Unwrap() {
		out = append(out, leaves(e)...)
	}
	return out
}

// lines are the violations in err, each once.
func lines(err error) []string {
	var out []string
	for _, e := range leaves(err) {
		for line := range strings.SplitSeq(e.Error(), "\n") {
			if !slices.Contains(out, line) {
				out = append(out, line)
			}
		}
	}
	return out
}
