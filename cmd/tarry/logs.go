package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/internal/command"
)

const logsSuffix = ".logs"

// logsOf is the folder of what the attempts of a study printed: beside the file itself, whatever links lead to it.
func logsOf(study string) (string, error) {
	file, err := filepath.Abs(study)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		return real + logsSuffix, nil
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, filepath.Base(file)) + logsSuffix, nil
}

// logsNow are the folders in which commands of a study that is resumed may still run, the one that it goes on in first. A
// study that was moved without its folder goes on in the old one, unless that belongs to another study by now.
func logsNow(study, kept string) ([]string, error) {
	logs, err := logsOf(study)
	if err != nil || kept == "" || kept == logs || !isFolder(kept) {
		return []string{logs}, err
	}
	if _, err := os.Stat(strings.TrimSuffix(kept, logsSuffix)); err == nil {
		return []string{logs}, nil
	}
	if isFolder(logs) {
		return []string{logs, kept}, nil
	}
	return []string{kept}, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// sweep ends what is left of commands whose process is gone.
func sweep(log io.Writer, folders ...string) error {
	var errs []error
	for _, folder := range folders {
		errs = append(errs, command.Sweep(folder, func(attempt string, pid int) {
			fmt.Fprintf(log, "tarry: ended attempt %s of the process before (process group %d)\n", attempt, pid)
		}))
	}
	return errors.Join(errs...)
}

// setAside renames logs that lie where those of a new study go: they belong to a study that is gone, whose answers nobody
// must take for this one's. What still runs in there is ended first.
func setAside(log io.Writer, logs string) error {
	entries, err := os.ReadDir(logs)
	if err != nil || len(entries) == 0 {
		return nil
	}
	if err := sweep(log, logs); err != nil {
		return err
	}
	aside := fmt.Sprintf("%s.old-%s", logs, time.Now().Format("20060102-150405.000"))
	if err := os.Rename(logs, aside); err != nil {
		return err
	}
	fmt.Fprintf(log, "tarry: logs of another study are now in %s\n", shortened(aside))
	return nil
}

// shortened is an absolute path without links as somebody in the working directory would write it.
func shortened(path string) string {
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return path
	}
	if short, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(short) {
		return short
	}
	return path
}

// located returns why there can be no study at a path.
func located(path, name string) error {
	if path == "" {
		return fmt.Errorf("%s is empty: want the file that holds the study", name)
	}
	folder := filepath.Dir(path)
	if info, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) || err == nil && !info.IsDir() {
		return fmt.Errorf("study %s: there is no folder %s", path, folder)
	}
	return nil
}
