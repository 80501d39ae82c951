package experiment

import (
	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/sim/fidelity"
)

var levelledShare = measure{levelledMeasure, "share of the optimum, %", chart.Linear, true}

func init() {
	add(Experiment{
		Name: "mf-radio", Title: "Uplink power control by samples of the fading", Source: "Zhang 2024, ch. 5; the network is a look-alike",
		About: "Each seed draws users of three cells; 912 settings of the power control, judged by 30 times the geometric mean of the rates. The fidelity is the " +
			"number of samples of the fading, 10, 20, 50 or 100, which is its cost; the budget is 2000, the noise has a variance of 0.83.",
		Rounds: levelledRounds, Unit: levelledUnit,
		Plan: func(in Input) (Plan, error) {
			draw := func(seed uint64, task int) (fidelity.Problem, error) { return fidelity.FairUplink(seed, task), nil }
			share := func(value, optimum float64) float64 { return 100 * value / optimum }
			return planLevelled(in, []family{{draw: draw, judged: share, shown: levelledShare}}, levelledPaces, "Uplink power control by samples of the fading",
				sequence{family: family{draw: draw, judged: share, shown: levelledShare}, tasks: 6, arms: sequenceArms(1.6, 5)}), nil
		},
	})
}
