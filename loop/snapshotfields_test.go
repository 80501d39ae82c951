package loop

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// differs says where two values differ, empty where nowhere. Floats are compared by their bits; an empty slice is as good as
// none.
func differs(a, b any) string { return differ("", reflect.ValueOf(a), reflect.ValueOf(b), nil) }

// differ leaves out the paths of some fields.
func differ(path string, a, b reflect.Value, without map[string]bool) string {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return fmt.Sprintf("%s: %v, %v", path, a, b)
	}
	if !a.IsValid() {
		return ""
	}
	same := true
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() != b.IsNil() {
			return path + ": one is nil"
		}
		return differ(path, a.Elem(), b.Elem(), without)
	case reflect.Slice:
		if a.Len() != b.Len() {
			return fmt.Sprintf("%s: %d and %d elements", path, a.Len(), b.Len())
		}
		for i := range a.Len() {
			if what := differ(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i), without); what != "" {
				return what
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			field := strings.TrimPrefix(path+"."+a.Type().Field(i).Name, ".")
			if without[field] {
				continue
			}
			if what := differ(field, a.Field(i), b.Field(i), without); what != "" {
				return what
			}
		}
	case reflect.Float64:
		same = math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case reflect.Map: // of a space: it follows from the points
		same = a.Len() == b.Len()
	default:
		same = a.Equal(b)
	}
	if !same {
		return fmt.Sprintf("%s: %v, %v", path, a, b)
	}
	return ""
}
