package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/command"
)

// learnedUsage is the help of the flag with the file of what was learned.
const learnedUsage = "`FILE` of what studies of earlier tasks learned, for the policies continual-mf-mes and mft-mes: the study begins with it, and when it has ended the file has what this one learned too"

// openLearned returns the absolute path of the file of a flag, and what is in it; nothing without the flag.
func openLearned(flag string) (path string, learned *tarry.Learned, err error) {
	if flag == "" {
		return "", nil, nil
	}
	if path, err = filepath.Abs(flag); err == nil {
		learned, err = readLearned(path)
	}
	if err != nil {
		return "", nil, fmt.Errorf("--sequence: %w", err)
	}
	return path, learned, nil
}

// readLearned reads a file of what was learned; nil where there is none yet.
func readLearned(path string) (*tarry.Learned, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		_, err := os.Stat(filepath.Dir(path))
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	var learned tarry.Learned
	if err := json.Unmarshal(text, &learned); err != nil {
		return nil, fmt.Errorf("%s is no file of what was learned: %w", path, err)
	}
	return &learned, nil
}

// keepLearned writes what a study has learned over the file with which it began. One that another study has written to since is left
// alone: what that one learned would be lost.
func keepLearned(path, task string, began *tarry.Learned, r *tarry.Result) error {
	learned, err := r.Learn(task)
	if err != nil {
		return err
	}
	now, err := readLearned(path)
	if err != nil {
		return err
	}
	if !follows(now, began, task) {
		return fmt.Errorf("%s has the tasks %s now, and the study began with %s: it is left as it is; give another file", path, tasksOf(now), tasksOf(began))
	}
	text, err := json.Marshal(learned)
	if err != nil {
		return err
	}
	return command.WriteWhole(path, text)
}

// follows reports whether a file has what a study began with, or what it wrote itself when it ended before.
func follows(now, began *tarry.Learned, task string) bool {
	a, b := names(now), names(began)
	return slices.Equal(a, b) || slices.Equal(a, append(b, task))
}

func names(k *tarry.Learned) (all []string) {
	if k != nil {
		for _, t := range k.Tasks {
			all = append(all, t.Name)
		}
	}
	return all
}

func tasksOf(k *tarry.Learned) string {
	if k == nil {
		return "none"
	}
	return fmt.Sprint(names(k))
}

// ended reports whether a study is over for good, unless it gets another budget.
func ended(r *tarry.Result) bool {
	return r.Reason != "" && r.Reason != tarry.ReasonPaused && r.Reason != tarry.ReasonTime
}

// passOn writes what a study has learned, and says so.
func passOn(log io.Writer, path, study string, began *tarry.Learned, r *tarry.Result) error {
	if err := keepLearned(path, filepath.Base(study), began, r); err != nil {
		return fmt.Errorf("--sequence: %w", err)
	}
	fmt.Fprintf(log, "tarry: what was learned is in %s; the study of the next task begins with it: --sequence %s\n", shortened(path), argument(shortened(path)))
	return nil
}
