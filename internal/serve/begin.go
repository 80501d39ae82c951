package serve

import (
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
	"github.com/tarry-bo/tarry/internal/spacefile"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

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

// known reports whether the policy of a study can be made here, from its name.
func known(policy string) bool {
	_, err := tarry.ParsePolicy(policy)
	return err == nil
}

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
	if name := h.header.Config.Traits.Name; !known(name) {
		return fmt.Errorf("%w: policy %s is one of the program that made it, and not known here", errNotAsked, shortened(name))
	}
	c, err := crewOf(h.store)
	if err != nil {
		return err
	}
	if last, ok := lastTold(h.store); ok {
		h.news.goOn(last)
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
	h, created, p := s.shelf.get(r.PathValue("study"), way{true, func(h *held) (bool, error) { return s.begin(h, w) }})
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
