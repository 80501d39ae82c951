package main

import (
	"strings"
	"testing"
)

// What would let a worker decline every study is said when it is started, by the names of the flags.
func TestTheFlagsOfAWorkerAreLookedAtBeforeItConnects(t *testing.T) {
	dir := folder(t, "echo 1")
	for _, c := range []struct{ flags, command, want string }{
		{"--grace -1s", "echo", "--grace = -1s: want a duration ≥ 0"},
		{"--grace -20s", "echo", "--grace = -20s: want a duration ≥ 0"},
		{"--infeasible-code 75", "echo", "--infeasible-code = 75: want a code other than lost-code"},
		{"--infeasible-code 300", "echo", "--infeasible-code = 300: want -1 for none, or 1 ≤ code ≤ 255"},
		{"--max-output 1B", "echo", "--max-output = 1: want 0 for all, or ≥ 65536"},
		{"--study a/b", "echo", "--study = a/b: want 1 … 100 letters, digits, _, . and -"},
		{"--slots 0", "echo", "--slots = 0: want 1 ≤ slots ≤ 1024"},
		{"--slots 100000", "echo", "--slots = 100000: want 1 ≤ slots ≤ 1024"},
		{"--prefix a..b", "echo", "--prefix = a..b: want names of letters"},
		{"--label a,,b", "echo", "--label = "},
		{"--max-failures -1", "echo", "--max-failures = -1"},
		{"--server http://localhost:4222", "echo", `--server[1] = "http://localhost:4222": want a server as in tls://`},
		{"", "echo {{x}} {lr", `command[2] = "{lr": want the { at position 1 to be closed by }`},
		{"", "./missing.sh {lr}", "command ./missing.sh: "},
	} {
		args := append([]string{"work", "--server", "tls://localhost:1"}, strings.Fields(c.flags)...)
		got := callIn(t, dir, "", append(append(args, "--"), strings.Fields(c.command)...)...)
		if got.code != exitUsage || !strings.Contains(got.log, c.want) || strings.Count(got.log, "\n") != 1 {
			t.Errorf("%s -- %s: %q is missing in %d\n%s", c.flags, c.command, c.want, got.code, got.log)
		}
	}
	got := callIn(t, dir, "", "work", "--slots", "0", "--grace", "-1s", "--", "echo", "{a", "{b}")
	for _, want := range []string{"--server: want at least one", "--slots = 0", "--grace = -1s", `command[1] = "{a"`} {
		if got.code != exitUsage || !strings.Contains(got.log, want) || strings.Contains(got.log, "{b}") {
			t.Errorf("%q is missing in %d\n%s", want, got.code, got.log)
		}
	}
}

// Other mistakes at a cluster are said in the words of the command line too.
func TestMistakesAtAClusterAreNamedAsTheyWereWritten(t *testing.T) {
	c := clusterOf(t, square)
	for line, want := range map[string]string{
		"serve cluster --nats foo":           `--nats[0] = "foo": want a server as in tls://`,
		"serve --init another cluster":       `"cluster" is one argument too many: want tarry serve --init FOLDER`,
		"work --server tls://localhost:1":    "want it behind --, as in\ntarry:   tarry work --server tls://",
		"work --server tls://localhost:1 ls": "ls stands before the --: want the command behind it, as in\ntarry:   tarry work --server tls://",
	} {
		if got := callIn(t, c.dir, "", strings.Fields(line)...); got.code != exitUsage || !strings.Contains(got.log, want) {
			t.Errorf("%s: %q is missing in %d\n%s", line, want, got.code, got.log)
		}
	}
}
