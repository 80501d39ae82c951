package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheTailOfAnAttemptIsWholeLinesOfItsStandardError(t *testing.T) {
	r := &Runner{Dir: t.TempDir()}
	put := func(attempt, file, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(r.Dir, attempt), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(r.Dir, attempt, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("000003.1", stderrFile, "loading\nepoch 1\nout of memory\n")
	put("000003.1", stdoutFile, "0.3\n")
	put("000003.2", stderrFile, "")
	put("000003.2", stdoutFile, strings.Repeat("x", 100))
	put("000003.3", stderrFile, "a\xffb\n")
	for _, c := range []struct {
		attempt int
		most    int64
		want    string
	}{
		{1, 1000, "loading\nepoch 1\nout of memory"},
		{1, 20, "out of memory"},
		{2, 10, strings.Repeat("x", 10)},
		{3, 10, "ab"},
		{4, 10, ""},
	} {
		if got := r.Tail(3, c.attempt, c.most); got != c.want {
			t.Errorf("attempt %d, %d bytes: %q, want %q", c.attempt, c.most, got, c.want)
		}
	}
}
