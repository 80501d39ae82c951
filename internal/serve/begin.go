package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/asktell"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/internal/spacefile"
	"github.com/tarry-bo/tarry/journal/sqlite"
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
		return nil, invalid("body: " + strings.TrimPrefix(err.Error(), "json: ") + `: want {"space":{"parameters":[…]},"options":{…}}, and "remote":{} for remote workers`)
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
		wrong = append(wrong, violations(err)...)
	} else {
		w.description = description
	}
	wrong = append(wrong, w.take(parts.Options)...)
	if w.crew = parts.Remote; w.crew != nil {
		wrong = append(wrong, w.crew.violations(w.description.Space)...)
	}
	if w.description.Space.Dim() > 0 {
		wrong = append(wrong, w.complete()...)
	}
	if len(wrong) > 0 {
		return nil, invalid(wrong...)
	}
	return w, nil
}

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
			if meant := check.Meant(name, names); meant != "" {
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

// begin starts the study, or opens the one that is there.
func (s *Server) begin(h *held, w *wish) (created bool, err error) {
	if err := s.stored(h, true); err != nil {
		return false, err
	}
	if _, none := h.store.Header(); !errors.Is(none, sqlite.ErrNoStudy) {
		return false, s.goOn(h)
	}
	if s.config.Begun != nil {
		if err := s.config.Begun(h.store); err != nil {
			return false, err
		}
	}
	if w.crew != nil {
		if err := w.crew.keep(h.store); err != nil {
			return false, err
		}
		return true, s.man(h, w.crew, w)
	}
	o := w.options
	o.Journal, o.Name, o.OnEvent = h.store, h.name, h.heard
	study, err := tarry.NewStudy(w.description.Space, o)
	if err != nil {
		return false, err
	}
	h.study, h.server = study, &asktell.Server{Study: study}
	h.header, err = h.store.Header()
	return true, err
}

// resume opens the study that is there.
func (s *Server) resume(h *held) (created bool, err error) {
	if err := s.stored(h, false); err != nil {
		return false, err
	}
	return false, s.goOn(h)
}

// errNotAsked: a study is not for ask and tell.
var errNotAsked = errors.New("not for ask and tell")

// goOn goes on with the study of a store.
func (s *Server) goOn(h *held) (err error) {
	if h.header, err = h.store.Header(); err != nil {
		return err
	}
	if s.config.Admit != nil {
		if err := s.config.Admit(h.store); err != nil {
			return fmt.Errorf("%w: %w", errNotAsked, err)
		}
	}
	c, err := crewOf(h.store)
	if err != nil {
		return err
	}
	if c != nil {
		return s.man(h, c, nil)
	}
	study, err := tarry.ResumeStudy(h.store, tarry.Options{Name: h.name, OnEvent: h.heard})
	if err != nil {
		return err
	}
	h.study, h.server = study, &asktell.Server{Study: study}
	return h.recall()
}

// differs lists in what the study that is there is not what is wished; nil where it is.
func (w *wish) differs(h *held) (wrong []string) {
	has := h.header.Config
	if study, is := h.study.(looked); is {
		study.Look(func(l *loop.Loop, _ time.Duration) { // its budget may have become another one since
			has.Budget, has.BudgetCost = l.Config().Budget, l.Config().BudgetCost
		})
	}
	if what := w.description.Differs(spacefile.Description{Space: has.Space, Constraints: has.Constraints, Seeds: has.Seeds}); what != "" {
		wrong = append(wrong, "space: the study has "+what)
	}
	stored := has.Options()
	for i, o := range w.study.Options() {
		if slices.Contains(w.given, o.Name) && o.Text() != stored[i].Text() {
			wrong = append(wrong, fmt.Sprintf("options.%s = %s: want %s, as the study has it", o.Name, o.Text(), stored[i].Text()))
		}
	}
	return append(wrong, w.crew.differs(h.crew())...)
}

// create answers a request for a study.
func (s *Server) create(r *http.Request, body []byte) (answer, *problem) {
	w, p := wished(body)
	if p != nil {
		return answer{}, p
	}
	h, created, p := s.shelf.get(r.PathValue("study"), func(h *held) (bool, error) { return s.begin(h, w) })
	if p != nil {
		return answer{}, p
	}
	defer s.shelf.release(h)
	if !created {
		if wrong := w.differs(h); len(wrong) > 0 {
			p := problemOf(http.StatusConflict, "exists", "study %s is there, and is another: %s", h.name, strings.Join(wrong, "; "))
			p.Violations = wrong
			return answer{}, p
		}
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	return answer{status: status, body: summaryOf(h)}, nil
}

// summary is what a study is.
type summary struct {
	Name     string `json:"name"`
	Policy   string `json:"policy"`
	Seed     uint64 `json:"seed"`
	Minimize bool   `json:"minimize"`
	Budget   int    `json:"budget"`
	Remote   *crew  `json:"remote,omitempty"`
}

func summaryOf(h *held) []byte {
	c := h.header.Config
	out, err := json.Marshal(summary{h.name, c.Traits.Name, c.Seed, c.Minimize, min(h.study.Budget(), math.MaxInt32), h.crew()})
	if err != nil {
		panic("serve: " + err.Error())
	}
	return out
}
