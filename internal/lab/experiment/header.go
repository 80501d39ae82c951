package experiment

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/tarry-bo/tarry/internal/check"
)

// Header is what the runs of a store have in common: runs of another header are not of the same experiment.
type Header struct {
	Experiment string `json:"experiment"`
	Rounds     int    `json:"rounds"`
	Data       string `json:"data,omitempty"` // fingerprint
	Program    string `json:"program"`        // fingerprint of the program that made the runs
	Go         string `json:"go"`
	Arch       string `json:"arch"`
}

// MismatchError says that a file holds runs that do not belong here.
type MismatchError struct{ Path, Field, Found, Want string }

// Error names the file, what differs and both values.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s holds runs with %s %s, and this is %s", e.Path, e.Field, e.Found, e.Want)
}

// NewHeader returns the header of the runs of an experiment that this program makes, and its version for readers.
func NewHeader(e Experiment, p Plan, rounds int) (h Header, version string, err error) {
	if rounds == 0 {
		rounds = e.Rounds
	}
	program, err := ownFingerprint()
	if err != nil {
		return Header{}, "", err
	}
	h = Header{Experiment: e.Name, Rounds: rounds, Data: p.Fingerprint, Program: program, Go: runtime.Version(), Arch: runtime.GOARCH}
	return h, ownVersion(), nil
}

// ownFingerprint is the SHA-256 of the running program: what another program computes may differ.
var ownFingerprint = sync.OnceValues(func() (text string, err error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), err
})

// ownVersion names the module's version, and the revision of its source where the build knows it.
func ownVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "tarry"
	}
	text := "tarry " + info.Main.Version
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			text += ", revision " + s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			text += " with changes"
		}
	}
	return text
}

// parseHeader reads the first line of a store.
func parseHeader(path string, text []byte) (found Header, err error) {
	if err := check.Object(text, &found); err != nil || found.Experiment == "" {
		return found, fmt.Errorf("%s:1: no header of an experiment, want a file that an experiment wrote, or none", path)
	}
	return found, nil
}

// check returns nil when the first line of a file is this header.
func (h Header) check(path string, text []byte) error {
	found, err := parseHeader(path, text)
	if err != nil {
		return err
	}
	for _, f := range []struct{ name, found, want string }{
		{"experiment", found.Experiment, h.Experiment},
		{"rounds", fmt.Sprint(found.Rounds), fmt.Sprint(h.Rounds)},
		{"data", shown(found.Data), shown(h.Data)},
		{"go", found.Go, h.Go},
		{"arch", found.Arch, h.Arch},
		{"program", shown(found.Program), shown(h.Program)},
	} {
		if f.found != f.want {
			return &MismatchError{path, f.name, f.found, f.want}
		}
	}
	return nil
}

// shown is the beginning of a fingerprint.
func shown(fingerprint string) string {
	if fingerprint == "" {
		return "none"
	}
	return fingerprint[:min(len(fingerprint), 16)]
}

// Replaceable returns nil when a file may be replaced by runs of this header: it is not there, it is empty, or it begins
// with the same. With fresh it may have runs of any other, but nothing else.
func (h Header) Replaceable(path string, fresh bool) error {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil // whoever writes it will say what is wrong; what is no file keeps nothing
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := bufio.NewReader(f).ReadBytes('\n')
	if len(text) == 0 && errors.Is(err, io.EOF) {
		return nil
	}
	if fresh {
		_, err = parseHeader(path, text)
		return err
	}
	return h.check(path, text)
}
