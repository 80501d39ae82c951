package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A folder and what is in it are for the user alone: there are secrets on command lines.
const (
	folderMode = 0o700
	fileMode   = 0o600
)

// maxRecord bounds what is read of a file in a folder, in bytes, where it should be short: a command may have put anything
// there. A command line has a few MiB at most.
const maxRecord = 32 << 20

// errIrregular is why a file is not read: to open or to read it might not come to an end.
var errIrregular = errors.New("no regular file")

// open opens a file in a folder. A command may have put anything in its place: what is no regular file is an error, and
// nobody waits for whoever is at the other end of it.
func open(path string, flag int) (*os.File, error) {
	file, err := os.OpenFile(path, flag|safely, 0)
	if isLink(err) {
		return nil, irregular(path)
	}
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, irregular(path), file.Close())
	}
	return file, nil
}

func irregular(path string) error { return fmt.Errorf("%s is %w", path, errIrregular) }

// read returns the content of a file in a folder.
func read(path string) ([]byte, error) {
	file, err := open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxRecord+1))
	if err == nil && len(data) > maxRecord {
		err = fmt.Errorf("%s has more than %d bytes", path, maxRecord)
	}
	return data, err
}

// readJSON reads a JSON object from a file into v. The error wraps os.ErrNotExist where there is none.
func readJSON(path string, v any) error {
	data, err := read(path)
	if err != nil {
		return err
	}
	if data = bytes.TrimSpace(data); !bytes.HasPrefix(data, []byte("{")) { // null would be read as nothing said
		return fmt.Errorf("%s is no JSON object", path)
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// mustJSON returns the JSON of a value that has one.
func mustJSON(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("command: %v", err))
	}
	return out
}

// writeWhole writes a JSON object to a file of the folder, see WriteWhole.
func (f folder) writeWhole(name string, record any) error {
	return writeWhole(f.path(name), mustJSON(record), fileMode)
}

// WriteWhole writes a text with an end of line to a file such that it is there in full or not at all, whatever happens to process or machine, and
// whatever is there already. What a link names is written, and a file keeps who may read it; one that may not be written is an error, and
// so is a database: it may be a study. A new one has the permissions fresh.
func WriteWhole(path string, text []byte, fresh fs.FileMode) error {
	path, mode, err := target(path, fresh)
	if err != nil {
		return err
	}
	return writeWhole(path, text, mode)
}

// writeWhole takes the place of whatever has the name.
func writeWhole(path string, text []byte, mode fs.FileMode) error {
	dir := filepath.Dir(path)
	out, err := os.CreateTemp(dir, filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = out.Write(append(text, '\n'))
	if err = errors.Join(err, out.Chmod(mode), out.Sync(), out.Close()); err == nil {
		err = os.Rename(out.Name(), path)
	}
	if err != nil {
		_ = os.Remove(out.Name()) // what is left of it disturbs nobody
		return err
	}
	syncDir(dir)
	return nil
}

// Writable returns an error where WriteWhole would not write a file, as far as that can be known before.
func Writable(path string) error {
	path, _, err := target(path, 0)
	if err != nil {
		return err
	}
	probe, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// target is the file that a path names, behind links, with the permissions that it has, or those of a fresh one.
func target(path string, fresh fs.FileMode) (string, fs.FileMode, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, fresh, nil
	}
	if err != nil {
		return path, 0, err
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return path, 0, err
	case !info.Mode().IsRegular():
		return path, 0, fmt.Errorf("%s is no file", path)
	case info.Mode().Perm()&0o222 == 0:
		return path, 0, &fs.PathError{Op: "write", Path: path, Err: fs.ErrPermission}
	}
	return real, info.Mode().Perm(), Replaceable(path)
}

// Replaceable returns an error where a file is a database of SQLite, such as a study: nothing that is written takes its place.
func Replaceable(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil // to read of a pipe would be to wait
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	const magic = "SQLite format 3\x00"
	begin := make([]byte, len(magic))
	if _, err := io.ReadFull(file, begin); err == nil && string(begin) == magic {
		return fmt.Errorf("%s is a database, such as a study: it is not replaced; want another name", path)
	}
	return nil
}

// syncDir makes the names in a folder survive a loss of power. Not every system can, and the caller can do nothing
// about it.
func syncDir(path string) {
	if d, err := os.Open(path); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
