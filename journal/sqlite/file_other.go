//go:build !unix

package sqlite

import "os"

// names returns how many names a file has: one, since the system does not say.
func names(os.FileInfo) uint64 { return 1 }

// itself would have a file opened, and not what it is a symbolic link to.
const itself = 0
