//go:build !race

package surrogate

import "github.com/tarry-bo/tarry/space"

func reads[T any]([]T)         {}
func writes[T any]([]T)        {}
func readsPoints([]space.Unit) {}
