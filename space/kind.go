package space

import "fmt"

// Kind is what values a parameter takes.
type Kind int

// The kinds of parameter.
const (
	KindFloat       Kind = iota // a real number in [Low, High], or with a Step one of Low, Low + Step, …
	KindInt                     // a whole number in Low … High, both included, or with a Step one of Low, Low + Step, …
	KindCategorical             // one of Choices; its value is the index of the choice
	KindBool                    // false or true; its value is 0 or 1
	KindOrdered                 // one of the numbers Values, searched by rank; its value is the number
)

var kindNames = [...]string{"float", "int", "categorical", "bool", "ordered"}

// String returns "float", "int", "categorical", "bool" or "ordered".
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}

// truths are the values of a bool.
var truths = []string{"false", "true"}

// Words returns the names of the values where these are words: the choices of a categorical parameter, and false and true
// of a bool. Otherwise it returns nil. The name of the value v is Words()[int(v)]. Do not change the slice.
func (p Parameter) Words() []string {
	switch p.Kind {
	case KindCategorical:
		return p.Choices
	case KindBool:
		return truths
	}
	return nil
}
