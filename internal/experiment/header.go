package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

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
