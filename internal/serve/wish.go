package serve

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/internal/spacefile"
	"github.com/tarry-bo/tarry/loop"
)

// wish is what somebody wants a study to be.
type wish struct {
	description spacefile.Description
	study       loop.Config
	given       []string // names of the options that were given
	crew        *crew    // nil: whoever asks evaluates
	options     tarry.Options
}

// wished reads the body of a request for a study: space, as in a file, and options, by the names of their flags. What is wrong with one member
// does not hide what is wrong with another.
func wished(body []byte) (*wish, *problem) {
	parts, wrong, p := opened(body)
	if p != nil {
		return nil, p
	}
	w := &wish{}
	w.study.Traits.Name, w.study.Budget = tarry.DefaultPolicy, tarry.MaxBudget
	if parts["space"] == nil {
		wrong = append(wrong, "space: missing: want an object with parameters")
	} else if description, err := spacefile.Parse("space.json", parts["space"]); err != nil {
		for _, v := range violations(err) {
			wrong = append(wrong, "space: "+placed.ReplaceAllString(v, ""))
		}
	} else {
		w.description = description
	}
	options, strange := inside("options", parts["options"], "an object with options by their names")
	wrong = append(append(wrong, strange...), w.take(options)...)
	w.crew, strange = crewIn(parts["remote"])
	wrong = append(append(wrong, strange...), w.unmeant()...)
	wrong = append(wrong, w.complete()...)
	if len(wrong) > 0 {
		return nil, invalid(wrong...)
	}
	return w, nil
}

// unmeant says what means nothing where remote workers evaluate.
func (w *wish) unmeant() (wrong []string) {
	if w.crew == nil {
		return nil
	}
	if len(w.description.Space.Contexts()) > 0 {
		wrong = append(wrong, "remote: want a space without contexts, which are those of whoever asks")
	}
	if w.study.Lease != 0 {
		wrong = append(wrong, fmt.Sprintf("options.lease = %v: want none with remote: its workers are missed by their heartbeats", w.study.Lease))
	}
	return wrong
}

// placed is where something is in the file of a space, which nobody has who sends it in a body.
var placed = regexp.MustCompile(`^space\.json:\d+:\d+: `)

// ofTheCommand are the flags of tarry asktell that say more of a study than a request can.
var ofTheCommand = []string{"target", "learn-from", "prior", "sequence", "taught"}

// take reads the options and returns what is wrong with them.
func (w *wish) take(given map[string]json.RawMessage) []string {
	var names []string
	all := map[string]option.Option{}
	for _, o := range w.study.Options() {
		if o.Help != "" {
			all[o.Name] = o
			names = append(names, o.Name)
		}
	}
	for name := range given {
		w.given = append(w.given, name)
	}
	slices.Sort(w.given)
	var f faults
	for _, name := range w.given {
		o, known := all[name]
		switch text, ok := written(o, given[name]); {
		case known && ok && o.Read(text), f.full():
		case !known:
			hint := ""
			if meant := check.Meant(name, names); slices.Contains(ofTheCommand, name) {
				hint = ", which tarry asktell alone has"
			} else if meant != "" {
				hint = ": did you mean " + meant + "?"
			}
			f.say("options.%s: unknown option%s (want %s)", shortened(name), hint, strings.Join(names, ", "))
		default:
			f.say("options.%s = %s: want %s", name, shortened(string(given[name])), wanted(o, given[name]))
		}
	}
	return f.all()
}

// written returns the text of an option that has the JSON type that it should have: text for words and times, true or false, a number.
func written(o option.Option, value json.RawMessage) (string, bool) {
	var text string
	isText := json.Unmarshal(value, &text) == nil && value[0] == '"'
	switch o.Field.(type) {
	case nil:
		return "", false
	case *bool:
		return string(value), string(value) == "true" || string(value) == "false"
	case *int, *int64, *uint64:
		return inDigits(string(value)), startsNumber(value)
	}
	if textual(o) {
		return text, isText
	}
	return string(value), startsNumber(value)
}

func startsNumber(value json.RawMessage) bool {
	return value[0] == '-' || value[0] >= '0' && value[0] <= '9'
}

// inDigits is a whole number that was written as 50.0 or 5e1 by its digits, and any other text as it is.
func inDigits(text string) string {
	const exact = 1 << 53 // beyond which not every whole number is a float
	v, err := strconv.ParseFloat(text, 64)
	if !strings.ContainsAny(text, ".eE") || err != nil || v != math.Trunc(v) || math.Abs(v) > exact {
		return text
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

// textual reports whether an option is text in JSON.
func textual(o option.Option) bool {
	switch o.Field.(type) {
	case *string, *time.Duration:
		return true
	}
	return o.Words != nil
}

// wanted says what an option must be in JSON, where something else was given.
func wanted(o option.Option, given json.RawMessage) string {
	if _, is := o.Field.(*bool); is {
		return "true or false"
	}
	if textual(o) {
		return "text: " + o.Want(o.Name)
	}
	if given[0] == '"' {
		return o.Want(o.Name) + ", not text"
	}
	return o.Want(o.Name)
}

// complete makes the options of the study, and returns everything that is wrong with them: without a space what can be said of each by itself.
func (w *wish) complete() (wrong []string) {
	w.study.Constraints, w.study.Seeds = w.description.Constraints, w.description.Seeds
	option.Copy(&w.options, &w.study)
	policy, err := tarry.ParsePolicy(w.study.Traits.Name)
	if err != nil {
		wrong = append(wrong, "options.policy: "+err.Error())
	} else {
		w.options.Policy = policy
		w.study.Traits.Name = policy.Traits().Name
	}
	if w.description.Space.Dim() == 0 {
		given := slices.DeleteFunc(w.study.Options(), func(o option.Option) bool { return !slices.Contains(w.given, o.Name) })
		for i := range given {
			given[i].Wants = nil
		}
		err = option.Check("Options", &w.study, given)
	} else {
		err = w.options.Validate(w.description.Space)
	}
	if err != nil {
		wrong = append(wrong, violations(inJSON(err))...)
	}
	return wrong
}

// inJSON speaks of members of the body where the package speaks of options.
func inJSON(err error) error {
	var c loop.Config
	pairs := []string{"Options.Policy", "options.policy", "Options.Seeds", "space.seeds", "Options.Constraints", "space.constraints"}
	for _, o := range c.Options() {
		if o.Help != "" {
			pairs = append(pairs, "Options."+option.Path(&c, o.Field), "options."+o.Name)
		}
	}
	return check.Renamed(err, pairs...)
}
