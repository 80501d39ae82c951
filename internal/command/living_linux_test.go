package command

// living reports whether a process has not ended.
func living(pid int) bool {
	p, ok := readProcess(pid)
	return ok && !p.ended
}
