package state

import "fmt"

// A list that is read gets room for longestTrusted elements before any was read, and for another one for every bytesTrusted
// bytes that are left: so a length that is made up costs no more than a multiple of the bytes.
const longestTrusted, bytesTrusted = 1 << 10, 64

// Part is a structure in a field.
func Part[T any](v *Visitor, name string, field *T, visit func(*T, *Visitor)) {
	v.enter(name, whole)
	visit(field, v)
	v.leave()
}

// Optional is a structure that a field points to, or nil.
func Optional[T any](v *Visitor, name string, field **T, visit func(*T, *Visitor)) {
	there := *field != nil
	v.Flags(name, &there)
	if v.to == reading {
		if *field = nil; there {
			*field = new(T)
		}
	}
	if *field != nil && !v.failed {
		Part(v, name, *field, visit)
	}
}

// Ints is a slice of whole numbers.
func (v *Visitor) Ints(name string, field *[]int) {
	List(v, name, field, func(n *int, v *Visitor) { Number(v, "", n) })
}

// Floats is a slice of floats.
func (v *Visitor) Floats(name string, field *[]float64) {
	List(v, name, field, func(x *float64, v *Visitor) { v.Float("", x) })
}

// Each are the elements of a slice whose length is known before it is read.
func Each[T any](v *Visitor, name string, field []T, visit func(*T, *Visitor)) {
	n := uint64(len(field))
	if read, reads := v.number(name, n); reads && read != n && !v.failed {
		v.differ(name, fmt.Sprintf("%d elements", read), fmt.Sprintf("%d elements", n))
	}
	for i := 0; i < len(field) && !v.failed; i++ {
		v.enter(name, i)
		visit(&field[i], v)
		v.leave()
	}
}

// Point is Floats for a slice of floats that has a type of its own.
func Point[P ~[]float64](v *Visitor, name string, field *P) {
	List(v, name, field, func(x *float64, v *Visitor) { v.Float("", x) })
}

// Points is a slice of them.
func Points[P ~[]float64](v *Visitor, name string, field *[]P) {
	List(v, name, field, func(x *P, v *Visitor) { Point(v, "", x) })
}

// List is a slice whose elements take a byte or more each.
func List[S ~[]T, T any](v *Visitor, name string, field *S, visit func(*T, *Visitor)) {
	n := uint64(len(*field)) + 1
	if *field == nil && v.to == writing {
		n = 0
	}
	if read, reads := v.number(name, n); reads {
		switch {
		case read > uint64(len(v.bytes))+1:
			v.Fail()
			return
		case v.to == comparing:
			if read = max(read, 1); read != n && !v.failed {
				v.differ(name, fmt.Sprintf("%d elements", read-1), fmt.Sprintf("%d elements", n-1))
			}
		case read == 0:
			*field = nil
		default:
			*field = make([]T, 0, min(int(read-1), longestTrusted+len(v.bytes)/bytesTrusted))
		}
		n = read
	}
	for i := 0; i+1 < int(n) && !v.failed; i++ {
		if v.to == reading {
			var zero T
			*field = append(*field, zero)
		}
		v.enter(name, i)
		visit(&(*field)[i], v)
		v.leave()
	}
}
