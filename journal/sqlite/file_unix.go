//go:build unix

package sqlite

import (
	"os"
	"syscall"
)

// names returns how many names a file has, that is, hard links.
func names(info os.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}

// itself has a file opened, and not what it is a symbolic link to.
const itself = syscall.O_NOFOLLOW
