package command

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// silent reports whether an argument holds the value of a parameter that is not active.
func (t Template) silent(active space.Set, argument int) bool {
	return slices.ContainsFunc(t.slots(argument), func(i int) bool { return !active.Has(i) })
}

// flagOf returns the argument that is the flag of this one, as --beta is that of {beta} in --beta {beta}; −1 without one. A flag
// begins with -, has no value of its own and no placeholder, and what follows it does not begin with -.
func (t Template) flagOf(argument int) int {
	if argument < 2 {
		return -1 // the program is no flag
	}
	value, flag := t.written[argument], t.written[argument-1]
	isFlag := strings.HasPrefix(flag, "-") && strings.Trim(flag, "-") != "" && !strings.ContainsAny(flag, "={} ")
	if !isFlag || strings.HasPrefix(value, "-") {
		return -1
	}
	return argument - 1
}

// scripts returns the arguments that hold a script: of the first shell with -c, of an interpreter, as in perl -lane, and what follows
// -c or -e of any program.
func (t Template) scripts() []int {
	var out []int
	shell := false
	for i, program := range t.written {
		if k, found := scriptOf(t.written[i+1:]); found && !shell && slices.Contains(shells, filepath.Base(program)) {
			out, shell = append(out, i+1+k), true
		}
		for _, k := range scriptsOf(program, t.written[i+1:]) {
			out = append(out, i+1+k)
		}
		if i >= 2 && (t.written[i-1] == "-c" || t.written[i-1] == "-e") {
			out = append(out, i)
		}
	}
	return out
}

// checkConditional adds where a parameter that may be inactive stands in what cannot be left out: the program, and the script of
// a shell or of another interpreter.
func (t Template) checkConditional(c *check.List) {
	scripts := t.scripts()
	for i := range t.written {
		for _, slot := range t.slots(i) {
			p := t.parameters[slot]
			if len(p.Conditions) == 0 || i != 0 && !slices.Contains(scripts, i) {
				continue
			}
			want := fmt.Sprintf("no {%s} in the program: it is inactive at some points, and the program cannot be left out", p.Name)
			if i > 0 {
				want = fmt.Sprintf("no {%s} in a script: it is inactive at some points, where the script would be left out; read $%s in the script instead, which is not set there",
					p.Name, variable(p.Name))
			}
			c.Add(fmt.Sprintf("command[%d]", i), strconv.Quote(clip([]byte(t.written[i]))), want)
		}
	}
}
