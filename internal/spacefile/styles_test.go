package spacefile

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/space"
)

// writer writes a space as YAML in styles that it draws.
type writer struct {
	t *rapid.T
	b strings.Builder
}

func (w *writer) either(what string) bool { return rapid.Bool().Draw(w.t, what) }

func (w *writer) pick(choices ...string) string { return rapid.SampledFrom(choices).Draw(w.t, "style") }

var (
	safePlain  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*( [A-Za-z0-9_.]+)*$`)
	safeSingle = regexp.MustCompile(`^[\pL\pN ,:#{}\[\]&*!|>%@"'-]*$`)
	notText    = regexp.MustCompile(`^(?i:null|true|false)$`)
)

// word writes text plain, in single or in double quotes.
func (w *writer) word(text string) string {
	switch {
	case safePlain.MatchString(text) && !notText.MatchString(text) && w.either("plain"):
		return text
	case safeSingle.MatchString(text) && w.either("single"):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(quoted)
}

func (w *writer) number(v float64) string {
	format := rapid.SampledFrom([]byte{'e', 'g', 'G', 'f'}).Draw(w.t, "number")
	return strconv.FormatFloat(v, format, -1, 64)
}

// lineEnd writes what may stand at the end of a line and between lines.
func (w *writer) lineEnd() string {
	return w.pick("\n", "\n", "\n", "\r\n", "  \n", " # a: [comment]\n", "\n\n", "\n# - 'a comment\n", "\n        # deeper\n")
}

// pairs returns the fields of a parameter in some order, name: value. Lists are a block of lines if block.
func (w *writer) pairs(p space.Parameter, block bool) []string {
	out := []string{"name" + w.colon() + w.word(p.Name), "type" + w.colon() + w.word(p.Kind.String())}
	switch p.Kind {
	case space.KindCategorical:
		var items []string
		for _, choice := range p.Choices {
			items = append(items, w.word(choice))
		}
		out = append(out, "choices"+w.list(items, block))
	case space.KindOrdered:
		var items []string
		values, costs := p.Values, p.Costs
		p.Values, p.Costs = nil, nil
		for _, v := range rapid.Permutation(values).Draw(w.t, "values") {
			items = append(items, w.number(v))
			if len(costs) == len(values) {
				p.Costs = append(p.Costs, costs[slices.Index(values, v)]) // they keep to their values
			}
		}
		if len(costs) != len(values) {
			p.Costs = costs
		}
		out = append(out, "values"+w.list(items, block))
	case space.KindFloat, space.KindInt:
		out = append(out, "low"+w.colon()+w.number(p.Low), "high"+w.colon()+w.number(p.High))
		if p.Log || w.either("log") {
			out = append(out, "log"+w.colon()+strconv.FormatBool(p.Log))
		}
		if p.Step != 0 {
			out = append(out, "step"+w.colon()+w.number(p.Step))
		}
	}
	if p.Role != space.Action || w.either("role") {
		out = append(out, "role"+w.colon()+w.word(roles[p.Role]))
	}
	if p.Role == space.Fidelity {
		var items []string
		for _, v := range p.Costs {
			items = append(items, w.number(v))
		}
		out = append(out, "costs"+w.list(items, block))
	}
	return rapid.Permutation(out).Draw(w.t, "order")
}

func (w *writer) colon() string { return w.pick(": ", " : ", ":  ") }

// list writes a colon and items, on one line or several, or as a block of lines.
func (w *writer) list(items []string, block bool) string {
	if !block {
		return w.colon() + "[" + w.pick("", " ") + strings.Join(items, w.pick(",", ", ", " , ", ",\n             ")) + w.pick("", " ", ",") + "]"
	}
	indent, out := w.pick("    ", "     ", "      "), ":"
	for _, item := range items {
		out += w.lineEnd() + indent + "-" + w.pick(" ", "  ") + item
	}
	return out
}

func (w *writer) parameter(p space.Parameter, dash string) {
	if w.either("flow") {
		w.b.WriteString(dash + "- {" + strings.Join(w.pairs(p, false), w.pick(", ", " , ", ",\n      ")) + w.pick("", ", ", " ") + "}" + w.lineEnd())
		return
	}
	before := dash + "- "
	if w.either("dash alone") {
		before = dash + "-" + w.lineEnd() + dash + "  "
	}
	for _, f := range w.pairs(p, w.either("block")) {
		w.b.WriteString(before + f + w.lineEnd())
		before = dash + "  "
	}
}

func TestEveryStyleOfYAMLIsReadAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpace(t)
		w := &writer{t: t}
		w.b.WriteString(w.pick("", "---\n", "# first\n", "\n\n") + w.pick("parameters:", "'parameters':", "\"parameters\" :") + w.lineEnd())
		dash := w.pick("", " ", "  ")
		for _, p := range s.Parameters() {
			w.parameter(p, dash)
		}
		text := w.b.String()
		again, err := Parse("space.yaml", []byte(text))
		if err != nil || !same(s, again.Space) {
			t.Fatalf("%s\nis %s\nnot %s\n%v", text, Format(again.Space), Format(s), err)
		}
	})
}
