package safety_test

import (
	"fmt"

	"github.com/tarry-bo/tarry/safety"
)

func Example() {
	promise := safety.Promise{Alpha: 0.1, Queries: 50} // fewer than 5 of 50 queries violate
	var account safety.Account
	fmt.Println("caution of the first query:", promise.Beta(account))

	account.Start() // its answer may violate, and counts as a violation until it comes
	report := promise.Report(account)
	fmt.Println("while it pends:", report.Beta, "with room for", report.Left)
	fmt.Println(report.Why)

	account.Answer(false) // it did not
	fmt.Println("afterwards:", promise.Beta(account), "with room for", promise.Report(account).Left)

	// Output:
	// caution of the first query: 0
	// while it pends: infinite with room for 3
	// only points that are known to be safe are queried for now: of 4 violations allowed 0 are known, and 1 may be among the queries without an answer (0 lost), and the 3 left are for later, since delta is 1.857 and not below 1 (each query lowers it by 0.1429, each answer that a point is safe lowers it by 2)
	// afterwards: 0 with room for 4
}
