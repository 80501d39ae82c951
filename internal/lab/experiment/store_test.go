package experiment

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
)

func aRun(seed uint64) Run {
	return Run{Group: "g", Arm: "a", Seed: seed, Wall: 1500 * time.Microsecond, AtOnce: 3, Record: Record{"v": {0.1, math.NaN(), -1e-300}, "none": {}}}
}

// written is a store with two runs, closed.
func written(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	s := open(t, path, header(), false)
	if err := errors.Join(s.append(aRun(1)), s.append(aRun(math.MaxUint64)), s.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRunsComeBackToTheBit(t *testing.T) {
	s := open(t, written(t), header(), false)
	defer s.Close()
	for _, seed := range []uint64{1, math.MaxUint64} {
		got, want := s.runs[place{"g", "a", seed}], aRun(seed)
		if got.Wall != want.Wall || got.AtOnce != want.AtOnce || len(got.Record["v"]) != 3 {
			t.Fatalf("run %+v, want %+v", got, want)
		}
		for i, v := range want.Record["v"] {
			if w := got.Record["v"][i]; w != v && !(math.IsNaN(w) && math.IsNaN(v)) {
				t.Errorf("value %d is %v, want %v", i, w, v)
			}
		}
	}
}

func TestCutOffLineIsDropped(t *testing.T) {
	path := written(t)
	whole := must.Get(os.ReadFile(path))(t)
	for cut := range len(whole) {
		if err := os.WriteFile(path, whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path, header(), false)
		if err != nil {
			t.Fatalf("cut after %d bytes: %v", cut, err)
		}
		ends := strings.Count(string(whole[:cut]), "\n")
		if got := len(s.runs); got != max(ends-1, 0) {
			t.Errorf("cut after %d bytes: %d runs, want %d", cut, got, max(ends-1, 0))
		}
		if err := errors.Join(s.append(aRun(9)), s.Close()); err != nil {
			t.Fatal(err)
		}
		again := open(t, path, header(), false)
		if !again.has("g", "a", 9) {
			t.Errorf("cut after %d bytes: what was appended is lost", cut)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRunsOfSomethingElseAreNotMixed(t *testing.T) {
	path := written(t)
	for field, change := range map[string]func(*Header){
		"experiment": func(h *Header) { h.Experiment = "other" },
		"rounds":     func(h *Header) { h.Rounds++ },
		"data":       func(h *Header) { h.Data = "123" },
		"program":    func(h *Header) { h.Program = "def" },
		"go":         func(h *Header) { h.Go = "go9" },
		"arch":       func(h *Header) { h.Arch = "z80" },
	} {
		h := header()
		change(&h)
		_, err := Open(path, h, false)
		var mismatch *MismatchError
		if !errors.As(err, &mismatch) || mismatch.Field != field || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v", field, err)
		}
	}
	h := header()
	h.Rounds = 99
	s := open(t, path, h, true)
	defer s.Close()
	if len(s.runs) != 0 {
		t.Error("a fresh store has runs")
	}
}

func TestFilesThatAreNoStoreAreLeftAlone(t *testing.T) {
	for name, content := range map[string]string{
		"text":            "Dear diary,\n",
		"no line end":     "Dear diary",
		"other JSON":      "{\"problem\":\"branin\"}\n",
		"damaged run":     "{\"experiment\":\"drawn\",\"rounds\":3,\"program\":\"abc\",\"go\":\"go\",\"arch\":\"arch\"}\nnonsense\n",
		"run without arm": "{\"experiment\":\"drawn\",\"rounds\":3,\"program\":\"abc\",\"go\":\"go\",\"arch\":\"arch\"}\n{\"seed\":1}\n",
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path, header(), false)
		if err == nil || !strings.Contains(err.Error(), path+":") {
			t.Errorf("%s: error %v does not name file and line", name, err)
		}
		if after, _ := os.ReadFile(path); string(after) != content {
			t.Errorf("%s: the file was changed", name)
		}
		if _, err := os.Stat(path + ".lock"); err == nil {
			t.Errorf("%s: the lock stays", name)
		}
	}
}

func TestOneProcessAtATime(t *testing.T) {
	path := written(t)
	s := open(t, path, header(), false)
	if _, err := Open(path, header(), false); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("second opening: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := open(t, path, header(), false).Close(); err != nil {
		t.Error(err)
	}
}
