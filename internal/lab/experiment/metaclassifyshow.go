package experiment

import (
	"fmt"

	"github.com/tarry-bo/tarry/internal/chart"
)

// showClassify shows accuracies and log probabilities over the number of tasks, and the claims of the source.
func showClassify(r Results) []Section {
	arms := r.Arms(classifyGroup)
	measures := []struct {
		curve, label string
		scale        chart.Scale
	}{{classifyAccuracy, "accuracy, %", chart.Percent}, {classifyLog, "mean log probability of the right label", chart.Linear}}
	drawing := chart.Figure{Title: "Two digits told apart by five examples of each", Note: r.note()}
	section := Section{Title: "New pairs of digits"}
	for _, m := range measures {
		p := chart.Panel{Title: m.label, X: "tasks before", Y: m.label, Scale: m.scale}
		t := Table{Caption: m.label, Head: []string{"method"}}
		for _, n := range classifyTasks {
			t.Head = append(t.Head, fmt.Sprintf("%v tasks", n))
		}
		for _, arm := range arms {
			if y := r.Curve(classifyGroup, arm, m.curve); y != nil {
				p.Curves = append(p.Curves, chart.Curve{Name: arm, Baseline: arm == classifyPlain, X: classifyTasks, Y: y})
			}
			row := []string{arm}
			for i := range classifyTasks {
				row = append(row, r.At(classifyGroup, arm, m.curve, i+1).String())
			}
			t.Rows = append(t.Rows, row)
		}
		drawing.Panels, section.Tables = append(drawing.Panels, p), append(section.Tables, t)
	}
	section.Figures = []Figure{{Name: "meta-classify", Drawing: drawing, Caption: "New pairs of digits, by the number of tasks that were learned on. WFEM has half of them from elsewhere."}}
	return []Section{section, {Title: "What the source claims", Tables: []Table{r.classifyClaims()}}}
}

// classifyClaims has the claims of the source beside what was seen.
func (r Results) classifyClaims() Table {
	t := Table{Caption: "Claims, and differences of the accuracy in percent points", Head: []string{"claim", "tasks", "seen"}}
	lead := func(a, b string, i int) string {
		return r.Difference(classifyGroup, a, b, classifyAccuracy, i+1).Signed()
	}
	for i, n := range classifyTasks {
		t.Rows = append(t.Rows,
			[]string{"ten particles are ahead of MAP (WFEM)", fmt.Sprint(n), lead("WFEM, SVGD", "WFEM, MAP", i)},
			[]string{"with few tasks WFEM is ahead of PACOH on those from here", fmt.Sprint(n), lead("WFEM, SVGD", "PACOH, half of the tasks, SVGD", i)},
			[]string{"WFEM is ahead of a GP that learned nothing", fmt.Sprint(n), lead("WFEM, SVGD", classifyPlain, i)},
		)
	}
	return t
}
