package surrogate

import "github.com/tarry-bo/tarry/space"

// keeper kernels compare what they compute of points. Who compares one point with many others keeps it behind the coordinates of
// each, so that it is computed once. Such a kernel takes points of both kinds.
type keeper interface {
	Kernel
	keep(xs []space.Unit) []space.Unit // new points with what is computed of them
}

// Keep returns the points with what a kernel computes of each of them, for whoever compares many of them again and again by Kernel.Row: the same ones, but for a kernel of warped
// coordinates or over learned features, which otherwise warps each, or passes it through its network, at every comparison. What is returned means something to that kernel alone.
func Keep(k Kernel, xs []space.Unit) []space.Unit { return kept(k, xs) }

// kept returns the points as the kernel wants them where they are compared often: the same ones, but for a keeper.
func kept(k Kernel, xs []space.Unit) []space.Unit {
	if k, ok := k.(keeper); ok {
		return k.keep(xs)
	}
	return xs
}

// keptOne is kept of a single point.
func keptOne(k Kernel, x space.Unit) space.Unit {
	if k, ok := k.(keeper); ok {
		return k.keep([]space.Unit{x})[0]
	}
	return x
}
