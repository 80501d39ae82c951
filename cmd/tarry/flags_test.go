package main

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/tarry-bo/tarry/loop"
)

// What the table of options has a help for is a flag of asktell, and of tune but for what concerns answers that follow.
func TestOptionsOfAStudyAreFlags(t *testing.T) {
	var c loop.Config
	tune, asktell := newTune().Flags(), newAskTell().Flags()
	n := 0
	for _, o := range c.Options() {
		follows := o.Name == "pending" || o.Name == "lease"
		if is := o.Help != ""; (asktell.Lookup(o.Name) != nil) != is || (tune.Lookup(o.Name) != nil) != (is && !follows) {
			t.Errorf("%s is a flag of asktell: %v, of tune: %v", o.Name, asktell.Lookup(o.Name), tune.Lookup(o.Name))
		}
		if o.Help != "" {
			n++
		}
	}
	if n < 10 {
		t.Errorf("%d flags", n)
	}
}

func TestAFlagThatCannotBeReadSaysWhatIsWanted(t *testing.T) {
	for flag, want := range map[string]string{
		"--budget=many": `"many" for "--budget" flag: want a whole number`, "--seed=-1": "want a whole number with 0 ≤ seed ≤ 18446744073709551615", "--timeout=90": "want a duration such as 1m30s",
		"--design=grid": "want one of uniform, latin-hypercube, halton", "--target=high": "want a finite number", "--minimize=perhaps": "want true or false",
		"--seed=18446744073709551616": "with 0 ≤ seed ≤ 18446744073709551615", "--budget=99999999999999999999": "with 1 ≤ budget ≤ 100000",
	} {
		for _, command := range []string{"tune", "asktell"} {
			if got := call(t, "", command, flag); got.code != exitUsage || !strings.Contains(got.log, want) {
				t.Errorf("%s %s: %+v", command, flag, got)
			}
		}
	}
	n := 0
	for _, c := range newRoot(nil, io.Discard, io.Discard).Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if c.ParseFlags([]string{"--" + f.Name + "=§"}) == nil {
				return // text
			}
			n++
			if got := call(t, "", c.Name(), "--"+f.Name, "§"); got.code != exitUsage || !strings.Contains(got.log, ": want ") && f.Value.Type() != "bool" || strings.Contains(got.log, "strconv") {
				t.Errorf("%s --%s: %+v", c.Name(), f.Name, got)
			}
		})
	}
	if n < 30 {
		t.Errorf("%d flags that are no text", n)
	}
	if got := call(t, "", "__complete", "asktell", "--design", ""); !strings.Contains(got.out, "uniform\nlatin-hypercube\nhalton\n:4") {
		t.Errorf("%+v", got)
	}
}

// A session begins with a design of its own, and is the same one when it goes on.
func TestASessionHasItsDesign(t *testing.T) {
	dir := folder(t, "")
	asks := `{"op":"ask","n":3}`
	uniform := callIn(t, dir, asks, "asktell", "--space", "space.yaml", "--seed", "5").out
	halton := callIn(t, dir, asks, "asktell", "--space", "space.yaml", "--seed", "5", "--design", "halton", "--study", "s.db").out
	if uniform == halton || strings.Count(halton, `"id"`) != 3 {
		t.Errorf("%s\n%s", uniform, halton)
	}
	got := callIn(t, dir, "", "asktell", "--study", "s.db", "--design", "uniform", "--seed", "5", "--retries", "2")
	if got.code != exitUsage || !strings.Contains(got.log, "--design = uniform: study s.db has halton") || !strings.Contains(got.log, "--retries = 2: study s.db has 0") ||
		strings.Contains(got.log, "--seed") {
		t.Errorf("%+v", got)
	}
	if got := callIn(t, dir, `{"op":"ask"}`, "asktell", "--study", "s.db", "--design", "halton"); got.code != exitOK || !strings.Contains(got.out, `"id":4`) {
		t.Errorf("%+v", got)
	}
}

// A target ends a session, is kept with it, and is another one when the session goes on with that.
func TestASessionHasItsTarget(t *testing.T) {
	dir := folder(t, "")
	of := func(value, in string) string {
		return strings.ReplaceAll(in, "V", value)
	}
	const first, next = `{"op":"ask"}` + "\n" + `{"op":"tell","id":1,"value":V}` + "\n" + `{"op":"ask"}`, `{"op":"tell","id":2,"value":V}` + "\n" + `{"op":"ask"}`
	for _, c := range []struct {
		in    string
		args  []string
		ended bool
	}{
		{of("1", first), []string{"--space", "space.yaml", "--target", "2"}, false},
		{of("3", next), nil, true},
		{`{"op":"ask"}`, nil, true},
		{`{"op":"ask"}`, []string{"--target", "4"}, false},
		{of("5", strings.ReplaceAll(next, "2", "3")), nil, true},
	} {
		got := callIn(t, dir, c.in, append([]string{"asktell", "--study", "s.db"}, c.args...)...)
		if got.code != exitOK || strings.Contains(got.out, `"ended":true`) != c.ended {
			t.Errorf("%s with %v: %+v", c.in, c.args, got)
		}
	}
	for _, args := range [][]string{{"--study", "s.db"}, {"--study", "new.db", "--space", "space.yaml"}} {
		if got := callIn(t, dir, "", append(append([]string{"asktell"}, args...), "--target", "nan")...); got.code != exitUsage || !strings.Contains(got.log, "--target = NaN: want a finite number") {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

// A session at whose end the study has come to its own, without a value, says so as tune does.
func TestASessionWithoutAValueSaysSo(t *testing.T) {
	for _, c := range []struct {
		in   string
		code int
		log  string
	}{
		{`{"op":"ask"}` + "\n" + `{"op":"fail","id":1,"reason":"oom"}`, exitNoValue, "no evaluation has a value: budget spent"},
		{`{"op":"ask"}`, exitOK, ""},
		{`{"op":"ask"}` + "\n" + `{"op":"tell","id":1,"value":1}`, exitOK, ""},
	} {
		if got := callIn(t, folder(t, ""), c.in, "asktell", "--space", "space.yaml", "--budget", "1"); got.code != c.code || !strings.Contains(got.log, c.log) {
			t.Errorf("%s: %+v", c.in, got)
		}
	}
}

func TestASessionThatIsRefusedKeepsItsTarget(t *testing.T) {
	dir := folder(t, "")
	const first = `{"op":"ask"}` + "\n" + `{"op":"tell","id":1,"value":1}` + "\n" + `{"op":"ask"}` + "\n" + `{"op":"tell","id":2,"value":1}` + "\n"
	if got := callIn(t, dir, first, "asktell", "--study", "s.db", "--space", "space.yaml", "--target", "3"); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	if got := callIn(t, dir, "", "asktell", "--study", "s.db", "--target", "0", "--budget", "1"); got.code == exitOK {
		t.Fatalf("a budget that is spent: %+v", got)
	}
	if got := callIn(t, dir, `{"op":"ask"}`, "asktell", "--study", "s.db"); got.code != exitOK || strings.Contains(got.out, `"ended":true`) {
		t.Errorf("the target that was refused is there: %+v", got)
	}
}
