package sqlite

import "encoding/binary"

// The lengths of the header of a log, of that of a frame, and of the pages of a database that this package made.
const (
	headBytes  = 32
	frameBytes = 24
	usualPage  = 4096
)

// generation is the salts: SQLite writes the log again and again from its beginning, each time with others.
type generation [8]byte

// frame is a page in the log, with its header: the number of the page, the number of pages of the database in the last frame
// of a transaction and else 0, the salts, and a checksum of all up to here without the salts.
// See "WAL-mode File Format", https://sqlite.org/walformat.html.
type frame []byte

func (f frame) number() uint32         { return binary.BigEndian.Uint32(f) }
func (f frame) pages() uint32          { return binary.BigEndian.Uint32(f[4:]) }
func (f frame) generation() generation { return generation(f[8:16]) }
func (f frame) sum() sum               { return sumAt(f[16:]) }

// chain is the good part of a log.
type chain struct {
	order      binary.ByteOrder // of the numbers that are added up
	page       int              // length
	generation generation
	sum        sum    // up to here
	pages      uint32 // of the database after the last transaction; 0 without one
	frames     int64  // up to here
	ended      int64  // frames up to the end of the last transaction
	marks      []mark // that the transactions reached, in order
	open       []mark // of the transaction that has not ended
}

// newChain begins with the header of a log; false when that is damaged.
func newChain(head []byte) (c chain, whole bool) {
	magic, version := binary.BigEndian.Uint32(head), binary.BigEndian.Uint32(head[4:])
	c.order = binary.ByteOrder(binary.LittleEndian)
	if magic&1 == 1 {
		c.order = binary.BigEndian
	}
	c.page = int(binary.BigEndian.Uint32(head[8:]))
	c.generation = generation(head[16:24])
	c.sum = sum{}.over(c.order, head[:24])
	whole = magic&^1 == 0x377f0682 && version == 3007000 && c.sum == sumAt(head[24:]) &&
		c.page >= 512 && c.page <= 65536 && c.page&(c.page-1) == 0
	return c, whole
}

// take adds a frame, if it is good.
func (c *chain) take(f frame) bool {
	if f.number() == 0 || f.generation() != c.generation || !c.continues(f) {
		return false
	}
	c.sum = f.sum()
	c.frames++
	if m, ok := markIn(f); ok && f.number() == logPage {
		c.open = append(c.open, m)
	}
	if f.pages() > 0 {
		c.pages, c.ended = f.pages(), c.frames
		c.marks, c.open = append(c.marks, c.open...), nil
	}
	return true
}

// end is where so many frames end.
func (c *chain) end(frames int64) int64 { return headBytes + frames*int64(frameBytes+c.page) }

// continues reports whether the checksum of a frame is right.
func (c *chain) continues(f frame) bool {
	return c.sum.over(c.order, f[:8]).over(c.order, f[frameBytes:]) == f.sum()
}

// closed reports whether the bad frame behind the chain was the last one of its transaction, as far as one can tell: from
// its header, if the damage is elsewhere in it; when the number of pages is what is damaged, because the checksum is right
// with another one. The next transaction left the database with as many pages as given.
func (c *chain) closed(bad frame, next uint32) bool {
	if bad.pages() > 0 {
		return bad.generation() == c.generation || c.continues(bad)
	}
	const most = 4096 // pages by which one transaction makes the database longer
	low, high := min(c.pages, next), max(c.pages, next)
	if c.pages == 0 {
		low = next
	}
	for n := high; n >= low && n > 0 && high-n <= most; n-- {
		binary.BigEndian.PutUint32(bad[4:], n)
		if c.continues(bad) {
			return true
		}
	}
	return false
}

// sum is a checksum of SQLite's log.
type sum [2]uint32

func sumAt(b []byte) sum {
	return sum{binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])}
}

// over returns the sum with further bytes, a multiple of eight.
func (s sum) over(order binary.ByteOrder, b []byte) sum {
	for ; len(b) >= 8; b = b[8:] {
		s[0] += order.Uint32(b) + s[1]
		s[1] += order.Uint32(b[4:]) + s[0]
	}
	return s
}
