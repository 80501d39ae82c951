package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/outcome"
)

// Report is what a command said of its point.
type Report struct {
	outcome.Outcome        // finite; Cost ≥ 0, Infeasible also where a constraint says so; zero where the command did not say
	HasValue        bool   // false only when Infeasible
	Reason          string // why it is Infeasible, on one line; empty otherwise
	Adopted         bool   // found in the folder of an attempt that had ended unheard
}

const (
	chunkSize = 256 << 10 // bytes of output read at a time
	maxLine   = 1 << 20   // bytes of a value
)

// parseOutput returns what the last value of a standard output says. A value is a line with a number in decimal syntax
// (also nan and inf, which are errors), or a JSON object with "value", in a line or spread over several that begin with {, as in
// {"value":0.3,"cost":12.5,"constraints":[-0.1,0.2],"infeasible":false}. The value may be missing, null or not finite
// when the point is infeasible. Where constraints are named, "constraints" is an object with a number for each of them, and a value
// needs it. Whatever else is printed before or after it is passed over, but for a last line that was meant for a value or for the end of one
// (spoiled); what has more than a MiB is never a value; with whole, what stands behind the last line feed is none either. The output is read
// from its end, a few MiB of it in memory. The error says what is wrong with the value, or which line was found in its
// place.
func parseOutput(r io.ReaderAt, size int64, whole bool, named []outcome.Constraint) (Report, error) {
	s := search{named: named, limit: maxLine}
	err := linesBackwards(r, size, chunkSize, maxLine, func(line []byte, long bool) (done bool) {
		if whole {
			whole = false
			return false
		}
		return s.visit(line, long)
	})
	if err == nil {
		s.end()
	}
	switch {
	case err != nil:
		return Report{}, fmt.Errorf("standard output cannot be read: %w", err)
	case s.found:
		return s.out, s.bad
	case s.last == "":
		return Report{}, errors.New(wantValue + "; the output was empty")
	}
	return Report{}, errors.New(wantValue + "; it was " + s.last)
}

const wantValue = `no value: the last line of standard output must be a number or a JSON object with "value"`

// parseLine returns what a line says and whether it is a value line at all; an error is one of a value line.
func parseLine(line []byte, named []outcome.Constraint) (o Report, is bool, err error) {
	if line[0] == '{' {
		return parseObject(line, named)
	}
	v, is := parseNumber(line)
	if !is {
		return Report{}, false, nil
	}
	if err := finite("value", v, line); err != nil {
		return Report{}, true, err
	}
	if err := outcome.Complete(named, nil); err != nil {
		return Report{}, true, err
	}
	return Report{Outcome: outcome.Of(v), HasValue: true}, true, nil
}

// spoiled says of the last line, which is no value line, that it was meant for one: it begins as an object, or is one, or the end of one, but
// for the colors of a terminal, or has nothing but brackets that close. An earlier value must not take its place.
func spoiled(line []byte, named []outcome.Constraint) error {
	const begins = "the last line of standard output "
	if line[0] == '{' && !isObject(line) {
		return errors.New(begins + "begins with { and is no JSON object; it was " + strconv.Quote(clip(line)))
	}
	if onlyCloses(line) {
		return endsNoObject(line)
	}
	bare := bytes.TrimSpace(escapes.ReplaceAll(line, nil))
	if len(bare) == 0 || len(bare) == len(line) {
		return nil
	}
	if onlyCloses(bare) {
		return endsNoObject(line)
	}
	if _, is, _ := parseLine(bare, named); is {
		return errors.New(begins + "is a value among escape sequences for a terminal, such as colors; without them it was " + strconv.Quote(clip(bare)))
	}
	return nil
}

// parseNumber reads a decimal number, nan or infinity as C and Go print them.
func parseNumber(b []byte) (v float64, ok bool) {
	for _, c := range b { // most lines end here, without an allocation; so do hexadecimal digits and underscores
		if strings.IndexByte("0123456789+-.eEnNaAiIfFtTyY", c) < 0 {
			return 0, false
		}
	}
	s := string(b)
	if strings.EqualFold(s, "-nan") || strings.EqualFold(s, "+nan") { // C prints the sign, Go does not read it
		return math.NaN(), true
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil || errors.Is(err, strconv.ErrRange)
}

// finite returns an error that shows what was written, unless v is a finite number.
func finite(field string, v float64, written []byte) error {
	if !outcome.Finite(v) {
		return &check.FieldError{Field: field, Value: clip(written), Want: "a finite number"}
	}
	return nil
}
