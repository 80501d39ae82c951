package command

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// endMarked ends the processes that bear the mark of an attempt below dir, of the one of that name or, where it is
// empty, of any: SIGTERM, SIGKILL after the grace. It calls report with each attempt and a process group of it, before
// anything is killed. The error names the processes that are left with patience after SIGKILL. Where there is none, it
// costs one pass over /proc.
func endMarked(dir, attempt string, grace, patience time.Duration, report func(attempt string, pid int)) error {
	left := orphans(dir, attempt)
	if len(left) == 0 {
		return nil
	}
	reported := map[string]bool{}
	for _, p := range left {
		if !reported[p.attempt] {
			reported[p.attempt] = true
			report(p.attempt, p.group)
		}
	}
	send := func(s syscall.Signal) {
		for _, p := range left {
			_ = syscall.Kill(p.pid, s) // whether it has ended shows in the next pass
		}
	}
	gone := func() bool {
		left = lingering(left, orphans(dir, attempt))
		return len(left) == 0
	}
	send(syscall.SIGTERM)
	send(syscall.SIGCONT) // a stopped process hears of nothing else
	if poll(grace, gone) || poll(patience, func() bool { send(syscall.SIGKILL); return gone() }) {
		return nil
	}
	var names []string
	for _, p := range left {
		names = append(names, strconv.Itoa(p.pid))
	}
	return fmt.Errorf("%s: processes %s of attempts still live %v after SIGKILL", dir, strings.Join(names, ", "), patience)
}

// orphans returns the processes that bear the mark of an attempt below dir. This process, its ancestors and what shares
// its process group are none: somebody may have started them by hand in the environment of an attempt. Nor are those
// with another root directory, as in a container, where the same path is another folder.
func orphans(dir, attempt string) []process {
	spared := map[int]bool{1: true}
	for pid := os.Getpid(); pid > 1 && !spared[pid]; {
		spared[pid] = true
		p, _ := readProcess(pid)
		pid = p.parent
	}
	root, err := os.Stat("/")
	if err != nil {
		return nil
	}
	var out []process
	for _, pid := range numbers() {
		name := markOf(pid, dir)
		if name == "" || spared[pid] || attempt != "" && attempt != name {
			continue
		}
		p, ok := readProcess(pid)
		at, err := os.Stat(filepath.Join("/proc", strconv.Itoa(pid), "root"))
		if ok && err == nil && !p.ended && p.group != syscall.Getpgrp() && os.SameFile(at, root) {
			p.attempt = name
			out = append(out, p)
		}
	}
	return out
}

// markOf returns the name of the attempt below dir that a process was started for, empty where there is none. The
// folder in its environment may lie deeper: an attempt may have attempts of its own.
func markOf(pid int, dir string) string {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
	if err != nil {
		return ""
	}
	prefix := []byte(logDirVariable + "=" + strings.TrimSuffix(dir, "/") + "/")
	for entry := range bytes.SplitSeq(data, []byte{0}) {
		if rest, ok := bytes.CutPrefix(entry, prefix); ok {
			if name, _, _ := strings.Cut(string(rest), "/"); folderName.MatchString(name) {
				return name
			}
		}
	}
	return ""
}
