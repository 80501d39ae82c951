package cluster

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// wrongMember returns the first member of an object that is no field of a type, or no duration where the field is one: of both the reader does not
// say where they are. The object begins at an offset of the text; nil where there is no such member. Cost O(n) for n bytes, at each depth.
func wrongMember(text []byte, from int, of reflect.Type, within string) error {
	fields, names := members(of)
	d := json.NewDecoder(bytes.NewReader(text[from:]))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil
		}
		name, where := fmt.Sprint(t), place(text, int64(from)+d.InputOffset(), nil)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil
		}
		kind, known := fields[strings.ToLower(name)]
		if !known {
			hint := ""
			if meant := check.Meant(name, names); meant != "" {
				hint = ": did you mean " + meant + "?"
			}
			return fmt.Errorf("%s: unknown field %.99q%s", where, name, hint)
		}
		switch {
		case kind == reflect.TypeFor[Duration]():
			if err := new(Duration).UnmarshalJSON(value); err != nil {
				return fmt.Errorf("%s: %s = %w", where, within+name, err)
			}
		case kind.Kind() == reflect.Struct:
			if err := wrongMember(text, from+int(d.InputOffset())-len(value), kind, within+name+"."); err != nil {
				return err
			}
		}
	}
	return nil
}

// members are the types of the fields of a struct by their names in JSON, which are the same in small letters and in capitals.
func members(of reflect.Type) (fields map[string]reflect.Type, names []string) {
	fields = map[string]reflect.Type{}
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		fields[strings.ToLower(name)], names = of.Field(i).Type, append(names, name)
	}
	return fields, names
}
