package console

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

// ToStdout is the file name that means standard output.
const ToStdout = "-"

// IsPicture records a violation unless the path ends like that of a picture.
func IsPicture(l *check.List, path string) bool {
	extension := filepath.Ext(path)
	ok := extension == ".png" || extension == ".svg"
	l.Require(ok, "-plot", path, "a file name that ends in .png or .svg")
	return ok
}

// Writable returns nil when the file can be written. It leaves no trace: an existing file keeps its content.
func Writable(flag, path string) error {
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

// PictureBase is the path of a picture but for its end.
func PictureBase(plot string) string { return strings.TrimSuffix(plot, filepath.Ext(plot)) }

// SavePicture draws both files and says so.
func SavePicture(w io.Writer, word, base string, p chart.Picture) error {
	if err := chart.Save(base, p); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s: %s.png and %s.svg\n", word, base, base)
	return err
}

// Drawable records the files of a picture that cannot be written.
func Drawable(l *check.List, base string) {
	l.Join(Writable("-plot", base+".png"))
	l.Join(Writable("-plot", base+".svg"))
}

// FileName makes the name of a problem fit for a file name.
func FileName(problem string) string {
	return strings.NewReplacer(":", "-", "/", "-").Replace(problem)
}

// Lines returns what takes the lines for machines, and what ends it: a new file, standard output, or nothing without a path.
func Lines(path string, k Streams) (io.Writer, func() error, error) {
	nothing := func() error { return nil }
	switch path {
	case "":
		return io.Discard, nothing, nil
	case ToStdout:
		return k.Stdout, nothing, nil
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, nil, err
	}
	return file, file.Close, nil
}

// Human returns where tables go: standard output, unless the lines for machines do.
func Human(path string, k Streams) io.Writer {
	if path == ToStdout {
		return k.Stderr
	}
	return k.Stdout
}
