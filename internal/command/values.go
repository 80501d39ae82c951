package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// mustMatch panics unless x has a value for each parameter.
func mustMatch(parameters []space.Parameter, x space.Point) {
	if len(x) != len(parameters) {
		panic(fmt.Sprintf("command: a point with %d entries for %d parameters", len(x), len(parameters)))
	}
}

// contained returns nil when every entry of x that is active is a value of its parameter.
func contained(s space.Space, x space.Point) error {
	parameters := s.Parameters()
	mustMatch(parameters, x)
	var c check.List
	active := s.ActiveAt(x)
	for i, p := range parameters {
		c.Require(!active.Has(i) || p.Contains(x[i]), p.Name, x[i], p.Range())
	}
	return c.Err()
}

// format prints a value so that reading it gives the same number: the shortest such decimal, whole numbers without
// exponent, choices by name, and false or true.
func format(p space.Parameter, v float64) string {
	switch words := p.Words(); {
	case words != nil:
		return words[int(v)]
	case p.Whole():
		return strconv.FormatFloat(v+0, 'f', 0, 64) // + 0: no -0
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// parametersJSON returns the values of what is active as an object in the order of the parameters, numbers as numbers, choices
// as strings, and bools as true or false.
func parametersJSON(s space.Space, x space.Point) []byte {
	out, active := []byte{'{'}, s.ActiveAt(x)
	for i, p := range s.Parameters() {
		if !active.Has(i) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(out, quoteJSON(p.Name)...), ':')
		if value := format(p, x[i]); p.Kind == space.KindCategorical {
			out = append(out, quoteJSON(value)...)
		} else {
			out = append(out, value...)
		}
	}
	return append(out, '}', '\n')
}

// quoteJSON returns s as a JSON string, with <, > and & as they are.
func quoteJSON(s string) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can always be encoded, and a buffer written to
	return bytes.TrimSpace(out.Bytes())
}

// logDirVariable names the folder of the attempt in the environment of a command. It is the mark by which processes
// are recognized as descendants of the command, so no parameter may take its place.
const logDirVariable = "TARRY_LOG_DIR"

// environment returns the variables that a command finds besides those of this process: TARRY_<NAME> for each
// parameter, TARRY_EVALUATION, TARRY_ATTEMPT, TARRY_PARAMETERS and TARRY_LOG_DIR. A parameter's variable goes before
// one of ours, except the last. Where several parameters have one variable, it is not set: no value is better than
// that of another parameter. Nor is that of a parameter that is inactive.
func environment(s space.Space, x space.Point, evaluation, attempt int, f folder) []string {
	parameters := s.Parameters()
	names := make([]string, 0, len(parameters))
	for _, p := range parameters {
		names = append(names, variable(p.Name))
	}
	out := []string{
		"TARRY_EVALUATION=" + strconv.Itoa(evaluation),
		"TARRY_ATTEMPT=" + strconv.Itoa(attempt),
		"TARRY_PARAMETERS=" + f.path(parametersFile),
	}
	seen := map[string]int{}
	for _, name := range names {
		seen[name]++
	}
	out = slices.DeleteFunc(out, func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return seen[name] > 0
	})
	active := s.ActiveAt(x)
	for i, name := range names {
		if seen[name] == 1 && name != logDirVariable && active.Has(i) {
			out = append(out, name+"="+format(parameters[i], x[i]))
		}
	}
	return append(out, logDirVariable+"="+string(f))
}

// inherited is the environment of this process without the variables of parameters that are inactive.
func inherited(s space.Space, x space.Point) []string {
	out, active := os.Environ(), s.ActiveAt(x)
	for i, p := range s.Parameters() {
		if !active.Has(i) {
			prefix := variable(p.Name) + "="
			out = slices.DeleteFunc(out, func(entry string) bool { return strings.HasPrefix(entry, prefix) })
		}
	}
	return out
}

// variable returns the name of a parameter's environment variable.
func variable(name string) string {
	return "TARRY_" + strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return '_'
	}, name)
}
