package actors

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

var workCounted = flag.Int("work-counted", 0, "evaluations of the study whose work is counted, in a process of its own")

// The work of an evaluation is the same after a hundred thousand of them as after one thousand: what grew with the study would
// be a hundred times as much. It is counted in statements of these rooms and in bytes that are allocated, not in time.
func TestTheWorkOfAnEvaluationDoesNotGrow(t *testing.T) {
	if *workCounted > 0 {
		fmt.Printf("allocated %.0f\n", allocatedBy(t, *workCounted))
		return
	}
	if raced { // the program would be built with most of the library: bytes are counted here, statements without the detector
		allocated, manyAllocated := allocatedBy(t, 1000)/1000, allocatedBy(t, 10_000)/10_000
		t.Logf("per evaluation: %.0f bytes of 1000, %.0f of 10 000", allocated, manyAllocated)
		if allocated < 100 || manyAllocated > 2*allocated {
			t.Error("an evaluation of a long study allocates more than one of a short study")
		}
		return
	}
	if testing.Short() {
		t.Skip("it builds a program of its own")
	}
	binary := filepath.Join(t.TempDir(), "counted")
	build := exec.Command("go", "test", "-c", "-o", binary, "-covermode", "atomic", "-coverpkg", strings.Join([]string{
		"slices", "github.com/tarry-bo/tarry/actors", "github.com/tarry-bo/tarry/feedback", "github.com/tarry-bo/tarry/journal",
		"github.com/tarry-bo/tarry/loop", "github.com/tarry-bo/tarry/policies", "github.com/tarry-bo/tarry/space", "github.com/tarry-bo/tarry/workers",
	}, ","), ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build, err, out)
	}
	statements, allocated := workOf(t, binary, 1000)
	manyStatements, manyAllocated := workOf(t, binary, 100_000)
	t.Logf("per evaluation: %.0f statements and %.0f bytes of 1000, %.0f and %.0f of 100 000", statements, allocated, manyStatements, manyAllocated)
	if statements < 100 || allocated < 100 {
		t.Fatal("nothing was counted")
	}
	if manyStatements > 1.5*statements || manyAllocated > 2*allocated {
		t.Error("an evaluation of a long study is more work than one of a short study")
	}
}

// allocatedBy plays a study of so many evaluations and returns the bytes that it allocated.
func allocatedBy(t *testing.T, evaluations int) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	runStudy(t, trivialStudy(t, "random", 64, evaluations))
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// workOf returns statements and bytes for each evaluation.
func workOf(t *testing.T, binary string, evaluations int) (statements, allocated float64) {
	t.Helper()
	profile := filepath.Join(t.TempDir(), "profile")
	run := exec.Command(binary, "-test.run", "^"+t.Name()+"$", "-test.coverprofile", profile, "-work-counted", strconv.Itoa(evaluations))
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", run, err, out)
	}
	_, after, found := strings.Cut(string(out), "allocated ")
	if _, err := fmt.Sscan(after, &allocated); err != nil || !found {
		t.Fatalf("%v printed %s", run, out)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() { // file:from,to statements count
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			continue
		}
		size, _ := strconv.ParseFloat(fields[1], 64)
		count, _ := strconv.ParseFloat(fields[2], 64)
		statements += size * count
	}
	return statements / float64(evaluations), allocated / float64(evaluations)
}
