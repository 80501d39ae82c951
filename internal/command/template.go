package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// Template is a command line with placeholders for the values of parameters. Build it with ParseTemplate. It is
// immutable and safe for concurrent use.
type Template struct {
	written    []string // the arguments as they were given
	arguments  [][]piece
	parameters []space.Parameter
	space      space.Space
}

// piece is a part of an argument: text as it stands, or the place of a value.
type piece struct {
	text string
	slot int
}

// What a piece stands for; a slot ≥ 0 is the index of a parameter.
const (
	slotText = -1 - iota
	slotEvaluation
	slotAttempt
	slotParameters
)

// extras are the placeholders that every space has, unless it has a parameter of that name.
var extras = []struct {
	name string
	slot int
}{{"evaluation", slotEvaluation}, {"attempt", slotAttempt}, {"parameters", slotParameters}}

// ParseTemplate returns the template written as args, whose first entry is the program. {name} anywhere in an argument
// stands for the value of the parameter, {evaluation} and {attempt} for their numbers and {parameters} for the path of
// the file with all values, unless the space has a parameter of that name. {{ stands for {, and }} as well as a lone }
// for }. The error names every placeholder that is unknown or not closed, and where the value of a parameter that may be inactive
// stands in the program or in the script of a shell, which cannot be left out.
func ParseTemplate(args []string, s space.Space) (Template, error) {
	t := Template{written: slices.Clone(args), parameters: s.Parameters(), space: s}
	var c check.List
	if len(args) == 0 || args[0] == "" {
		c.Add("command", fmt.Sprintf("%q", args), "a program, followed by its arguments")
	}
	names := t.names()
	for i, arg := range args {
		t.arguments = append(t.arguments, parseArgument(&c, fmt.Sprintf("command[%d]", i), arg, names))
	}
	if err := c.Err(); err != nil {
		return Template{}, err
	}
	t.checkConditional(&c)
	if err := c.Err(); err != nil {
		return Template{}, err
	}
	return t, nil
}

// placeholder is a name that may stand in braces.
type placeholder struct {
	name string
	slot int
}

// names returns the placeholders there are: the parameters, then the extras whose names no parameter has.
func (t Template) names() []placeholder {
	var out []placeholder
	for i, p := range t.parameters {
		out = append(out, placeholder{p.Name, i})
	}
	for _, e := range extras {
		if !slices.ContainsFunc(t.parameters, func(p space.Parameter) bool { return p.Name == e.name }) {
			out = append(out, placeholder(e))
		}
	}
	return out
}

// parseArgument splits one argument and records what is wrong with it. Without names every name is known.
func parseArgument(c *check.List, field, arg string, names []placeholder) []piece {
	var pieces []piece
	var text strings.Builder
	for i := 0; i < len(arg); {
		rest := arg[i:]
		position := utf8.RuneCountInString(arg[:i]) + 1
		switch end := strings.IndexByte(rest, '}'); {
		case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "}}"):
			text.WriteByte(rest[0])
			i += 2
		case rest[0] != '{':
			text.WriteByte(rest[0])
			i++
		case end < 0:
			c.Add(field, strconv.Quote(clip([]byte(arg))), fmt.Sprintf("the { at position %d to be closed by }; a literal { is written {{", position))
			return nil
		default:
			name := rest[1:end]
			i += end + 1
			k := slices.IndexFunc(names, func(p placeholder) bool { return p.name == name })
			if k < 0 && names == nil {
				continue
			} else if k < 0 {
				c.Add(field, strconv.Quote(clip([]byte(arg))), fmt.Sprintf("a known name in place of {%s} at position %d%s",
					clip([]byte(name)), position, hint(name, names)))
				continue
			}
			if text.Len() > 0 {
				pieces = append(pieces, piece{text.String(), slotText})
				text.Reset()
			}
			pieces = append(pieces, piece{slot: names[k].slot})
		}
	}
	if text.Len() > 0 {
		pieces = append(pieces, piece{text.String(), slotText})
	}
	return pieces
}

// ValidateBraces names every placeholder that is not closed: what is wrong with a command line whatever the space.
func ValidateBraces(args []string) error {
	var c check.List
	for i, arg := range args {
		parseArgument(&c, fmt.Sprintf("command[%d]", i), arg, nil)
	}
	return c.Err()
}

// slots returns the parameters whose values stand in an argument.
func (t Template) slots(argument int) []int {
	var out []int
	for _, p := range t.arguments[argument] {
		if p.slot >= 0 {
			out = append(out, p.slot)
		}
	}
	return out
}

// Expand returns the command line for the point x, in user units, with the path of the file that holds all values.
// Reading a printed value gives the same number, bit for bit. An argument with the value of a parameter that is inactive is left
// out as a whole, and with it the flag before it whose value it is: see flagOf.
func (t Template) Expand(x space.Point, evaluation, attempt int, parameters string) []string {
	mustMatch(t.parameters, x)
	out, active := make([]string, 0, len(t.arguments)), t.space.ActiveAt(x)
	for i, pieces := range t.arguments {
		if t.silent(active, i) || i+1 < len(t.arguments) && t.flagOf(i+1) == i && t.silent(active, i+1) {
			continue
		}
		var arg strings.Builder
		for _, p := range pieces {
			switch p.slot {
			case slotText:
				arg.WriteString(p.text)
			case slotEvaluation:
				arg.WriteString(strconv.Itoa(evaluation))
			case slotAttempt:
				arg.WriteString(strconv.Itoa(attempt))
			case slotParameters:
				arg.WriteString(parameters)
			default:
				arg.WriteString(format(t.parameters[p.slot], x[p.slot]))
			}
		}
		out = append(out, arg.String())
	}
	return out
}
