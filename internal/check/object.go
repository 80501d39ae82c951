package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// errFollows says that a text has more than the one value that was wanted.
var errFollows = errors.New("something follows the object")

// Object reads the one JSON value of a text into what a pointer points to. A member that is not known is an error, since a newer program may mean something
// by it, and so is anything but space behind the value, such as a brace too many, which json.Decoder.More does not tell.
func Object(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errFollows
	}
	return nil
}
