package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

// Half of the way to the value is reported; a command that reports little would sleep for longer than any test takes.
const reporting = `
value=$(awk "BEGIN { print 1 - (log($1)/log(10)+2)^2/4 - ($2-5)^2/20 }")
echo "{\"report\": $(awk "BEGIN { print $value / 2 }"), \"step\": 1}"
if [ $TARRY_EVALUATION -gt 8 ] && awk "BEGIN { exit !($value < 0) }"; then
	sleep 10000
fi
echo "$value"
`

// What reports say that it will not be the best is ended, with its whole group; what was ended is kept, and a replay ends it too.
func TestCommandsThatReportLittleAreEnded(t *testing.T) {
	t.Parallel()
	dir := folder(t, reporting)
	got := tune(t, dir, "--budget", "30", "--workers", "2", "--initial", "20", "--stop-early", "0.3", "--grace", "100ms", "--seed", "3")
	if got.code != exitOK || !strings.Contains(got.out, " stopped") {
		t.Fatalf("%+v", got)
	}
	if got := callIn(t, dir, "", "verify", "s.db"); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	store, err := sqlite.Read(filepath.Join(dir, "s.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	l, _, err := journal.Replay(store)
	if err != nil {
		t.Fatal(err)
	}
	if c := l.Counters(); c.Reports < 30 || c.Stopped == 0 {
		t.Errorf("%+v", c)
	}
	for _, e := range l.Evaluations() {
		if e.Status == loop.Stopped && len(e.Reports) != 1 || e.Status.Valued() && e.Reports[0].Value*2-e.Value > 1e-3 {
			t.Errorf("%+v", e)
		}
	}
}
