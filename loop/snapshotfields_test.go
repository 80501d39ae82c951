package loop

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// fields says of a structure what becomes of its fields in the fingerprint of a configuration.
type fields struct {
	of      any
	stored  string // in the fingerprint
	derived string // from what is stored
}

// The configuration is not in a snapshot, but its fingerprint is.
var fieldsOfAConfiguration = []fields{
	{of: Config{}, stored: "Space Traits Seed Minimize Budget Initial Design Model Window Floor Range Barrier Pending Timeout Exclusive Retries Lease Patience FitBeside"},
	{of: Model{}, stored: "Kernel Hyper Noise Active"},
	{of: policies.Traits{}, stored: "Name Model Pending Also Draws Adapts Barrier"},
	{of: model.Want{}, stored: "Output Pending"},
	{of: feedback.Window{}, stored: "Rounds Duration Strict"},
	{of: space.Parameter{}, stored: "Name Kind Role Low High Log Choices Step Values", derived: "steps"},
	{of: space.Space{}, stored: "parameters unit", derived: "points index actions contexts"},
}

// Whoever adds a field to a configuration says here what becomes of it.
func TestEveryFieldIsKnownToTheFingerprint(t *testing.T) {
	for _, f := range fieldsOfAConfiguration {
		var are []string
		of := reflect.TypeOf(f.of)
		for i := range of.NumField() {
			are = append(are, of.Field(i).Name)
		}
		known := strings.Fields(f.stored + " " + f.derived)
		slices.Sort(are)
		slices.Sort(known)
		if !slices.Equal(are, known) {
			t.Errorf("%v has the fields %v, the fingerprint knows %v", of, are, known)
		}
	}
}

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
