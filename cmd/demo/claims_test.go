package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
)

// module is a folder with a guide and nothing to build.
func module(t *testing.T, guide string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n", "README.md": guide} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const slowClaim = "<!-- claim\nrun: go run ./cmd/demo exp sdf-cnn -seeds 20\ntakes: 2h\n-->\n\n| n | m |\n| --- | --- |\n| 1 | 2 |\n\n<!-- end -->\n"

func TestClaimsAreListedWithTheReasonWhyTheyAreSkipped(t *testing.T) {
	code, out, err := consoletest.Execute(t, demo(), "claims", "-list", "-root", module(t, slowClaim))
	if code != console.ExitOK || err != "" {
		t.Errorf("exit code %d, %s", code, err)
	}
	consoletest.Contains(t, out, "README.md:1", "2h", "takes 2h", "go run ./cmd/demo exp sdf-cnn -seeds 20")
	code, out, _ = consoletest.Execute(t, demo(), "claims", "-root", module(t, slowClaim))
	if code != console.ExitOK {
		t.Errorf("exit code %d", code)
	}
	consoletest.Contains(t, out, "skipped: ", "README.md:1  go run ./cmd/demo exp sdf-cnn -seeds 20: takes 2h", "0 claims measured", "1 skipped")
}

func TestAPatternThatIsInNoClaimIsRefused(t *testing.T) {
	dir := module(t, slowClaim)
	for _, list := range [][]string{nil, {"-list"}} {
		code, out, err := consoletest.Execute(t, demo(), append([]string{"claims", "-root", dir, "-only", "zzz"}, list...)...)
		if code != console.ExitUsage || out != "" {
			t.Errorf("exit code %d, %s", code, out)
		}
		consoletest.Contains(t, err, "-only = zzz: want a pattern that is found in FILE:LINE or in the command of one of 1 claim (-list", "demo help claims")
		if code, _, err := consoletest.Execute(t, demo(), append([]string{"claims", "-root", dir, "-only", "README"}, list...)...); code != console.ExitOK {
			t.Errorf("exit code %d: %s", code, err)
		}
	}
}

func TestAClaimWhoseCommandFailsFails(t *testing.T) {
	guide := "<!-- claim\nrun: go test ./none -bench .\ntakes: 1s\n-->\n\n| n | m |\n| --- | --- |\n| 1 | 2 |\n\n<!-- end -->\n"
	code, out, err := consoletest.Execute(t, demo(), "claims", "-root", module(t, guide))
	if code != console.ExitFailure {
		t.Errorf("exit code %d", code)
	}
	consoletest.Contains(t, out, "README.md:1  go test ./none -bench .", "failed: ")
	consoletest.Contains(t, err, "1 claim not as it stands")
}

func TestWrongFlagsOfClaimsAreAllReported(t *testing.T) {
	code, _, err := consoletest.Execute(t, demo(), "claims", "-root", t.TempDir(), "-only", "(", "-list", "-write", "-data", filepath.Join(t.TempDir(), "none"))
	if code != console.ExitUsage {
		t.Errorf("exit code %d", code)
	}
	consoletest.Contains(t, err, "-root", "-only", "-data", "-write", "demo help claims")
	_, out, _ := consoletest.Execute(t, demo(), "help", "claims")
	consoletest.Contains(t, out, "-slow", "-only", "-data", "-list", "-write")
}
