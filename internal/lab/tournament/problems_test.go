package tournament

import (
	"fmt"
	"testing"
	"time"
)

func TestTimes(t *testing.T) {
	ps, _, err := Problems("/work/shared/data/tst-svm")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		b := time.Now()
		w, err := p.world(1)
		if err != nil {
			t.Fatal(p.Name, err)
		}
		fmt.Printf("%-20s %-9s %-8s d=%d max %.6g sd %.4g low %.4g unit %.4g  %v\n", p.Name, p.Family, p.Half, w.problem.Space.Dim(), w.problem.Maximum, w.spread.Stddev, w.spread.Low, w.unit, time.Since(b).Round(time.Millisecond))
		if len(w.problem.Maximizers) > 0 {
			if v := w.problem.Value(w.problem.Maximizers[0]); v != w.problem.Maximum {
				fmt.Println("   at maximizer", v)
			}
		}
	}
}
