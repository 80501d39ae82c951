package state

import (
	"encoding/binary"
	"math"
	"strings"
)

// Number is a whole number.
func Number[T ~int | ~int64 | ~uint64](v *Visitor, name string, field *T) {
	wide := int64(*field)
	if zigzag, reads := v.number(name, uint64(wide)<<1^uint64(wide>>63)); reads {
		wide = int64(zigzag>>1) ^ -int64(zigzag&1)
		read := T(wide)
		if int64(read) != wide {
			v.Fail()
		}
		take(v, name, field, read, *field == read)
	}
}

// Numbers are whole numbers, with their names in the same order and blanks between them.
func (v *Visitor) Numbers(names string, numbers ...*int) {
	for _, field := range numbers {
		var name string
		if v.names() {
			name, names, _ = strings.Cut(names, " ")
		}
		Number(v, name, field)
	}
}

// Flags are up to seven bits in one byte, with their names in the same order and blanks between them.
func (v *Visitor) Flags(names string, flags ...*bool) {
	var all uint64
	for i, field := range flags {
		if *field {
			all |= 1 << i
		}
	}
	read, reads := v.number(names, all)
	if !reads {
		return
	}
	if read>>len(flags) != 0 {
		v.Fail()
	}
	for i, field := range flags {
		var name string
		if v.names() {
			name, names, _ = strings.Cut(names, " ")
		}
		bit := read>>i&1 == 1
		take(v, name, field, bit, *field == bit)
	}
}

// Float is a float, to the bit.
func (v *Visitor) Float(name string, field *float64) {
	switch v.to {
	case writing:
		v.bytes = binary.LittleEndian.AppendUint64(v.bytes, math.Float64bits(*field))
	case hashing:
		v.mix(math.Float64bits(*field))
	case marking:
		v.leaf(name)
	case reading, comparing:
		if len(v.bytes) < 8 {
			v.Fail()
			return
		}
		word := binary.LittleEndian.Uint64(v.bytes)
		v.bytes = v.bytes[8:]
		take(v, name, field, math.Float64frombits(word), math.Float64bits(*field) == word)
	}
}

// Text is a string of any bytes.
func (v *Visitor) Text(name string, field *string) {
	n, reads := v.number(name, uint64(len(*field)))
	switch {
	case v.to == writing:
		v.bytes = append(v.bytes, *field...)
	case v.to == hashing:
		for i := range len(*field) {
			v.mix(uint64((*field)[i]))
		}
	case reads && n > uint64(len(v.bytes)):
		v.Fail()
	case reads:
		read := string(v.bytes[:n])
		v.bytes = v.bytes[n:]
		take(v, name, field, read, *field == read)
	}
}

// number goes over a number that is not negative, and returns the one that was read, where one is.
func (v *Visitor) number(name string, is uint64) (read uint64, reads bool) {
	switch v.to {
	case writing:
		v.bytes = binary.AppendUvarint(v.bytes, is)
	case hashing:
		v.mix(is)
	case marking:
		v.leaf(name)
	case reading, comparing:
		read, n := binary.Uvarint(v.bytes)
		if n <= 0 {
			v.Fail()
			return 0, true
		}
		v.bytes = v.bytes[n:]
		return read, true
	}
	return 0, false
}
