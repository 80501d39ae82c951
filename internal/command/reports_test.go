//go:build linux || darwin

package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// reported runs a script and returns what it reported.
func reported(t *testing.T, r *Runner, then func(cancel context.CancelFunc)) (all []string, o Report, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	o, err = r.RunReporting(ctx, 1, 1, point, func(step, value float64) {
		if all = append(all, fmt.Sprint(step, " ", value)); then != nil {
			then(cancel)
		}
	})
	return all, o, err
}

func TestACommandReportsInOrderBeforeItsValue(t *testing.T) {
	t.Parallel()
	r := shell(t, `echo '{"report":0.5,"step":1}'; printf '{"report":1e-3,'; echo '"step":2.5,"note":"x"}'; echo '{"step":3}'; echo '{"report":4}'
		echo '{"report":NaN,"step":1}'; echo '{"report":"0.1","step":1}'; echo '{"report":null,"step":1}'; echo 'report 0.1'; echo '[{"report":1,"step":1}]'
		echo '{"report":2,"step":4,"value":7}'; echo '{"report":3,"step":-Infinity}'; echo '{"report":9,"step":9}`+strings.Repeat(" ", maxReportLine)+`'; printf '{"report":5,"step":6}'; exec >&-; exit 0`)
	all, o, err := reported(t, r, nil)
	if want := []string{"1 0.5", "2.5 0.001", "1 NaN", "-Inf 3"}; !slices.Equal(all, want) {
		t.Errorf("reports %v, want %v", all, want)
	}
	if err != nil || o.Value != 7 {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestACommandThatIsEndedAtAReportIsGone(t *testing.T) {
	t.Parallel()
	r := shell(t, `echo '{"report":1,"step":1}'; sleep 1000; echo 3`)
	all, _, err := reported(t, r, func(cancel context.CancelFunc) { cancel() })
	if len(all) != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("reports %v, %v", all, err)
	}
}

// What is kept of the output does not decide what was reported.
func TestReportsAreHeardThatAreCutOutOfTheOutput(t *testing.T) {
	t.Parallel()
	r := shell(t, `i=0; while [ $i -lt 4000 ]; do i=$((i+1)); echo "{\"report\":$i,\"step\":$i, \"much\": \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}"; done; echo 1`)
	r.MaxOutput = minOutput
	all, o, err := reported(t, r, nil)
	if err != nil || o.Value != 1 || len(all) != 4000 || all[3999] != "4000 4000" {
		t.Errorf("%d reports, %+v, %v", len(all), o, err)
	}
}

// A command may put anything in the place of the file.
func TestAPlantedFileOfReportsIsNotRead(t *testing.T) {
	t.Parallel()
	r := shell(t, `mkfifo "$TARRY_LOG_DIR/reports"; echo '{"report":1,"step":1}'; echo 2`)
	if all, o, err := reported(t, r, nil); len(all) != 0 || err != nil || o.Value != 2 {
		t.Errorf("reports %v, %+v, %v", all, o, err)
	}
}

func TestTheFileOfReportsIsBounded(t *testing.T) {
	c := clerk{path: t.TempDir() + "/reports"}
	line := []byte(`{"report":0.123456789012345678,"step":123456789012345}` + "\n")
	for range 2 * maxReports / 30 {
		_, _ = c.Write(line)
	}
	c.close()
	if info, err := os.Stat(c.path); err != nil || info.Size() > maxReports || info.Size() < maxReports-100 {
		t.Errorf("%+v, %v", info, err)
	}
}
