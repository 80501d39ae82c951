package command

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Leftover is what an attempt has left: its folder.
type Leftover struct {
	Name                string // of the folder
	Evaluation, Attempt int
	Size                int64 // bytes in its files
	folder              folder
}

// Leftovers returns the folders of all attempts below Dir, also those that were put aside, by evaluation and attempt. It
// costs a look at each file.
func (r *Runner) Leftovers() ([]Leftover, error) {
	entries, err := os.ReadDir(r.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var out []Leftover
	for _, entry := range entries {
		if l := (Leftover{Name: entry.Name(), folder: folder(filepath.Join(r.Dir, entry.Name()))}); entry.IsDir() && l.named() {
			l.Size = l.folder.size()
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b Leftover) int {
		return cmp.Or(cmp.Compare(a.Evaluation, b.Evaluation), cmp.Compare(a.Attempt, b.Attempt), strings.Compare(a.Name, b.Name))
	})
	return out, nil
}

// named reads the numbers in the name, and reports whether it is that of an attempt.
func (l *Leftover) named() bool {
	if !folderName.MatchString(l.Name) {
		return false
	}
	numbers := strings.SplitN(l.Name, ".", 3)
	var err1, err2 error
	l.Evaluation, err1 = strconv.Atoi(numbers[0])
	l.Attempt, err2 = strconv.Atoi(numbers[1])
	return err1 == nil && err2 == nil
}

// Held reports whether a process of the attempt lives, as far as the system can tell.
func (l Leftover) Held() bool { return l.folder.held() }

// Remove deletes the folder. Nobody must be at work on its evaluation.
func (l Leftover) Remove() error { return os.RemoveAll(string(l.folder)) }

// size returns how many bytes are in the files of a folder. What cannot be looked at has none.
func (f folder) size() (bytes int64) {
	_ = filepath.WalkDir(string(f), func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			if info, err := entry.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil
	})
	return bytes
}
