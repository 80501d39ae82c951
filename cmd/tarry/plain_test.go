package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// turning are the characters that turn the letters around them, by which a text shows what it does not say.
const turning = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

func TestPlainAndVisibleByHand(t *testing.T) {
	for _, r := range turning + "\x1b\r\x00\u200b\u009b" {
		if got := plain("boom " + string(r) + "gnp.exe "); got != "boom  gnp.exe" {
			t.Errorf("%U is %q", r, got)
		}
	}
	if got := visible(" one\n  \u202etwo\xff ö"); got != " one\n   two  ö" {
		t.Errorf("%q", got)
	}
	if got := plain("\none\ntwo "); got != "one two" {
		t.Errorf("%q", got)
	}
}

// Whatever a command says and a choice is called, no letter on a terminal is turned around, in whatever tells of it.
func TestNothingTurnsTheLettersOfATerminal(t *testing.T) {
	dir := folder(t, `case $TARRY_EVALUATION in
2) printf 'boom \342\200\256gnp.exe\n' >&2; exit 1;;
*) echo "$TARRY_EVALUATION";;
esac`)
	space := "parameters:\n- {name: x, type: float, low: 0, high: 1}\n- {name: kind, type: categorical, choices: [\"a\u202eb\", \"c\u2066d\"]}\n"
	if err := os.WriteFile(filepath.Join(dir, "space.yaml"), []byte(space), 0o600); err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, line := range []string{
		"tune --space space.yaml --study s.db --budget 8 --policy gp-bucb -- ./train.sh {kind}", "resume s.db --budget 9", "inspect s.db --top 0", "inspect s.db --explain 8",
		"replay s.db --policy log-ei", "inspect s.db\u202e", "tune --space space.yaml --budget 3 --policy no\u202esuch -- ./train.sh {kind}", "inspect --fl\u202eag",
	} {
		got := callIn(t, dir, "", strings.Split(line, " ")...)
		if text := got.out + got.log; strings.ContainsAny(text, turning) {
			t.Errorf("%s: %q", line, text)
		}
		said += got.out + got.log
	}
	for _, want := range []string{"#2 attempt 1: exit code 1: boom  gnp.exe, given up", "kind=a b"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
}
