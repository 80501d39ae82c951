// Package safety keeps a promise about constraints that may be violated while a study runs: among T queries fewer than
// T·α violate, whatever the constraints are and however wrong the model of them is.
//
// A Promise is what the user asks for and an Account is what happened so far. Both are plain data: the account is four
// counters, and each event costs O(1). Together they say how cautious the next query must be:
//
//	promise := safety.Promise{Alpha: 0.1, Queries: 50}
//	var account safety.Account
//	beta := promise.Beta(account) // 0 at first; infinite: only points that are known to be safe
//	account.Start()               // a query whose answer may violate; it counts as a violation until then
//	account.Answer(false)         // it did not
//	fmt.Println(promise.Report(account).Why)
//
// A Region says which of a list of candidates are safe at that caution, which of them may be the best and which may
// show that more is safe, and where to query next (SafeOpt). A GuardBand says by how much an answer with noise must be on the
// safe side so as not to count as a violation.
//
// Several constraints are one: a query violates if any of them is violated.
//
// The package is pure. Sources: Zhang 2024, chapter 6 (D-SAFE-BOCP, P-SAFE-BOCP); Sui et al. 2015 (SafeOpt). Where it
// deviates from them the comments say so and why.
package safety
