package command

import (
	"os"
	"path/filepath"
)

const selfLink = "/proc/self/exe" // leads to the program of this process, even where its file was replaced or deleted

// programOf returns the path by which to start the program of a shim. Where that is the program of this process, it is
// one that survives an upgrade: the two must be of the same version.
func programOf(shim string) string {
	self, err := os.Executable()
	if err != nil || shim != self {
		return shim
	}
	if _, err := os.Stat(selfLink); err != nil { // nobody has mounted it
		return shim
	}
	return selfLink
}

// takeName gives this process, the shim, the name of its program in lists of processes, which it would have if it had
// been started by its path.
func takeName() {
	_ = os.WriteFile("/proc/self/comm", []byte(filepath.Base(os.Args[0])), 0) // only the looks of a list depend on it
}
