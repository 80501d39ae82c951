package journal

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/space"
)

// fill gives every field under v a value that is not zero, and no two numbers the same value.
func fill(v reflect.Value, n *int) {
	*n++
	switch {
	case v.Type() == reflect.TypeFor[space.Space]():
		s, err := space.List([]space.Point{{1, 0}, {2, 1}}, space.LogInt("a", 1, 9), space.Categorical("b", "c", "d"), space.Float("e", -1, 1).AsContext())
		if err != nil {
			panic(err)
		}
		v.Set(reflect.ValueOf(s))
	case v.CanInt():
		v.SetInt(int64(*n))
	case v.CanUint():
		v.SetUint(math.MaxUint64 - uint64(*n))
	case v.CanFloat():
		v.SetFloat(float64(*n) + 0.1)
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.Kind() == reflect.String:
		v.SetString(fmt.Sprint("text ", *n))
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	default:
		panic("this test must learn to fill a " + v.Type().String())
	}
}

// draw sets v to anything that its type can hold.
func draw(t *rapid.T, v reflect.Value, path string) {
	switch {
	case v.CanInt():
		v.SetInt(rapid.Int64().Draw(t, path))
	case v.CanUint():
		v.SetUint(rapid.Uint64().Draw(t, path))
	case v.CanFloat():
		v.SetFloat(math.Float64frombits(rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1 << 63, 0x7ff0 << 48, 0xfff0 << 48, 0x7ff8000000000001})).Draw(t, path)))
	case v.Kind() == reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, path))
	case v.Kind() == reflect.String:
		v.SetString(rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, path))
	case v.Kind() == reflect.Pointer:
		if rapid.Bool().Draw(t, path) {
			v.Set(reflect.New(v.Type().Elem()))
			draw(t, v.Elem(), path)
		}
	case v.Kind() == reflect.Slice:
		if n := rapid.IntRange(-1, 4).Draw(t, path); n >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				draw(t, v.Index(i), fmt.Sprint(path, i))
			}
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Type != reflect.TypeFor[space.Space]() {
				draw(t, v.Field(i), path+"."+v.Type().Field(i).Name)
			}
		}
	default:
		panic("this test must learn to draw a " + v.Type().String())
	}
}

// bits prints a value so that two of them print alike if and only if they are the same to the bit, NaN but for its payload.
func bits(v any) string {
	var b strings.Builder
	var write func(reflect.Value)
	write = func(v reflect.Value) {
		switch {
		case v.CanFloat() && math.IsNaN(v.Float()):
			b.WriteString("nan ")
		case v.CanFloat():
			fmt.Fprintf(&b, "%x ", math.Float64bits(v.Float()))
		case v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface:
			if v.IsNil() {
				b.WriteString("nil ")
				return
			}
			write(v.Elem())
		case v.Kind() == reflect.Slice:
			fmt.Fprintf(&b, "%v %d[", v.IsNil(), v.Len())
			for i := range v.Len() {
				write(v.Index(i))
			}
			b.WriteString("] ")
		case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[space.Space]():
			b.WriteString(v.Type().String() + "{")
			for i := range v.NumField() {
				write(v.Field(i))
			}
			b.WriteString("} ")
		default:
			fmt.Fprintf(&b, "%#v ", v)
		}
	}
	write(reflect.ValueOf(v))
	return b.String()
}
