package tarry_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/tarry-bo/tarry"
)

// What a program may have to tell apart needs no import but this package: every error value of a room through which a study
// speaks has its name here, or is none of a caller's business.
func TestEveryErrorToTestForIsAtTheRoot(t *testing.T) {
	own, err := os.ReadFile("tarry.go")
	if err != nil {
		t.Fatal(err)
	}
	inner := map[string]bool{
		"loop.ErrBrokenContract": true, // of who drives a loop by hand
		"workers.ErrInjected":    true, // of simulations
		"loop.ErrBadSnapshot":    true, // a journal without a usable one is replayed from the beginning
	}
	declared := regexp.MustCompile(`(?m)^(?:var\s+|\t)(Err\w+)\s+= errors\.New`)
	n := 0
	for _, room := range []string{"actors", "feedback", "internal/check", "journal", "loop", "outcome", "policies", "space", "workers"} {
		files, err := filepath.Glob(filepath.Join(filepath.FromSlash(room), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
				n++
				if name := path.Base(room) + "." + m[1]; !inner[name] && !strings.Contains(string(own), "= "+name+"\n") {
					t.Errorf("%s has no name at the root", name)
				}
			}
		}
	}
	if n < 15 {
		t.Errorf("%d errors were found", n)
	}
}

func TestViolationsCanBeRead(t *testing.T) {
	_, err := tarry.NewStudy(unitSpace(t), tarry.Options{Budget: -3})
	var violation *tarry.FieldError
	if !errors.As(err, &violation) || violation.Field != "Options.Budget" || violation.Value != any(-3) || violation.Want == "" {
		t.Errorf("%v: %+v", err, violation)
	}
	if !errors.Is(err, tarry.ErrInvalidOption) {
		t.Error(err)
	}
}

func TestAHandlerOfSlogGetsTheLog(t *testing.T) {
	var out bytes.Buffer
	o := tarry.Options{Budget: 6, Name: "logged", Handler: slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug})}
	result := playStudy(t, o)
	messages := map[string]int{}
	for line := range strings.Lines(out.String()) {
		var entry struct {
			Level, Msg, Study string
			Evaluation        int
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Study != "logged" {
			t.Fatalf("%v in %s", err, line)
		}
		messages[entry.Level+" "+entry.Msg]++
	}
	if n := messages["INFO new incumbent"]; n != len(result.Incumbents()) || n+messages["DEBUG feedback arrived"] != 6 || messages["DEBUG policy answered"] == 0 {
		t.Errorf("%v", messages)
	}
	o.Logger = zap.NewNop()
	if _, err := tarry.NewStudy(unitSpace(t), o); !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), "Options.Handler = *slog.JSONHandler: want nil beside Options.Logger") {
		t.Errorf("with a logger besides: %v", err)
	}
}
