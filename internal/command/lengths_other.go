//go:build !linux && !darwin

package command

// argumentLimits are not known.
func argumentLimits() (each, all int) { return 0, 0 }
