package fidelity

import "math/cmplx"

// UplinkInterference returns which users of the tasks of Uplink disturb which others (Zhang 2024, sec. 4.4): user i disturbs user j where the
// distance from i to the base station of j is less than threshold times that of j itself, both along the ground. The source says more
// than, which would mean that who is far away disturbs most.
func UplinkInterference(seed uint64, task int, threshold float64) [][]bool {
	layout, _ := uplinkTask(seed, task)
	out := make([][]bool, users)
	for i := range out {
		out[i] = make([]bool, users)
		for j := range out[i] {
			base := bases[j/cellUsers]
			out[i][j] = i != j && cmplx.Abs(layout.users[i]-base) < threshold*cmplx.Abs(layout.users[j]-base)
		}
	}
	return out
}
