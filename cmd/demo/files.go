package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/check"
)

// toStdout is the file name that means standard output.
const toStdout = "-"

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

// pictureBase is the path of a picture but for its end.
func pictureBase(plot string) string { return strings.TrimSuffix(plot, filepath.Ext(plot)) }

// savePicture draws both files and says so.
func savePicture(w io.Writer, word, base string, p chart.Picture) error {
	if err := chart.Save(base, p); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s: %s.png and %s.svg\n", word, base, base)
	return err
}

// drawable records the files of a picture that cannot be written.
func drawable(l *check.List, base string) {
	l.Join(writable("-plot", base+".png"))
	l.Join(writable("-plot", base+".svg"))
}

// fileName makes the name of a problem fit for a file name.
func fileName(problem string) string {
	return strings.NewReplacer(":", "-", "/", "-").Replace(problem)
}
