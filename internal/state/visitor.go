package state

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
)

// ErrBroken says that bytes are not those of a state with this list of fields.
var ErrBroken = errors.New("broken structure")

// direction is what a visitor does with the fields.
type direction int

const (
	writing direction = iota
	reading
	comparing // with what is read
	hashing
	marking // for tests
	nothing // with fields that a digest leaves out
)

// Visitor goes over the fields of a state. One is handed to the list by Bytes, Read, Digest, Difference and Marks.
type Visitor struct {
	to     direction
	bytes  []byte // written so far, or left to be read
	sum    uint64
	path   []step   // the structures that are open
	where  string   // the first difference
	failed bool     // the bytes are not those of such a state, or a difference was found: the rest is left as it is
	aside  *Visitor // what goes over the fields that a digest leaves out
	marks  *[]Mark
	why    string // why a digest leaves out what is visited now
}

// step is a field on the way to those that are visited, or an element of it.
type step struct {
	name  string
	index int // of the element; whole where it is the field itself
}

const whole = -1

// Bytes appends the fields to bytes that are there.
func Bytes(to []byte, visit func(*Visitor)) []byte {
	v := Visitor{to: writing, bytes: to}
	visit(&v)
	return v.bytes
}

// Read sets the fields to what Bytes wrote. After an error, which wraps ErrBroken, any of them may be set. Floats come back to
// the bit, a slice as nil if it was.
func Read(bytes []byte, visit func(*Visitor)) error {
	v := Visitor{to: reading, bytes: bytes}
	visit(&v)
	if v.failed || len(v.bytes) > 0 {
		return ErrBroken
	}
	return nil
}

// Digest returns 64 bits that are nearly always different where a field is. A slice that is nil counts as empty. Cost some two
// nanoseconds for each number.
func Digest(visit func(*Visitor)) uint64 {
	v := Visitor{to: hashing, aside: &Visitor{to: nothing}}
	visit(&v)
	v.mix(0)
	return v.sum
}

// Difference returns where a state differs from another with the same list, and how: "queue.waiting[3].at: 5s, 6s"; "" where they
// do not. Floats differ if their bits do; a slice that is nil does not from an empty one. It costs the bytes of one state.
func Difference(one, other func(*Visitor)) string {
	v := Visitor{to: comparing, bytes: Bytes(nil, one)}
	other(&v)
	if !v.failed && len(v.bytes) > 0 {
		return "one has more fields"
	}
	return v.where
}

// Mark says of a field that it is left out.
type Mark struct {
	Path string // "queue.longest"
	Of   Kind
	Why  string
}

// Kind is from what a field is left out.
type Kind int

// The kinds of mark.
const (
	Rebuilt  Kind = iota // not written: it follows from what is, and is the same again
	Anew                 // not written: it starts anew, and nothing that is said or done depends on it
	Unhashed             // written, but not in the digest
)

// Marks returns what a list leaves out, for tests that go over all fields.
func Marks(visit func(*Visitor)) (marks []Mark) {
	visit(&Visitor{to: marking, marks: &marks})
	return marks
}

// Rebuilt names fields of the open structure that are not written, since they follow from what is.
func (v *Visitor) Rebuilt(why string, names ...string) { v.mark(Rebuilt, why, names) }

// Anew names fields of the open structure that are not written, since they start anew where a state is restored.
func (v *Visitor) Anew(why string, names ...string) { v.mark(Anew, why, names) }

// Unhashed returns the visitor for fields that are written but not in the digest.
func (v *Visitor) Unhashed(why string) *Visitor {
	switch v.to {
	case hashing:
		return v.aside
	case marking:
		aside := *v
		aside.why = why
		return &aside
	}
	return v
}

// Reading reports whether the fields are being set.
func (v *Visitor) Reading() bool { return v.to == reading }

// Fail says that what was read cannot be.
func (v *Visitor) Fail() { v.bytes, v.failed = nil, true }

func (v *Visitor) mark(of Kind, why string, names []string) {
	if v.to != marking {
		return
	}
	for _, name := range names {
		*v.marks = append(*v.marks, Mark{v.at(name), of, why})
	}
}

// names reports whether somebody wants to know the names.
func (v *Visitor) names() bool { return v.to == comparing || v.to == marking }

// leaf notes a field that a digest leaves out.
func (v *Visitor) leaf(name string) {
	if v.why != "" {
		v.mark(Unhashed, v.why, strings.Fields(name))
	}
}

// take sets a field to what was read, or compares it.
func take[T any](v *Visitor, name string, field *T, read T, same bool) {
	switch {
	case v.failed:
	case v.to == reading:
		*field = read
	case !same:
		v.differ(name, read, *field)
	}
}

func (v *Visitor) differ(name string, one, other any) {
	v.where = fmt.Sprintf("%s: %v, %v", v.at(name), one, other)
	v.Fail()
}

// at is the path of a field of the open structure; of an element where it has no name.
func (v *Visitor) at(name string) string {
	var out strings.Builder
	for _, s := range append(v.path[:len(v.path):len(v.path)], step{name, whole}) {
		if out.Len() > 0 && s.name != "" {
			out.WriteByte('.')
		}
		out.WriteString(s.name)
		if s.index != whole {
			fmt.Fprintf(&out, "[%d]", s.index)
		}
	}
	return out.String()
}

func (v *Visitor) enter(name string, index int) { v.path = append(v.path, step{name, index}) }
func (v *Visitor) leave()                       { v.path = v.path[:len(v.path)-1] }

// mix folds the 128 bits of a product (as in wyhash of Wang Yi).
func (v *Visitor) mix(word uint64) {
	high, low := bits.Mul64(v.sum^word^0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	v.sum = high ^ low
}
