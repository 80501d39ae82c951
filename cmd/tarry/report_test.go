package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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

// A disk that is full, or a folder that is closed, is no fault of the command line; a folder that is none is.
func TestAFileThatCannotBeWrittenIsAFailure(t *testing.T) {
	study, dir := sampler(t), t.TempDir()
	closed := filepath.Join(dir, "closed")
	must(t, os.Mkdir(closed, 0o555), os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	open := os.WriteFile(filepath.Join(closed, "x"), nil, 0o600) == nil // to who may write everywhere
	for _, c := range []struct {
		code int
		args []string
	}{
		{exitFailure, []string{"report", study, "-o", "/dev/full"}},
		{exitFailure, []string{"report", study, "-o", filepath.Join(closed, "r.html")}},
		{exitFailure, []string{"inspect", study, "--plot", filepath.Join(closed, "p")}},
		{exitFailure, []string{"learn", study, "-o", filepath.Join(closed, "p.json")}},
		{exitUsage, []string{"report", study, "-o", filepath.Join(dir, "file", "r.html")}},
		{exitUsage, []string{"report", study, "-o", dir}},
		{exitUsage, []string{"inspect", study, "--plot", filepath.Join(dir, "file")}},
		{exitUsage, []string{"inspect", study, "--plot", filepath.Join(dir, "file", "p")}},
		{exitUsage, []string{"learn", study, "-o", filepath.Join(dir, "none", "p.json")}},
	} {
		to := c.args[3]
		if _, err := os.Stat(to); err != nil && to == "/dev/full" || open && strings.HasPrefix(to, closed) {
			continue
		}
		if got := call(t, "", c.args...); got.code != c.code {
			t.Errorf("%v: %+v", c.args, got)
		}
	}
	for err, want := range map[syscall.Errno]int{syscall.ENOSPC: exitFailure, syscall.EACCES: exitFailure, syscall.EROFS: exitFailure, syscall.ENOENT: exitUsage, syscall.EISDIR: exitUsage} {
		var e exit
		if !errors.As(writing(&fs.PathError{Op: "write", Path: "r.html", Err: err}), &e) || e.code != want {
			t.Errorf("%v: %+v", err, e)
		}
	}
}
