package fidelity

import (
	"math/cmplx"
	"testing"
)

func TestWhoIsNearABaseStationDisturbsWhoIsFarFromIt(t *testing.T) {
	edges := UplinkInterference(3, 0, 1.8)
	layout, _ := uplinkTask(3, 0)
	within, across := 0, 0
	for i := range users {
		for j := range users {
			d := cmplx.Abs(layout.users[i] - bases[j/cellUsers])
			own := cmplx.Abs(layout.users[j] - bases[j/cellUsers])
			if want := i != j && d/own < 1.8; edges[i][j] != want {
				t.Errorf("users %d and %d, %v and %v m away: %v", i, j, d, own, edges[i][j])
			}
			if edges[i][j] && i/cellUsers == j/cellUsers {
				within++
			} else if edges[i][j] {
				across++
			}
		}
	}
	if within == 0 || across == 0 || within <= across {
		t.Errorf("%d edges within the cells, %d across", within, across)
	}
	far := UplinkInterference(3, 0, 100)
	for i := range far {
		for j := range far {
			if far[i][j] != (i != j) {
				t.Errorf("with any distance users %d and %d: %v", i, j, far[i][j])
			}
		}
	}
}
