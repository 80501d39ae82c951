package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	return WriteWhole(f.path(name), mustJSON(record))
}

// WriteWhole writes a text with an end of line to a file such that it is there in full or not at all, whatever happens to process or machine, and
// whatever is there already.
func WriteWhole(path string, text []byte) error {
	dir := filepath.Dir(path)
	out, err := os.CreateTemp(dir, filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = out.Write(append(text, '\n'))
	if err = errors.Join(err, out.Sync(), out.Close()); err == nil {
		err = os.Rename(out.Name(), path)
	}
	if err != nil {
		_ = os.Remove(out.Name()) // what is left of it disturbs nobody
		return err
	}
	syncDir(dir)
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
