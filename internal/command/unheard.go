package command

import (
	"errors"
	"io/fs"
	"os"

	"github.com/tarry-bo/tarry/space"
)

// Unheard returns the outcome that the first attempts at the point x have left in their folders, and the attempt that it is
// of: the first with a value, or else the first that says infeasible; 0 where there is none. It is for evaluations that
// nobody runs any more: what an attempt brought after it was given up, while nobody listened. It starts nothing. The error
// says that a folder cannot be read now.
func (r *Runner) Unheard(evaluation, attempts int, x space.Point) (o Report, attempt int, err error) {
	if err := errors.Join(r.Validate(), contained(r.Space, x)); err != nil {
		return Report{}, 0, err
	}
	if _, err := os.Lstat(r.Dir); errors.Is(err, fs.ErrNotExist) {
		return Report{}, 0, nil
	}
	dir, err := canonical(r.Dir)
	if err != nil {
		return Report{}, 0, err
	}
	parameters := parametersJSON(r.Space, x)
	for a := 1; a <= attempts; a++ {
		switch found, ok, err := r.adoptFrom(attemptFolder(dir, evaluation, a), parameters); {
		case err != nil:
			return Report{}, 0, err
		case ok && found.HasValue:
			return found, a, nil
		case ok && attempt == 0:
			o, attempt = found, a
		}
	}
	return o, attempt, nil
}
