package delay

import "time"

// Interim is a value that an evaluation reports on its way to the end.
type Interim struct {
	Share float64 // of the delay that has passed by then, 0 … 1
	Step  float64 // an epoch, an age: whatever grows
	Value float64
}

// After returns when the report comes, since the evaluation began, where the answer takes wait.
func (i Interim) After(wait time.Duration) time.Duration {
	return time.Duration(min(max(i.Share, 0), 1) * float64(wait))
}
