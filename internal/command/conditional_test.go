package command

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

func conditionalSpace(t testing.TB) space.Space {
	return mustSpace(t, space.Categorical("kind", "adam", "sgd"), space.Float("beta", 0, 1).When("kind", "adam"),
		space.Float("mu", 0, 1).When("kind", "sgd"), space.Bool("nesterov").When("kind", "sgd"))
}

func TestWhatIsInactiveIsLeftOutOfTheCommand(t *testing.T) {
	s := conditionalSpace(t)
	nan := math.NaN()
	adam, sgd := []float64{0, 0.5, nan, nan}, []float64{1, nan, 0.25, 1}
	for _, c := range []struct{ written, adam, sgd string }{
		{"--kind {kind} --beta={beta}", "--kind adam --beta=0.5", "--kind sgd"},
		{"--beta {beta} --mu {mu}", "--beta 0.5", "--mu 0.25"},
		{"-v -b {beta} -m {mu} end", "-v -b 0.5 end", "-v -m 0.25 end"},
		{"--pair {mu},{nesterov} {beta}", "0.5", "--pair 0.25,true"},
		{"--seed=1 {beta}", "--seed=1 0.5", "--seed=1"},
		{"-- {beta}", "-- 0.5", "--"},
		{"--kind={kind} {mu}", "--kind=adam", "--kind=sgd 0.25"},
		{"--x -{mu}", "--x", "--x -0.25"},
	} {
		tpl, err := ParseTemplate(append([]string{"train"}, strings.Fields(c.written)...), s)
		if err != nil {
			t.Errorf("%s: %v", c.written, err)
			continue
		}
		for _, at := range []struct {
			x    []float64
			want string
		}{{adam, c.adam}, {sgd, c.sgd}} {
			if got := strings.Join(tpl.Expand(at.x, 1, 1, "p")[1:], " "); got != at.want {
				t.Errorf("%s became %s, want %s", c.written, got, at.want)
			}
		}
	}
	if got := string(parametersJSON(s, adam)); got != `{"kind":"adam","beta":0.5}`+"\n" {
		t.Errorf("the file has %s", got)
	}
	t.Setenv("TARRY_MU", "7")
	all := append(inherited(s, adam), environment(s, adam, 1, 1, "/f")...)
	set := func(prefix string) bool {
		return slices.ContainsFunc(all, func(entry string) bool { return strings.HasPrefix(entry, prefix) })
	}
	if !set("TARRY_BETA=0.5") || set("TARRY_MU=") || set("TARRY_NESTEROV=") {
		t.Errorf("the environment has %q", all)
	}
	if err := contained(s, adam); err != nil {
		t.Error(err)
	}
	if err := contained(s, []float64{0, nan, 0.1, nan}); err == nil {
		t.Error("a point without a value of what is active is none")
	}
}

func TestWhatCannotBeLeftOutIsRefused(t *testing.T) {
	s := conditionalSpace(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"./{beta}"}, "command[0] ="},
		{[]string{"sh", "-c", "train --beta {beta}"}, "$TARRY_BETA"},
		{[]string{"env", "bash", "-ec", "train {kind} {mu}"}, "no {mu} in a script"},
		{[]string{"python3", "-c", "print({beta})"}, "command[2] ="},
		{[]string{"env", "perl", "-w", "-e", "print {mu}"}, "no {mu} in a script"},
		{[]string{"ruby", "-e", "{mu}"}, "no {mu} in a script"},
		{[]string{"node", "-e", "log({mu})"}, "$TARRY_MU"},
		{[]string{"perl", "-ne", "print {mu}", "data"}, "command[2] ="},
		{[]string{"nice", "/usr/bin/perl5.36", "-I", "lib", "-lane", "print {mu}"}, "read $TARRY_MU in the script instead"},
		{[]string{"perl", "-w", "-i.bak", "-0777", "-pE", "s/a/{mu}/"}, "command[5] ="},
		{[]string{"perl", "-nle", "$a", "-we", "print {mu}"}, "command[4] ="},
		{[]string{"perl", "-neprint({mu})"}, "command[1] ="},
		{[]string{"python3.12", "-Ic", "print({beta})"}, "command[2] ="},
		{[]string{"python", "-W", "ignore", "-uc", "print({beta})"}, "command[4] ="},
		{[]string{"ruby", "-r", "json", "-ne", "{mu}"}, "command[4] ="},
		{[]string{"node", "-pe", "{mu}"}, "command[2] ="},
		{[]string{"node", "--print", "{mu}"}, "command[2] ="},
		{[]string{"node", "--eval={mu}"}, "command[1] ="},
		{[]string{"php", "-r", "echo {mu};"}, "command[2] ="},
		{[]string{"julia", "-t", "4", "-E", "{mu}"}, "command[4] ="},
		{[]string{"Rscript", "--vanilla", "-e", "{mu}"}, "command[3] ="},
	} {
		if _, err := ParseTemplate(c.args, s); !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.args, err, c.want)
		}
	}
}

// What follows the script of an interpreter, or the file of one, is an argument like any other, and so are flags of other programs.
func TestWhatIsNoScriptMayBeLeftOut(t *testing.T) {
	s := conditionalSpace(t)
	for _, args := range [][]string{
		{"sh", "-c", `train "$@"`, "sh", "--beta={beta}"},
		{"perl", "-ne", "print", "data", "-mode", "{mu}"},
		{"python3", "train.py", "-Ic", "{beta}"},
		{"python3", "-m", "train", "-nice", "{beta}"},
		{"perl", "-ie", "edit.pl", "-rate", "{mu}"}, // e is what perl appends to the names of files
		{"perl", "--", "train.pl", "-ne", "{mu}"},
		{"train", "-scale", "{beta}"},
		{"node", "--inspect", "train.js", "--eval", "{mu}"},
	} {
		tpl, err := ParseTemplate(args, s)
		if err != nil {
			t.Errorf("%q: %v", args, err)
			continue
		}
		kind := 0.0
		if strings.Contains(strings.Join(args, " "), "beta") {
			kind = 1
		}
		if got := tpl.Expand([]float64{kind, math.NaN(), math.NaN(), math.NaN()}, 1, 1, "p"); strings.Contains(strings.Join(got, " "), "{") || len(got) >= len(args) {
			t.Errorf("%q became %q", args, got)
		}
	}
}

func TestLengthsAreThoseOfAPointWhereEverythingIsActive(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	s := mustSpace(t, space.Categorical("kind", "adam", "sgd"), space.Categorical("text", "a", long).When("kind", "sgd"))
	tpl, err := ParseTemplate([]string{"train", "{text}"}, s)
	if err != nil {
		t.Fatal(err)
	}
	r := Runner{Template: tpl, Space: s, Dir: t.TempDir(), Shim: []string{"shim"}}
	if each, _ := argumentLimits(); each > 0 && each < len(long) && r.Fits() == nil {
		t.Error("a choice that is too long for an argument fits")
	}
}
