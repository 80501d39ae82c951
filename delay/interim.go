package delay

import "time"

// Interim is a value that an evaluation reports on its way to the end.
type Interim struct {
	Share float64 // of the delay that has passed by then, 0 … 1
	Step  float64 // an epoch, an age: whatever grows
	Value float64
}

// After returns when the report of an attempt comes, since that began, where its answer takes wait: one nanosecond for each evaluation and
// a microsecond for each attempt keep equal ones apart, as Staggered does; and always before the answer, if that takes any time.
func (i Interim) After(wait time.Duration, evaluation, attempt int) time.Duration {
	share := time.Duration(min(max(i.Share, 0), 1) * float64(wait))
	return max(min(share+Staggered(0, time.Second, evaluation, attempt), wait-1), 0)
}
