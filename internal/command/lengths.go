package command

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// Fits returns why the command cannot be started at every point: where a choice makes an argument or a variable of the
// environment longer than the system allows, or all of them together. The error names the parameter, its length and the
// limit. On systems whose limits are not known it returns nil.
func (r *Runner) Fits() error {
	each, all := argumentLimits()
	if each == 0 {
		return nil
	}
	const huge = 99_999_999 // evaluations, and attempts at one
	parameters := r.Space.Parameters()
	x := longest(parameters)
	f := attemptFolder(r.Dir, huge, huge)
	template := r.Template
	template.space = everywhere(r.Space)
	arguments := template.Expand(x, huge, huge, f.path(parametersFile))
	variables := environment(template.space, x, huge, huge, f)
	if err := r.eachFits(x, arguments, variables, each); err != nil {
		return err
	}
	total := pointerSize // of the end of the arguments
	for _, text := range slices.Concat(r.Shim, r.shimArguments(f, r.WorkDir, time.Now(), arguments), os.Environ(), variables) {
		total += len(text) + 1 + pointerSize
	}
	if total <= all {
		return nil
	}
	e := &check.FieldError{
		Field: "command", Value: strconv.Quote(clip([]byte(strings.Join(arguments, " ")))),
		Want: fmt.Sprintf("less: arguments and environment would have %d bytes, and this system allows %d", total, all),
	}
	if i, part := r.largest(x); part >= total-all {
		e.Field, e.Value = parameters[i].Name, described(parameters[i], x[i])
	}
	return e
}

// everywhere returns the space with all parameters active at all points.
func everywhere(s space.Space) space.Space {
	if !s.Conditional() {
		return s
	}
	parameters := s.Parameters()
	for i := range parameters {
		parameters[i].Conditions = nil
	}
	out, err := space.New(parameters...)
	if err != nil {
		panic("command: " + err.Error()) // they were valid with conditions
	}
	return out
}

const pointerSize = 8 // counted for each argument and variable

// eachFits returns why an argument or a variable is too long, one reason for each parameter.
func (r *Runner) eachFits(x space.Point, arguments, variables []string, limit int) error {
	var c check.List
	blamed := map[int]bool{}
	blame := func(i int, where string, length int) {
		if p := r.Space.Parameter(i); length >= limit && !blamed[i] {
			blamed[i] = true
			c.Add(p.Name, described(p, x[i]), fmt.Sprintf("less: %s would have %d bytes, and this system allows %d", where, length, limit-1))
		}
	}
	for i, arg := range arguments {
		if slots := r.Template.slots(i); len(slots) > 0 {
			worst := slices.MaxFunc(slots, func(a, b int) int {
				return cmp.Compare(len(format(r.Space.Parameter(a), x[a])), len(format(r.Space.Parameter(b), x[b])))
			})
			blame(worst, fmt.Sprintf("command[%d]", i), len(arg))
		}
	}
	for i, p := range r.Space.Parameters() {
		prefix := variable(p.Name) + "="
		for _, entry := range variables {
			if strings.HasPrefix(entry, prefix) {
				blame(i, "the variable "+prefix[:len(prefix)-1], len(entry))
			}
		}
	}
	return c.Err()
}

// longest returns a point whose values are as long as any when they are printed. It need not be one of the space.
func longest(parameters []space.Parameter) space.Point {
	x := make(space.Point, len(parameters))
	for i, p := range parameters {
		switch p.Kind {
		case space.KindCategorical:
			for j, choice := range p.Choices {
				if len(choice) > len(p.Choices[int(x[i])]) {
					x[i] = float64(j)
				}
			}
		case space.KindInt:
			if x[i] = p.Low; len(format(p, p.High)) > len(format(p, p.Low)) {
				x[i] = p.High
			}
		default:
			x[i] = -2.2250738585072014e-308
		}
	}
	return x
}

// largest returns the parameter whose values take up most of the arguments and the environment, and how much.
func (r *Runner) largest(x space.Point) (parameter, bytes int) {
	parts := make([]int, len(x))
	for i, p := range r.Space.Parameters() {
		parts[i] = len(format(p, x[i]))
	}
	all := slices.Clone(parts) // in the environment once
	for k := range r.Template.arguments {
		for _, i := range r.Template.slots(k) {
			all[i] += parts[i]
		}
	}
	bytes = slices.Max(all)
	return slices.Index(all, bytes), bytes
}

// described is a value that is too long, for a message.
func described(p space.Parameter, v float64) string {
	text := format(p, v)
	return fmt.Sprintf("%.40q… (%d bytes)", text, len(text))
}
