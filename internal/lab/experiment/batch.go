package experiment

import "fmt"

func init() {
	add(Experiment{
		Name: "batch", Title: "Batches as fixed delays", Source: "Verma et al. 2022, sec. 4 and Fig. 5",
		About: "Batches of q queries are fixed delays: with a delay of q rounds q − 1 queries are always pending when the next is chosen. The textbook " +
			"batch chooses q one after the other and waits for all of them, so that on average only (q − 1)/2 are pending. Both spend the " +
			"same number of queries in the same time, on the synthetic problem.",
		Rounds: 300,
		Plan:   planBatch,
	})
}

// batchSizes are the sizes q.
var batchSizes = []int{2, 5, 11, 20}

// batchPolicies are the policies that make batches.
var batchPolicies = []string{"ucb-sdf", "ts-sdf", "gp-bucb", "gp-bts", "random"}

func planBatch(in Input) (Plan, error) {
	var arms []Arm
	for _, q := range batchSizes {
		group := fmt.Sprintf("q = %d", q)
		for _, policy := range batchPolicies {
			s := study{problem: named("gp1d"), policy: policy, law: fmt.Sprintf("fixed:%d", q), rounds: in.Rounds, window: strict(q)}
			arms = append(arms, s.arm(group, policy, gp1dInitial, regrets))
			if policy == "random" {
				continue // chooses the same queries either way
			}
			s.policy = fmt.Sprintf("batch:q=%d:of=%s", q, policy)
			arms = append(arms, s.arm(group, policy+", batch", gp1dInitial, regrets))
		}
	}
	return Plan{Arms: arms, Facts: gp1dFacts, Show: func(r Results) []Section { return showBatch(r, in.Rounds) }}, nil
}

func showBatch(r Results, rounds int) []Section {
	sections := r.everyGroup("batch", "Fixed delays and textbook batches", rounds)
	t := Table{Caption: "Textbook batch minus fixed delay, seed by seed: cumulative regret", Head: []string{"method"}}
	t.Head = append(t.Head, r.Groups()...)
	for _, policy := range batchPolicies[:len(batchPolicies)-1] {
		row := []string{policy}
		for _, g := range r.Groups() {
			row = append(row, r.Difference(g, policy+", batch", policy, CumulativeRegret, Last).Signed())
		}
		t.Rows = append(t.Rows, row)
	}
	sections[0].Tables = append(sections[0].Tables, t)
	return sections
}
