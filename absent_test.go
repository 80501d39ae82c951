package tarry_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// What a caller has who ignored the error of opening is refused by name, and a nil function is not called.
func TestWhatIsNilIsRefused(t *testing.T) {
	line := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1)))(t)
	none, err := sqlite.Create(filepath.Join(t.TempDir(), "missing", "a.db"))
	if err == nil {
		t.Fatal("a store in a folder that is not there")
	}
	var noContext context.Context
	ctx, never := context.Background(), func(context.Context, tarry.Query) (float64, error) { return 0, nil }
	for want, call := range map[string]func() error{
		"store = <nil>: want a store with a study": func() error { _, err := tarry.ResumeStudy(none, tarry.Options{}); return err },
		"store = <nil>: want a store that holds": func() error {
			_, err := tarry.StartOrResume(ctx, none, line, never, tarry.Options{Budget: 3})
			return err
		},
		"Options.Journal = a nil *sqlite.Store: want one that was opened without an error": func() error {
			_, err := tarry.NewStudy(line, tarry.Options{Budget: 3, Journal: none})
			return err
		},
		"ctx = <nil>: want a context":                         func() error { _, _, err := tarry.LearnPrior(noContext, line, false, tarry.PriorOptions{}); return err },
		"the path of the study is empty: want that of a file": func() error { _, err := sqlite.OpenOrCreate(""); return err },
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	must.Get(tarry.NewStudy(line, tarry.Options{Budget: 3}))(t).Look(nil)
}
