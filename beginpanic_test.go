package tarry_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
)

// panicky is a store whose first Sync panics.
type panicky struct {
	*journal.Memory
	synced bool
}

func (p *panicky) Root() tarry.Store { return p }

func (p *panicky) Sync() error {
	if !p.synced {
		p.synced = true
		panic("no disk")
	}
	return p.Memory.Sync()
}

// A journal that panics where a study begins has broken it, as it does later, and nobody has its store.
func TestAJournalThatPanicsAtOnceBreaksTheStudy(t *testing.T) {
	store := &panicky{Memory: &journal.Memory{}}
	_, err := tarry.Maximize(t.Context(), unitSpace(t), hill, tarry.Options{Budget: 3, Journal: store})
	if !errors.Is(err, tarry.ErrBroken) || !strings.Contains(err.Error(), "no disk") {
		t.Errorf("got %v", err)
	}
	r, err := tarry.Maximize(t.Context(), unitSpace(t), hill, tarry.Options{Budget: 3, Journal: &panicky{Memory: &journal.Memory{}, synced: true}})
	if err != nil || r.Count(tarry.Observed) != 3 {
		t.Error(r, err)
	}
	again := must.Get(tarry.ResumeStudy(store, tarry.Options{}))(t) // it had begun
	again.Close()
}
