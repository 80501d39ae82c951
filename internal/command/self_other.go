//go:build !linux

package command

// programOf returns the path by which to start the program of a shim.
func programOf(shim string) string { return shim }

// takeName does nothing: the name is the program's.
func takeName() {}
