package state

import (
	"encoding/binary"
	"math"
	"strings"
)

// Number is a whole number.
func Number[T ~int | ~int64 | ~uint64](v *Visitor, name string, field *T) {
	switch v.to {
	case writing:
		wide := int64(*field)
		v.bytes = binary.AppendUvarint(v.bytes, uint64(wide)<<1^uint64(wide>>63))
	case hashing:
		v.mix(uint64(*field))
	case reading, comparing:
		zigzag := v.uvarint()
		wide := int64(zigzag>>1) ^ -int64(zigzag&1)
		read := T(wide)
		if int64(read) != wide {
			v.Fail()
		}
		take(v, name, field, read, *field == read)
	case marking:
		v.leaf(name)
	}
}

// Numbers are whole numbers, with their names in the same order and blanks between them.
func (v *Visitor) Numbers(names string, numbers ...*int) {
	if v.to == comparing || v.to == marking {
		for i, name := range strings.Fields(names) {
			Number(v, name, numbers[i])
		}
		return
	}
	for _, field := range numbers {
		Number(v, "", field)
	}
}

// Flags are up to seven bits in one byte, with their names in the same order and blanks between them.
func (v *Visitor) Flags(names string, flags ...*bool) {
	switch v.to {
	case writing:
		v.bytes = append(v.bytes, byte(packed(flags)))
	case hashing:
		v.mix(packed(flags))
	case reading, comparing:
		all := v.uvarint()
		if all>>len(flags) != 0 {
			v.Fail()
		}
		for i, field := range flags {
			if read := all>>i&1 == 1; v.to == reading {
				*field = read
			} else if *field != read && !v.failed {
				v.differ(strings.Fields(names)[i], read, *field)
			}
		}
	case marking:
		for _, name := range strings.Fields(names) {
			v.leaf(name)
		}
	}
}

func packed(flags []*bool) (all uint64) {
	for i, field := range flags {
		if *field {
			all |= 1 << i
		}
	}
	return all
}

// Float is a float, to the bit.
func (v *Visitor) Float(name string, field *float64) {
	switch v.to {
	case writing:
		v.bytes = binary.LittleEndian.AppendUint64(v.bytes, math.Float64bits(*field))
	case hashing:
		v.mix(math.Float64bits(*field))
	case reading, comparing:
		read := v.float()
		take(v, name, field, read, math.Float64bits(*field) == math.Float64bits(read))
	case marking:
		v.leaf(name)
	}
}

// float reads eight bytes.
func (v *Visitor) float() float64 {
	if len(v.bytes) < 8 {
		v.Fail()
		return 0
	}
	read := math.Float64frombits(binary.LittleEndian.Uint64(v.bytes))
	v.bytes = v.bytes[8:]
	return read
}

// Text is a string of any bytes.
func (v *Visitor) Text(name string, field *string) {
	switch v.to {
	case writing:
		v.bytes = append(binary.AppendUvarint(v.bytes, uint64(len(*field))), *field...)
	case hashing:
		v.mix(uint64(len(*field)))
		for i := range len(*field) {
			v.mix(uint64((*field)[i]))
		}
	case reading, comparing:
		n := v.uvarint()
		if n > uint64(len(v.bytes)) {
			v.Fail()
			return
		}
		read := string(v.bytes[:n])
		v.bytes = v.bytes[n:]
		take(v, name, field, read, *field == read)
	case marking:
		v.leaf(name)
	}
}
