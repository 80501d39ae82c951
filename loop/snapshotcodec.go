package loop

import (
	"encoding/binary"
	"math"
)

// codec writes the state of a loop or reads it: one description of each structure serves both, so that what is written
// first is read first. Whole numbers take as many bytes as they need, floats their eight.
type codec struct {
	bytes   []byte // written so far, or left to be read
	reading bool
	failed  bool // the bytes are not what was written; everything that is read from then on is zero
}

// fail gives up reading.
func (c *codec) fail() { c.bytes, c.failed = nil, true }

func (c *codec) uint(v *uint64) {
	if !c.reading {
		c.bytes = binary.AppendUvarint(c.bytes, *v)
		return
	}
	read, n := binary.Uvarint(c.bytes)
	if n <= 0 {
		c.fail()
		return
	}
	*v, c.bytes = read, c.bytes[n:]
}

// number is a whole number, negative ones included.
func number[T ~int | ~int64](c *codec, v *T) {
	zigzag := uint64(*v)<<1 ^ uint64(int64(*v)>>63)
	c.uint(&zigzag)
	if !c.reading {
		return
	}
	wide := int64(zigzag>>1) ^ -int64(zigzag&1)
	if *v = T(wide); int64(*v) != wide {
		c.fail()
	}
}

// flags are up to eight bits.
func (c *codec) flags(bits ...*bool) {
	var all uint64
	for i, b := range bits {
		all |= uint64(bit(*b)) << i
	}
	c.uint(&all)
	if all>>len(bits) != 0 {
		c.fail()
		return
	}
	for i, b := range bits {
		*b = all>>i&1 == 1
	}
}

func (c *codec) float(v *float64) {
	if !c.reading {
		c.bytes = binary.LittleEndian.AppendUint64(c.bytes, math.Float64bits(*v))
		return
	}
	if len(c.bytes) < 8 {
		c.fail()
		return
	}
	*v, c.bytes = math.Float64frombits(binary.LittleEndian.Uint64(c.bytes)), c.bytes[8:]
}

func (c *codec) text(s *string) {
	n := uint64(len(*s))
	switch c.uint(&n); {
	case !c.reading:
		c.bytes = append(c.bytes, *s...)
	case n > uint64(len(c.bytes)):
		c.fail()
	default:
		*s, c.bytes = string(c.bytes[:n]), c.bytes[n:]
	}
}

// list is a slice whose elements take a byte or more; nil stays nil.
func list[T any](c *codec, v *[]T, element func(*T)) {
	n := uint64(len(*v)) + 1
	if *v == nil {
		n = 0
	}
	switch c.uint(&n); {
	case !c.reading:
		for i := range *v {
			element(&(*v)[i])
		}
	case n == 0 || n-1 > uint64(len(c.bytes)):
		if *v = nil; n > 0 {
			c.fail()
		}
	default:
		*v = make([]T, 0, min(n-1, longestTrusted))
		for i := range int(n - 1) {
			*v = append(*v, *new(T))
			if element(&(*v)[i]); c.failed {
				return
			}
		}
	}
}

// longestTrusted is how many elements are made room for before any was read.
const longestTrusted = 1 << 10

func (c *codec) floats(v *[]float64) { list(c, v, c.float) }
func (c *codec) ints(v *[]int)       { list(c, v, func(i *int) { number(c, i) }) }
func (c *codec) points(v *[][]float64) {
	list(c, v, c.floats)
}

// optional is a pointer that may be nil.
func optional[T any](c *codec, v **T, content func(*T)) {
	there := *v != nil
	if c.flags(&there); !there {
		return
	}
	if c.reading {
		*v = new(T)
	}
	content(*v)
}
