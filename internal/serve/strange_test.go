package serve

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/policies"
)

// stranger is a policy that no name leads to.
type stranger struct{ policies.Uniform }

func (stranger) Traits() policies.Traits { return policies.Traits{Name: "stranger"} }

func (s stranger) Propose(v policies.View, count int, stream *rand.Rand) ([]policies.Proposal, error) {
	return s.Uniform.Propose(v, count, stream)
}

// A study of a policy of a program's own is asked and told there: nothing is wrong with its file, or with the server.
func TestAStudyOfAPolicyThatIsNotKnownHereIsNotAsked(t *testing.T) {
	s := serving(t, Config{})
	store := must.Get(sqlite.Create(filepath.Join(s.config.Folder, "lr.db")))(t)
	where := must.Get(tarry.NewSpace(tarry.Float("lr", 0, 1)))(t)
	must.Get(tarry.NewStudy(where, tarry.Options{Policy: stranger{}, Budget: 5, Journal: store}))(t).Close()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	for _, r := range [][3]string{{"POST", lr + "/ask", `{"n":1}`}, {"PUT", lr, wishing("")}, {"GET", lr, ""}} {
		s.want(409, "not-asked", "study lr is not for ask and tell: policy stranger is one of the program that made it, and not known here", r[0], r[1], r[2])
	}
}
