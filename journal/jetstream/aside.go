package jetstream

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// aside renames the file of a study, with what SQLite has beside it, and returns the new name, which is none of a study. What is in
// it stays for somebody to look at.
func aside(path string) (string, error) {
	to := path + ".aside-" + time.Now().UTC().Format("20060102T150405.000000000")
	for _, side := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(path+side, to+side); err != nil && !(side != "" && errors.Is(err, fs.ErrNotExist)) {
			return "", fmt.Errorf("set %s aside: %w", path, err)
		}
	}
	return to, nil
}
