package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
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

// wished reads the body of a request for a study: space, as in a file, and options, by the names of their flags.
func wished(body []byte) (*wish, *problem) {
	var parts struct {
		Space   json.RawMessage            `json:"space"`
		Options map[string]json.RawMessage `json:"options"`
		Remote  *crew                      `json:"remote"`
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&parts); err != nil {
		return nil, invalid("body: " + unread(err) + `: want {"space":{"parameters":[…]},"options":{…}}, and "remote":{} for remote workers`)
	}
	if d.More() {
		return nil, invalid("body: something follows the object")
	}
	w := &wish{}
	w.study.Traits.Name, w.study.Budget = tarry.DefaultPolicy, tarry.MaxBudget
	var wrong []string
	if parts.Space == nil {
		wrong = append(wrong, "space: missing: want an object with parameters")
	} else if description, err := spacefile.Parse("space.json", parts.Space); err != nil {
		for _, v := range violations(err) {
			wrong = append(wrong, "space: "+placed.ReplaceAllString(v, ""))
		}
	} else {
		w.description = description
	}
	wrong = append(wrong, w.take(parts.Options)...)
	if w.crew = parts.Remote; w.crew != nil {
		wrong = append(wrong, w.crew.violations(w.description.Space)...)
		if w.study.Lease != 0 {
			wrong = append(wrong, fmt.Sprintf("options.lease = %v: want none with remote: its workers are missed by their heartbeats", w.study.Lease))
		}
	}
	if w.description.Space.Dim() > 0 {
		wrong = append(wrong, w.complete()...)
	}
	if len(wrong) > 0 {
		return nil, invalid(wrong...)
	}
	return w, nil
}

// placed is where something is in the file of a space, which nobody has who sends it in a body.
var placed = regexp.MustCompile(`^space\.json:\d+:\d+: `)

// unread says why a body is not what it should be, without the names of the program.
func unread(err error) string {
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return "empty"
	case errors.As(err, &mistyped) && mistyped.Field != "":
		return mistyped.Field + " is of the type " + mistyped.Value
	case errors.As(err, &mistyped):
		return "of the type " + mistyped.Value
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// ofTheCommand are the flags of tarry asktell that say more of a study than a request can.
var ofTheCommand = []string{"target", "learn-from", "prior", "sequence", "taught"}

// take reads the options and returns what is wrong with them.
func (w *wish) take(given map[string]json.RawMessage) (wrong []string) {
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
	for _, name := range w.given {
		o, known := all[name]
		switch text, ok := written(o, given[name]); {
		case !known:
			hint := ""
			if meant := check.Meant(name, names); slices.Contains(ofTheCommand, name) {
				hint = ", which tarry asktell alone has"
			} else if meant != "" {
				hint = ": did you mean " + meant + "?"
			}
			wrong = append(wrong, fmt.Sprintf("options.%s: unknown option%s (want %s)", shortened(name), hint, strings.Join(names, ", ")))
		case !ok || !o.Read(text):
			wrong = append(wrong, fmt.Sprintf("options.%s = %s: want %s", name, shortened(string(given[name])), wanted(o, given[name])))
		}
	}
	return wrong
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
	}
	if textual(o) {
		return text, isText
	}
	return string(value), value[0] == '-' || value[0] >= '0' && value[0] <= '9'
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

// complete makes the options of the study, and returns everything that is wrong with them.
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
	if err := inJSON(w.options.Validate(w.description.Space)); err != nil {
		wrong = append(wrong, violations(err)...)
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
