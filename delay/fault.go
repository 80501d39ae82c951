package delay

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// Fault is what goes wrong with one attempt at an evaluation.
type Fault int

// The faults that can be injected.
const (
	None      Fault = iota // nothing
	Drop                   // the answer is lost
	Duplicate              // the answer is delivered twice
	Fail                   // the evaluation fails with a reason
	Stall                  // the worker hangs: neither an answer nor a free slot
)

// kinds names the faults. The order is that of the constants.
var kinds = [...]string{"none", "drop", "duplicate", "fail", "stall"}

// String returns the name that ParseFaults reads, such as "drop".
func (f Fault) String() string {
	if f < 0 || int(f) >= len(kinds) {
		return fmt.Sprintf("Fault(%d)", int(f))
	}
	return kinds[f]
}

// Faults holds the probability of each fault. At most one happens to an attempt. The zero value injects none.
type Faults struct {
	Drop, Duplicate, Fail, Stall float64 // each in [0, 1], their sum at most 1
}

// slack is how far rounding may lift a sum of probabilities above 1.
const slack = 1e-12

// Draw returns the fault of one attempt. It uses one random number whatever the probabilities are, so that two streams
// which start alike stay alike when a probability is changed. The probabilities must pass Validate.
func (f Faults) Draw(stream *rand.Rand) Fault {
	u := stream.Float64()
	var below float64
	for kind := Drop; kind <= Stall; kind++ {
		below += *f.of(kind)
		if u < below {
			return kind
		}
	}
	return None
}

// Validate reports every probability outside [0, 1], and a sum above 1.
func (f Faults) Validate() error {
	var list check.List
	var sum float64
	for kind := Drop; kind <= Stall; kind++ {
		list.Within("faults."+kind.String(), *f.of(kind), 0, 1)
		sum += *f.of(kind)
	}
	if list.Err() == nil {
		list.Require(sum <= 1+slack, "faults", f, "probabilities with a sum ≤ 1")
	}
	return list.Err()
}

// String returns the faults in the grammar of ParseFaults, exactly: parsing it gives equal faults. Faults of
// probability zero are left out; if that leaves nothing, the text is "none".
func (f Faults) String() string {
	var parts []string
	for kind := Drop; kind <= Stall; kind++ {
		if p := *f.of(kind); p != 0 {
			parts = append(parts, kind.String()+":"+strconv.FormatFloat(p, 'g', -1, 64))
		}
	}
	if len(parts) == 0 {
		return None.String()
	}
	return strings.Join(parts, ",")
}

// ParseFaults returns the faults that spec lists, as in "drop:0.1,fail:0.02". The kinds are drop, duplicate, fail and
// stall, in any order, each at most once; "none" and the empty text mean no faults. Probabilities are decimal numbers
// without spaces or a leading plus. Everything else is an error, which names the fault, what was found and the allowed
// range, and unwraps to check.ErrInvalidOption.
func ParseFaults(spec string) (Faults, error) {
	if spec == "" || spec == None.String() {
		return Faults{}, nil
	}
	if len(spec) > MaxSpec {
		return Faults{}, tooLong("faults", spec)
	}
	var faults Faults
	var seen [len(kinds)]bool
	var list check.List
	for part := range strings.SplitSeq(spec, ",") {
		name, text, found := strings.Cut(part, ":")
		kind := kindOf(name)
		if kind == None || !found {
			list.Add("fault", strconv.Quote(part), strings.Join(kinds[1:], ":P, ")+":P with 0 ≤ P ≤ 1, or none alone")
			continue
		}
		list.Require(!seen[kind], "fault", strconv.Quote(part), name+" at most once")
		seen[kind] = true
		*faults.of(kind) = param{name, 0, 1}.read(&list, "faults", text)
	}
	if list.Err() == nil {
		list.Join(faults.Validate())
	}
	if err := list.Err(); err != nil {
		return Faults{}, err
	}
	return faults, nil
}

// kindOf returns the fault of that name, and None for any other name.
func kindOf(name string) Fault {
	for kind := Drop; kind <= Stall; kind++ {
		if kind.String() == name {
			return kind
		}
	}
	return None
}

// of returns where the probability of the fault is kept.
func (f *Faults) of(kind Fault) *float64 {
	return [...]*float64{nil, &f.Drop, &f.Duplicate, &f.Fail, &f.Stall}[kind]
}
