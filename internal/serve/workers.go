package serve

import (
	"net/http"
	"slices"
	"time"
)

// Worker is a remote one, as it is now.
type Worker struct {
	Name     string            `json:"name"`     // in its certificate
	Instance string            `json:"instance"` // of its process
	Slots    int               `json:"slots"`    // evaluations at once
	Labels   []string          `json:"labels"`
	Study    string            `json:"study,omitempty"`    // the only one that it works for
	Running  map[string]int    `json:"running"`            // evaluations by study
	Declined map[string]string `json:"declined,omitempty"` // why it gets none of a study, by study
	Heard    time.Time         `json:"heard"`              // when it last said that it lives
}

// everywhere says why the caller may not see what belongs to all studies; nil: it may.
func (s *Server) everywhere(r *http.Request, what string) *problem {
	if s.config.Keys == nil {
		return nil
	}
	c, err := s.config.Keys.caller(r.TLS)
	if err == nil && slices.ContainsFunc(c.grants, func(g grant) bool { return g.role&(viewer|asker|admin) != 0 && len(g.studies) == 0 }) {
		return nil
	}
	return problemOf(http.StatusForbidden, "role", "%s are those of all studies, and %q is %s", what, shortened(c.name), said(c.grants))
}

// workers lists the remote workers, to somebody who may look on at all studies.
func (s *Server) workers(r *http.Request, _ []byte) (answer, *problem) {
	if p := s.everywhere(r, "the workers"); p != nil {
		return answer{}, p
	}
	out := struct {
		Workers []Worker  `json:"workers"`
		Now     time.Time `json:"now"` // of the clock that Heard is of
	}{[]Worker{}, time.Now()}
	if s.config.Workers != nil {
		out.Workers = append(out.Workers, s.config.Workers()...)
	}
	for i := range out.Workers {
		out.Workers[i].Labels = append([]string{}, out.Workers[i].Labels...) // a list, also where there are none
	}
	return answer{body: marshalled(out)}, nil
}
