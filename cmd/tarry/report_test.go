package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// A report is written also of a study that another holds, which stays as it is, and under the name of the study unless one is given.
func TestAReportIsWrittenOfAStudyThatGoesOn(t *testing.T) {
	dir := folder(t, "")
	store, err := sqlite.Create(filepath.Join(dir, "s.db"))
	must(t, err)
	defer store.Close()
	space, err := tarry.NewSpace(tarry.Float("x", 0, 1))
	must(t, err)
	study, err := tarry.NewStudy(space, tarry.Options{Budget: 9, Journal: store})
	must(t, err)
	defer study.Close()
	for i := range 3 {
		q, err := study.Ask()
		must(t, err)
		if i > 0 {
			must(t, study.Tell(q.ID, q.Float("x")))
		}
	}
	got := callIn(t, dir, "", "report", "s.db")
	text, err := os.ReadFile(filepath.Join(dir, "s.html"))
	if err != nil || got.code != exitOK || !strings.HasPrefix(got.out, "s.html: ") {
		t.Fatalf("%v %+v", err, got)
	}
	for _, want := range []string{"<!DOCTYPE html>", "1 pending, 2 observed", "It goes on", "feedback-arrived"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if got := callIn(t, dir, "", "report", "s.db", "-o", "-"); got.code != exitOK || !strings.HasPrefix(got.out, "<!DOCTYPE html>") || !strings.HasSuffix(got.out, "</html>\n") {
		t.Errorf("%+v", got)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".report-*")); err != nil || left != nil {
		t.Error(left, err)
	}
}

func TestAReportThatCannotBeWrittenIsRefused(t *testing.T) {
	dir := t.TempDir()
	path := sampler(t)
	before, err := os.ReadFile(path)
	must(t, err)
	other := filepath.Join(dir, "other.db")
	must(t, os.WriteFile(other, before, 0o600))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{path, "-o", path}, "that is the study"},
		{[]string{path, "-o", other}, other + " is a database, such as a study: it is not replaced"},
		{[]string{path, "-o", filepath.Join(dir, "none", "r.html")}, "r.html: no such file"},
		{[]string{filepath.Join(dir, "none.db")}, "none.db"},
		{[]string{""}, "STUDY is empty"},
	} {
		if got := call(t, "", append([]string{"report"}, c.args...)...); got.code != exitUsage || !strings.Contains(got.log, c.want) {
			t.Errorf("%v: %+v", c.args, got)
		}
	}
	for _, study := range []string{path, other} {
		if after, err := os.ReadFile(study); err != nil || string(after) != string(before) {
			t.Error("the study changed", err)
		}
	}
}
