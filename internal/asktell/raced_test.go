//go:build race

package asktell_test

// raced says that the race detector watches, for which 16 MiB are a lot.
const raced = true
