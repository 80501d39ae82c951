package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/policies"
)

// stranger is a policy that no name leads to.
type stranger struct{ policies.Uniform }

func (stranger) Traits() policies.Traits { return policies.Traits{Name: "stranger"} }

// A study with a policy of a program's own goes on in that program, and no command says that it could do so.
func TestAStudyOfAPolicyOfAProgramsOwnGoesOnThere(t *testing.T) {
	dir := t.TempDir()
	store, err := sqlite.Create(filepath.Join(dir, "own.db"))
	must(t, err)
	where, err := tarry.NewSpace(tarry.Float("x", 0, 1))
	must(t, err)
	study, err := tarry.NewStudy(where, tarry.Options{Policy: stranger{}, Budget: 5, Journal: store})
	must(t, err)
	study.Close()
	must(t, store.Close())
	for _, line := range [][]string{{"resume", "own.db"}, {"asktell", "--study", "own.db"}} {
		got := callIn(t, dir, `{"op":"ask"}`+"\n", line...)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.log, "with a policy of its own, stranger, which is not known here") ||
			strings.Contains(got.log, "tarry asktell") || !strings.Contains(got.log, "tarry.StartOrResume") {
			t.Errorf("%v: %+v", line, got)
		}
	}
	if got := callIn(t, dir, "", "inspect", "own.db"); got.code != exitOK || !strings.Contains(got.out, "policy stranger") || strings.Contains(got.out, "tarry asktell") {
		t.Errorf("%+v", got)
	}
}
