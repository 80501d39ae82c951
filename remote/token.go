package remote

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"math"

	"github.com/tarry-bo/tarry/space"
)

// tokenBytes is how much of a code is a token.
const tokenBytes = 16

// token says that an attempt was given to a worker: only who has the key can make one. It follows from what it names, so that a hub which
// was started anew knows the tokens that the one before gave out.
func token(key []byte, study string, identity [sha256.Size]byte, evaluation, attempt int, x space.Point, worker string) string {
	var buffer [256]byte
	text := append(buffer[:0], "tarry job 1"...)
	for _, s := range []string{study, worker} {
		text = binary.BigEndian.AppendUint64(text, uint64(len(s)))
		text = append(text, s...)
	}
	text = append(text, identity[:]...)
	text = binary.BigEndian.AppendUint64(text, uint64(evaluation))
	text = binary.BigEndian.AppendUint64(text, uint64(attempt))
	for _, v := range x {
		bits := math.Float64bits(v)
		if math.IsNaN(v) {
			bits = math.Float64bits(math.NaN()) // a parameter that is inactive
		}
		text = binary.BigEndian.AppendUint64(text, bits)
	}
	code := hmac.New(sha256.New, key)
	code.Write(text)
	return base64.RawURLEncoding.EncodeToString(code.Sum(buffer[:0])[:tokenBytes])
}

// sameToken compares in constant time.
func sameToken(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }
