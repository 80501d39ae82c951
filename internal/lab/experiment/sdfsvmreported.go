package experiment

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/internal/stat"
)

// beside reads the curves of the authors from the file of that name in the folder of another; none where there is none.
func beside(file, name string) ([]data.ReportedCurve, error) {
	curves, err := data.ReadCurves(filepath.Join(filepath.Dir(file), name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return curves, err
}

// reportedSettings are the authors' names of the settings, by ours.
var reportedSettings = map[string]string{
	"Poisson(10), m = 20, " + linearScales: "stoch_mu10_m20",
	"always 10, m = 10, " + linearScales:   "fixed_delay10",
}

// cornerReported is the accuracy at the corner of the box on the split of the authors, in percent: 176 of 231 rows.
const cornerReported = 100 * 176. / 231

// showReported puts the authors' own curves beside ours.
func (d svmData) showReported(r Results) []Section {
	if len(d.reported) == 0 {
		return nil
	}
	s := Section{Title: "Beside the authors' own runs", Text: []string{d.cornerText(r)}}
	for _, g := range r.Groups() {
		setting, ok := reportedSettings[g]
		if !ok {
			continue
		}
		figure := chart.Figure{Title: "Ours beside the authors': " + g, Note: r.note(), Columns: 3}
		t := Table{
			Caption: g + ": accuracy of the best configuration known after 100 queries, %",
			Head:    []string{"method", "ours", "the authors'", "difference", "in standard errors", "ours minus our corner", "theirs minus their corner"},
		}
		for _, c := range d.reported {
			policy := policyNames[c.Method]
			ours := r.Curve(g, policy, Accuracy)
			if c.Setting != setting || len(ours) == 0 {
				continue
			}
			theirs := reportedEstimates(c)
			figure.Note = fmt.Sprintf("%s, %d runs of theirs", r.note(), c.Runs)
			figure.Panels = append(figure.Panels, chart.Panel{Title: policy, X: queriesLabel, Y: accuracy.label, Scale: accuracy.scale, Steps: true, Curves: []chart.Curve{
				{Name: "ours", Y: ours}, {Name: "the authors'", Y: theirs[min(1, len(theirs)):]},
			}})
			t.Rows = append(t.Rows, reportedRow(r, g, policy, ours, theirs))
		}
		name := "sdf-svm-reported-" + setting
		s.Figures = append(s.Figures, Figure{Name: name, Drawing: figure, Caption: figure.Title + "."})
		s.Tables = append(s.Tables, t)
	}
	return []Section{s}
}

// reportedEstimates are the authors' curve in percent, iteration 0 first.
func reportedEstimates(c data.ReportedCurve) []stat.Estimate {
	out := make([]stat.Estimate, len(c.Mean))
	for i := range out {
		out[i] = stat.Estimate{N: c.Runs, Mean: 100 * c.Mean[i], SE: 100 * c.SE[i]}
	}
	return out
}

func reportedRow(r Results, group, method string, ours, theirs []stat.Estimate) []string {
	const last = 100 // queries
	row := []string{method, stat.Unknown, stat.Unknown, stat.Unknown, stat.Unknown, stat.Unknown, stat.Unknown}
	if len(theirs) <= last {
		return row
	}
	they := theirs[last]
	row[2], row[6] = they.String(), fmt.Sprintf("%+.2f ± %.2f", they.Mean-cornerReported, they.SE)
	if len(ours) < last {
		return row
	}
	we := ours[last-1]
	difference := stat.Estimate{N: min(we.N, they.N), Mean: we.Mean - they.Mean, SE: math.Hypot(we.SE, they.SE)}
	row[1], row[3] = we.String(), difference.Signed()
	if ratio := difference.Mean / difference.SE; !math.IsNaN(ratio) && !math.IsInf(ratio, 0) {
		row[4] = fmt.Sprintf("%+.1f", ratio)
	}
	var overCorner []float64
	for i, v := range r.Values(group, method, Accuracy, last) {
		overCorner = append(overCorner, v-r.Values(group, method, corner, 1)[i])
	}
	row[5] = stat.Of(overCorner).Signed()
	return row
}

// cornerText says what the split is worth.
func (d svmData) cornerText(r Results) string {
	group := r.Groups()[0]
	ours := r.At(group, r.Arms(group)[0], corner, 1)
	return fmt.Sprintf("Anything above the constant classifier needs gamma at the very bottom of its linear range. The corner with the largest C and the smallest "+
		"gamma alone gives %.2f %% on the authors' split of the data and %v %% on ours, a split for each seed. The authors' split is not known, "+
		"so differences of that size are those of the splits; the last two columns take each split's own corner off.", cornerReported, ours)
}
