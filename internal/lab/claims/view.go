package claims

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/tarry-bo/tarry/internal/lab/console"
)

// View is where and how results are shown.
type View struct {
	W     io.Writer
	All   bool // also the figures that agree
	Write bool // what was measured is put into the files

	told, differ, faster int
	mended               int // of those that differ, by writing
	skipped              []Result
}

// Show measures claims and prints each result as it comes. It fails when a figure that does not depend on the machine is another one
// and was not written, or could not be measured.
func Show(ctx context.Context, all []Claim, o Options, v View) error {
	err := Measure(ctx, all, o, v.tell)
	v.summary()
	if err != nil {
		return console.Interrupted{State: fmt.Sprintf("%d of %s are above", v.told, console.Plural(len(all), "claim"))}
	}
	if left := v.differ - v.mended; left > 0 {
		return fmt.Errorf("%s not as it stands", console.Plural(left, "claim"))
	}
	return nil
}

// tell prints one result.
func (v *View) tell(r Result) {
	v.told++
	if r.Skipped != "" {
		v.skipped = append(v.skipped, r)
		return
	}
	if r.Differs() {
		v.differ++
	}
	fmt.Fprintf(v.W, "%s  %s", r.Claim.Where(), r.Claim.Run)
	if r.Took > 0 {
		fmt.Fprintf(v.W, "  (%v)", r.Took.Round(100*time.Millisecond))
	}
	fmt.Fprintln(v.W)
	if r.Err != nil {
		fmt.Fprintf(v.W, "  failed: %v\n\n", r.Err)
		return
	}
	t := console.NewTable()
	t.AppendHeader(table.Row{"line", "figure", "stands", "measured", ""})
	agree := 0
	for _, f := range r.Findings {
		if f.Agrees {
			agree++
		}
		if !f.Agrees || v.All || f.Speed > 0 {
			t.AppendRow(table.Row{f.Line, f.What, f.Stands, f.Measured, v.verdict(f)})
		}
	}
	if t.Length() > 0 {
		fmt.Fprintln(v.W, t.Render())
	}
	fmt.Fprintf(v.W, "  %d of %s as measured", agree, console.Plural(len(r.Findings), "figure"))
	if lines := r.Claim.Conclusions(); agree < len(r.Findings) && len(lines) > 0 {
		fmt.Fprintf(v.W, "; figures in words, to be read again: lines %v", lines)
	}
	fmt.Fprintln(v.W)
	if v.Write {
		v.put(r)
	}
	fmt.Fprintln(v.W)
}

// put writes what was measured into the file of the claim.
func (v *View) put(r Result) {
	n, err := r.Write()
	if err != nil {
		fmt.Fprintf(v.W, "  not written: %v\n", err)
		return
	}
	differ := 0
	for _, f := range r.Findings {
		if !f.Agrees && f.Speed == 0 {
			differ++
		}
	}
	if differ == 0 {
		return
	}
	if n == differ {
		v.mended++
	}
	fmt.Fprintf(v.W, "  %d of %s that differ written\n", n, console.Plural(differ, "figure"))
}

// verdict marks a figure that is not as it stands.
func (v *View) verdict(f Finding) string {
	switch {
	case f.Err != nil:
		return f.Err.Error()
	case f.Agrees:
		return ""
	case f.Speed > 0:
		v.faster++
		return fmt.Sprintf("by more than a factor of %s", console.Short(f.Speed))
	}
	return "differs"
}

// summary ends the output.
func (v *View) summary() {
	for _, r := range v.skipped {
		if r.Skipped != NotAsked {
			fmt.Fprintf(v.W, "skipped: %s  %s: %s\n", r.Claim.Where(), r.Claim.Run, r.Skipped)
		}
	}
	fmt.Fprintf(v.W, "%s measured, %d of them not as it stands, %s out of range; %d skipped\n",
		console.Plural(v.told-len(v.skipped), "claim"), v.differ, console.Plural(v.faster, "time"), len(v.skipped))
}
