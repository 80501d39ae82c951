package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// toStdout is the file name that means standard output.
const toStdout = "-"

// checkFiles records the paths of the request that cannot be written, before anything else is done.
func (c comparison) checkFiles(l *check.List) {
	if c.json != "" && c.json != toStdout {
		l.Join(writable("-json", c.json))
	}
	if c.plot == "" || !isPicture(l, c.plot) {
		return
	}
	for _, s := range c.problems {
		for _, path := range c.pictures(s) {
			l.Join(writable("-plot", path))
		}
	}
}

// isPicture records a violation unless the path ends like that of a picture.
func isPicture(l *check.List, path string) bool {
	extension := filepath.Ext(path)
	ok := extension == ".png" || extension == ".svg"
	l.Require(ok, "-plot", path, "a file name that ends in .png or .svg")
	return ok
}

// writable returns nil when the file can be written. It leaves no trace: an existing file keeps its content.
func writable(flag, path string) error {
	_, err := os.Stat(path)
	fresh := errors.Is(err, fs.ErrNotExist)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err == nil {
		err = f.Close()
		if fresh {
			err = errors.Join(err, os.Remove(path))
		}
	}
	if err != nil {
		var cause *fs.PathError
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return &check.FieldError{Field: flag, Value: path, Want: "a file that can be written, but: " + err.Error()}
	}
	return nil
}

// pictures returns the paths of the pictures of a problem. With several problems its name becomes part of theirs.
func (c comparison) pictures(s subject) []string {
	if len(c.problems) > 1 {
		return picturePaths(c.plot, "-"+fileName(s.name))
	}
	return picturePaths(c.plot, "")
}

// picturePaths are the paths of the PNG and of the SVG, with something between the name and its end.
func picturePaths(plot, between string) []string {
	base := strings.TrimSuffix(plot, filepath.Ext(plot)) + between
	return []string{base + ".png", base + ".svg"}
}

// fileName makes the name of a problem fit for a file name.
func fileName(problem string) string {
	return strings.NewReplacer(":", "-", "/", "-").Replace(problem)
}
