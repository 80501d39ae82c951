package experiment

import "github.com/tarry-bo/tarry/internal/stat"

// apart is how much greater a curve of an arm is at one place than that of another arm at another, seed by seed.
func (r Results) apart(group, curve, arm string, k int, other string, l int) stat.Estimate {
	var apart []float64
	others := r.curves(group, other, curve)
	for i, c := range r.curves(group, arm, curve) {
		v, ok := at(c, k)
		w, also := at(others[i], l)
		if ok && also {
			apart = append(apart, v-w)
		}
	}
	return stat.Of(apart)
}

// pairedOffers compares hearing of reports with waiting.
func (r Results) pairedOffers(half int) Table {
	t := Table{Caption: "Offers, with reports minus waiting for seven days, seed by seed", Head: []string{"regret", "after " + whole(half), "after all"}}
	for _, m := range []measure{shownRegret, offeredRegret} {
		t.Rows = append(t.Rows, []string{m.curve, r.apart(conversionGroup, m.curve, armReports, half, armWaits, half).Signed(), r.apart(conversionGroup, m.curve, armReports, Last, armWaits, Last).Signed()})
	}
	return t
}

// pairedTrainings compares ending early after some epochs with training to the end after as many, and after all.
func (r Results) pairedTrainings(group string) Table {
	t := Table{Caption: group + ": accuracy minus that of training to the end, seed by seed", Head: []string{"method", "half of the epochs, both", "half, and all to the end", "three quarters, and all to the end", "all, both"}}
	for _, chance := range earlyChances {
		arm, row := endedAt(chance), []string{endedAt(chance)}
		for _, k := range [][2]int{{epochShares / 2, epochShares / 2}, {epochShares / 2, Last}, {3 * epochShares / 4, Last}, {Last, Last}} {
			row = append(row, r.apart(group, epochAccuracy.curve, arm, k[0], armToTheEnd, k[1]).Signed())
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
