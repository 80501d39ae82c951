package safety

import (
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/state"
)

// Account counts what happened under a promise. The zero Account is that of a study that has not begun. Each event is told
// once; an answer to no query, and the loss of none, are bugs and panic.
//
// It counts whatever the caller calls a query: who tells each attempt has the promise for attempts.
type Account struct {
	Started    int // queries in all
	Pending    int // those without an answer, each of which may violate; those known to be safe are none of them
	Lost       int // those of Pending whose answer is not expected any more
	Violations int // those that violated as far as is known, or counted so for their noise
}

// Visit names the fields for bytes, digest and comparison.
func (a *Account) Visit(v *state.Visitor) {
	v.Numbers("Started Pending Lost Violations", &a.Started, &a.Pending, &a.Lost, &a.Violations)
}

// Validate returns what is wrong with an account from elsewhere, all at once, as errors that unwrap to check.ErrInvalidOption.
func (a Account) Validate() error {
	var l check.List
	l.Require(a.Started >= 0, "Account.Started", a.Started, "Started ≥ 0")
	l.Between("Account.Pending", a.Pending, 0, a.Started)
	l.Between("Account.Lost", a.Lost, 0, a.Pending)
	l.Between("Account.Violations", a.Violations, 0, a.Started-a.Pending)
	return l.Err()
}

// Start counts a query whose answer may violate. It counts as a violation until its answer comes.
func (a *Account) Start() { a.Started++; a.Pending++ }

// StartSafe counts a query at a point that is known to be safe: it is none of the pending ones, and its answer need not be told.
// The source counts such queries like all others. Without that the promise holds just as well, since no violation is
// among them, and a study is not held back by answers of which it knows what they say.
func (a *Account) StartSafe() { a.Started++ }

// Answer counts the answer to a query of Start that is not lost.
func (a *Account) Answer(violated bool) {
	if a.Pending <= a.Lost {
		panic("safety: an answer without a query")
	}
	a.Pending--
	if violated {
		a.Violations++
	}
}

// Lose counts a query of Start whose answer is not expected any more. It goes on counting as a violation. One that was never
// performed has violated nothing: that is an answer. Should an answer come after all, it is lost no more: Lost is one less before Answer.
func (a *Account) Lose() {
	if a.Pending <= a.Lost {
		panic("safety: the loss of no query")
	}
	a.Lost++
}

// Contradict counts a violation at a point that was known to be safe: a query of StartSafe. The promise may be broken by it.
// With noise an answer is none as long as the point may be safe: see GuardBand.Contradicts.
func (a *Account) Contradict() { a.Violations++ }

// Counted returns how many violations must be reckoned with: the known ones and all queries without an answer.
func (a Account) Counted() int { return a.Violations + a.Pending }
