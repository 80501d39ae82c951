// Package model is what is believed of the outputs of a study: what is measured at its points, the objective first, then the margins of
// constraints, later more objectives. The points are those of the queries, the same for all. An output has its own values, units,
// floor, prior and fits; a belief is an output seen in one of the ways in which a query without an answer can be seen (censored,
// hallucinated, ignored), with its own rows, targets, algebra and posterior. A policy may want several beliefs at once.
//
//	m := model.New(model.Config{
//		Space: s, Active: 2500, Most: 100,
//		Outputs: []model.Spec{{Prior: prior}},
//		Beliefs: []model.Want{{Pending: feedback.Hallucinate}, {Pending: feedback.Ignore}},
//	})
//	m.Open(1, 1, 0, x)                          // a query at x, the first
//	m.Reveal(model.Objective, 1, 0.7, 3, 0)     // its value, which the third selection can see
//	m.Sync()                                    // an ask begins: rows, targets and units
//	beliefs, trouble := m.Plan().Think()        // the algebra, anywhere
//
// The state changes with the events of a study and with Sync, never with the algebra: when that was done leaves no trace in its
// bits. The package is pure.
package model
