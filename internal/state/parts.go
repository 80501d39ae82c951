package state

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A list that is read gets room for longestTrusted elements before any was read, and for another one for every bytesTrusted
// bytes that are left: so a length that is made up costs no more than a multiple of the bytes.
const longestTrusted, bytesTrusted = 1 << 10, 64

// Part is a structure in a field.
func Part[T any](v *Visitor, name string, field *T, visit func(*T, *Visitor)) {
	if v.to == nothing {
		return
	}
	v.enter(name, whole)
	visit(field, v)
	v.leave()
}

// Optional is a structure that a field points to, or nil.
func Optional[T any](v *Visitor, name string, field **T, visit func(*T, *Visitor)) {
	var there uint64
	if *field != nil {
		there = 1
	}
	switch v.to {
	case writing:
		v.bytes = append(v.bytes, byte(there))
	case hashing:
		v.mix(there)
	case reading:
		switch *field = nil; v.uvarint() {
		case 0:
		case 1:
			*field = new(T)
		default:
			v.Fail()
		}
	case comparing:
		if read := v.uvarint(); read != there && !v.failed {
			v.differ(name, read, there)
		}
	case marking:
		v.leaf(name)
	}
	if *field != nil {
		Part(v, name, *field, visit)
	}
}

// List is a slice whose elements take a byte or more each.
func List[T any](v *Visitor, name string, field *[]T, visit func(*T, *Visitor)) {
	n := v.length(name, len(*field), *field == nil)
	if v.to == reading {
		if *field = nil; n < 0 {
			return
		}
		*field = make([]T, 0, min(n, longestTrusted+len(v.bytes)/bytesTrusted))
	}
	for i := 0; i < n && !v.failed; i++ {
		if v.to == reading {
			var zero T
			*field = append(*field, zero)
		}
		v.enter(name, i)
		visit(&(*field)[i], v)
		v.leave()
	}
}

// Points is a slice of points.
func (v *Visitor) Points(name string, field *[][]float64) {
	List(v, name, field, func(x *[]float64, v *Visitor) { v.Floats("", x) })
}

// Ints is a slice of whole numbers.
func (v *Visitor) Ints(name string, field *[]int) {
	n := v.length(name, len(*field), *field == nil)
	if v.to == reading {
		if *field = nil; n < 0 {
			return
		}
		*field = make([]int, n)
	}
	for i := 0; i < n && !v.failed; i++ {
		v.enter(name, i)
		Number(v, "", &(*field)[i])
		v.leave()
	}
}

// Floats is a slice of floats.
func (v *Visitor) Floats(name string, field *[]float64) {
	n := v.length(name, len(*field), *field == nil)
	switch v.to {
	case writing:
		for _, x := range *field {
			v.bytes = binary.LittleEndian.AppendUint64(v.bytes, math.Float64bits(x))
		}
	case hashing:
		for _, x := range *field {
			v.mix(math.Float64bits(x))
		}
	case reading:
		*field = nil
		if 8*n > len(v.bytes) {
			v.Fail()
		} else if n >= 0 {
			*field = make([]float64, n)
		}
		for i := range *field {
			(*field)[i] = v.float()
		}
	case comparing:
		for i := 0; i < n && !v.failed; i++ {
			v.enter(name, i)
			v.Float("", &(*field)[i])
			v.leave()
		}
	}
}

// length goes over the length of a slice, and returns how many elements are to be visited; where the slice is to be made, −1
// for nil.
func (v *Visitor) length(name string, n int, none bool) int {
	switch v.to {
	case writing:
		if none {
			v.bytes = append(v.bytes, 0)
		} else {
			v.bytes = binary.AppendUvarint(v.bytes, uint64(n)+1)
		}
	case hashing:
		v.mix(uint64(n))
	case reading:
		read := v.uvarint()
		if read > 0 && read-1 > uint64(len(v.bytes)) {
			v.Fail()
			return -1
		}
		return int(read) - 1
	case comparing:
		read := max(v.uvarint(), 1) - 1
		if v.failed {
			return 0
		}
		if read != uint64(n) {
			v.differ(name, fmt.Sprintf("%d elements", read), fmt.Sprintf("%d elements", n))
		}
	case marking:
		v.leaf(name)
	case nothing:
		return 0
	}
	return n
}
