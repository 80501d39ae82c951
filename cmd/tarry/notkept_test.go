package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// What a study says whose journal refused an event is what inspect says of it: what runs pends, and the study goes on from there.
func TestWhatIsSaidOfAStudyThatWasNotKeptIsInItsJournal(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("want a shell whose ulimit bounds files in blocks of 512 bytes")
	}
	dir := folder(t, "sleep 0.02; echo $2")
	cmd := program(t, dir, "tune", "--space", "space.yaml", "--budget", "400", "--workers", "2", "--study", "s.db", "-q", "--policy", "random", "--", "./train.sh", "{lr}", "{layers}")
	limited := exec.Command("sh", append([]string{"-c", `ulimit -f 120; exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)...)
	limited.Dir, limited.Env = cmd.Dir, cmd.Env
	var out, log strings.Builder
	limited.Stdout, limited.Stderr = &out, &log
	_ = limited.Run() // what it ended with is looked at
	if code := limited.ProcessState.ExitCode(); code != exitFailure || !strings.Contains(log.String(), "the journal did not keep the event") {
		t.Fatalf("%d: %s", code, log.String())
	}
	s, err := inspect(filepath.Join(dir, "s.db"))
	must(t, err)
	_, counts, _ := strings.Cut(s.tally(), ": ")
	kept := s.counts()[tarry.Observed]
	if !strings.Contains(out.String(), "by random: "+counts+"\n") || strings.Contains(out.String(), "\nended: ") || !strings.Contains(log.String(), "the study has kept "+strconv.Itoa(kept)+" of 400 evaluations: go on by") {
		t.Errorf("%s\n%s\nwant %s", out.String(), log.String(), counts)
	}
}

// So it is where the very first event of a process was refused, and where nothing pends.
func TestAStudyThatKeptNothingMoreHasKeptWhatItHad(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1))
	must(t, err)
	for _, pending := range []int{0, 2} {
		path := madeUp(t, s, tarry.Options{Budget: 9}, func(study *tarry.Study) {
			for k := range 3 + pending {
				q, err := study.Ask()
				if must(t, err); k < 3 {
					must(t, study.Tell(q.ID, float64(k)))
				}
			}
		})
		copied := filepath.Join(t.TempDir(), "s.db")
		text, err := os.ReadFile(path)
		must(t, err, os.WriteFile(copied, text, 0o600))
		store, err := sqlite.Open(copied)
		must(t, err)
		defer store.Close()
		result := &tarry.Result{Budget: 9, Spent: 3 + pending, Reason: "the journal did not keep the event", Evaluations: make([]tarry.Evaluation, 3+pending)}
		for i := range result.Evaluations {
			if result.Evaluations[i].Status = tarry.Observed; i >= 3 {
				result.Evaluations[i].Status = tarry.Cancelled
			}
		}
		show := newProgress(nil, 0, true)
		live{store: store}.asKept(show, result)
		said := result.String()
		if show.extent() != "3 of 9 evaluations" || result.Count(tarry.Pending) != pending || strings.Contains(said, "\nended: ") || strings.Contains(said, "\nstopped: ") != (pending > 0) {
			t.Errorf("%s: %s", show.extent(), said)
		}
	}
}
