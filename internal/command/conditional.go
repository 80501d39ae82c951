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
// begins with -, has no value of its own and no placeholder, and what follows it does not begin with -. One that gives a program its
// script is none.
func (t Template) flagOf(argument int) int {
	if argument < 2 {
		return -1 // the program is no flag
	}
	value, flag := t.written[argument], t.written[argument-1]
	isFlag := strings.HasPrefix(flag, "-") && strings.Trim(flag, "-") != "" && !strings.ContainsAny(flag, "={} ") && !givesScript(flag)
	if !isFlag || strings.HasPrefix(value, "-") {
		return -1
	}
	return argument - 1
}

// givesScript reports whether what follows an argument is a script, as in python3 -c, perl -e and sh -c.
func givesScript(flag string) bool { return flag == "-c" || flag == "-e" }

// checkConditional adds where a parameter that may be inactive stands in what cannot be left out: the program, and the script of
// a shell or of another interpreter.
func (t Template) checkConditional(c *check.List) {
	script := -1
	for i := range t.written {
		if k, found := scriptOf(t.written[i+1:]); found && script < 0 && slices.Contains(shells, filepath.Base(t.written[i])) {
			script = i + 1 + k
		}
	}
	for i := range t.written {
		for _, slot := range t.slots(i) {
			p := t.parameters[slot]
			if len(p.Conditions) == 0 || i != 0 && i != script && (i < 2 || !givesScript(t.written[i-1])) {
				continue
			}
			want := fmt.Sprintf("no {%s} in the program: it is inactive at some points, and the program cannot be left out", p.Name)
			if i > 0 {
				want = fmt.Sprintf("no {%s} in a script: it is inactive at some points, where the script would be left out; $%s is not set there", p.Name, variable(p.Name))
			}
			c.Add(fmt.Sprintf("command[%d]", i), strconv.Quote(clip([]byte(t.written[i]))), want)
		}
	}
}
