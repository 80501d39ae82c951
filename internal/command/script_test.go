package command

import (
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/space"
)

// A choice that a shell would take for a part of its script is warned of, wherever the shell stands and however -c is
// written; nothing else is.
func TestChoicesInScriptsAreWarnedOf(t *testing.T) {
	s := mustSpace(t, space.Float("lr", 0, 1), space.Categorical("kind", "adam", "a; rm -rf x"), space.Categorical("tame", "adam", "größe-1.5", "a/b,c:d@e%"))
	for _, c := range []struct {
		args []string
		want string // beginning of the warning; empty without any
	}{
		{[]string{"sh", "-c", "train --kind {kind}"}, `command[2] is a script of sh, which takes the choice "a; rm -rf x" of {kind} for a part of it; safe are sh -c '… "$1" …' sh {kind} and "$TARRY_KIND"`},
		{[]string{"/bin/sh", "-ec", "train {lr} '{kind}'"}, "command[2] is a script of sh"},
		{[]string{"env", "A=b", "bash", "-x", "-c", "{kind}"}, "command[5] is a script of bash"},
		{[]string{"bash", "-o", "pipefail", "-c", "{kind}"}, "command[4] is a script of bash"},
		{[]string{"bash", "-euo", "pipefail", "-c", "{kind}"}, "command[4]"},
		{[]string{"bash", "-ceuo", "pipefail", "{kind}"}, "command[3]"},
		{[]string{"bash", "--norc", "-c", "--", "{kind}"}, "command[4]"},
		{[]string{"zsh", "-c", "-e", "{kind}"}, "command[3]"},
		{[]string{"nice", "dash", "+e", "-c", "{kind}"}, "command[4]"},
		{[]string{"timeout", "5", "sh", "-c", "sh -c {kind}", "sh"}, "command[4]"},
		{[]string{"sh", "-c", `train --kind "$1"`, "sh", "{kind}"}, ""},
		{[]string{"sh", "-c", `train --kind "$TARRY_KIND"`}, ""},
		{[]string{"sh", "-c", "train {lr} {tame} {evaluation}"}, ""},
		{[]string{"sh", "-c", "train {{kind}}"}, ""},
		{[]string{"sh", "train.sh", "-c", "{kind}"}, ""},
		{[]string{"sh", "-e", "train.sh", "{kind}"}, ""},
		{[]string{"./train.sh", "-c", "{kind}"}, ""},
		{[]string{"sh", "-c"}, ""},
		{[]string{"sh", "-c", "--"}, ""},
		{[]string{"sh"}, ""},
		{[]string{"{kind}", "-c", "{kind}"}, ""},
	} {
		tpl := must.Get(ParseTemplate(c.args, s))(t)
		if got := tpl.Interpreted(); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%q: %s", c.args, got)
		}
	}
	for text, want := range map[string]bool{"adam": true, "-x": true, "ä": true, "": false, "a b": false, "$HOME": false, "*": false, "~": false, "a\nb": false, "{a,b}": false, "'": false, "#": false} {
		if got := isWord(text); got != want {
			t.Errorf("%q is a word: %v", text, got)
		}
	}
}
