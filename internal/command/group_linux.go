package command

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// process is what /proc says of a process.
type process struct {
	pid, parent, group int
	ended              bool   // and not buried
	start              string // in ticks since the machine started
	attempt            string // whose mark it bears, where that was looked for
}

// readProcess reads /proc/<pid>/stat, see proc_pid_stat(5).
func readProcess(pid int) (process, bool) {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return process{}, false
	}
	// The second field is the name in parentheses and may hold blanks and parentheses.
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(fields) < 20 {
		return process{}, false
	}
	parent, err1 := strconv.Atoi(fields[1])
	group, err2 := strconv.Atoi(fields[2])
	ended := fields[0] == "Z" || fields[0] == "X"
	return process{pid: pid, parent: parent, group: group, ended: ended, start: fields[19]}, err1 == nil && err2 == nil
}

// processes returns all processes that have not ended, this one excepted.
func processes() []process {
	var out []process
	for _, pid := range numbers() {
		if p, ok := readProcess(pid); ok && !p.ended {
			out = append(out, p)
		}
	}
	return out
}

// numbers returns those of all processes, this one excepted.
func numbers() []int {
	d, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1) // those that could be read are better than none
	var out []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil && pid != os.Getpid() {
			out = append(out, pid)
		}
	}
	return out
}

// identity tells a process from every other one with the same number: the start of the machine and, since then, of the
// process. It is empty where there is no such process.
func identity(pid int) string {
	p, ok := readProcess(pid)
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if !ok || err != nil {
		return ""
	}
	return strings.TrimSpace(string(boot)) + " " + p.start
}

// members returns the descendants of the command, those in the group, without its leader, and those that have left it:
// they descend from the leader, or bear its mark. Without a leader that is ours, nothing in the group is a member
// unless one in it bears the mark, for a group keeps its number as long as it has members.
func (g group) members() (inside, outside []int) {
	all := processes()
	parents := map[int]int{}
	for _, p := range all {
		parents[p.pid] = p.parent
	}
	ours := g.leads()
	var marked []process
	for _, p := range all {
		if p.pid != g.leader && (ours && descends(parents, p.pid, g.leader) || g.marks(p.pid)) {
			marked = append(marked, p)
		}
	}
	ours = ours || slices.ContainsFunc(marked, func(p process) bool { return p.group == g.leader })
	for _, p := range all {
		if ours && p.group == g.leader && p.pid != g.leader {
			inside = append(inside, p.pid)
		}
	}
	for _, p := range marked {
		if p.group != g.leader {
			outside = append(outside, p.pid)
		}
	}
	return inside, outside
}

// escaped returns what reports whether descendants are left outside the group, among them all that it saw before.
func (g group) escaped() func() bool {
	var left []process
	return func() bool {
		_, outside := g.members()
		var found []process
		for _, pid := range outside {
			if p, ok := readProcess(pid); ok {
				found = append(found, p)
			}
		}
		left = lingering(left, found)
		return len(left) > 0
	}
}

// lingering returns the processes that were found, and those of before that have not ended: a process that ends loses
// its environment before it gives back what it holds, and is not found any more.
func lingering(before, found []process) []process {
	for _, b := range before {
		p, ok := readProcess(b.pid)
		same := func(f process) bool { return f.pid == b.pid }
		if ok && !p.ended && p.start == b.start && !slices.ContainsFunc(found, same) {
			found = append(found, b)
		}
	}
	return found
}

// leads reports whether the process with the leader's number is the leader.
func (g group) leads() bool { return identity(g.leader) == g.identity }

// isOurs reports whether the group may be signaled, given its members.
func (g group) isOurs(inside []int) bool { return len(inside) > 0 || g.leads() }

// marks reports whether a process was started with the folder in its environment.
func (g group) marks(pid int) bool {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
	if err != nil {
		return false
	}
	mark := "\x00" + logDirVariable + "=" + string(g.folder) + "\x00"
	return strings.Contains("\x00"+string(data), mark)
}

// descends reports whether a process is a descendant of another.
func descends(parents map[int]int, pid, ancestor int) bool {
	for range parents { // processes come and go while they are read: what was read may even have a cycle
		if pid = parents[pid]; pid == ancestor || pid <= 1 {
			break
		}
	}
	return pid == ancestor
}

// killDescendants kills all but the leader, which then records the end of the command, buries it and ends.
func (g group) killDescendants() {
	inside, outside := g.members()
	for _, pid := range append(inside, outside...) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// hasLiving reports whether the group has processes that live, not just such that nobody has buried.
func (g group) hasLiving(error) bool {
	return slices.ContainsFunc(processes(), func(p process) bool { return p.group == g.leader })
}

// adoptOrphans makes this process, the shim, the parent of all descendants whose own has ended, so that endOrphans
// finds them.
func adoptOrphans() {
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) // every Linux that Go runs on has it
}

// endOrphans kills the descendants that this process, the shim, has left, buries them, and reports whether that were
// all: none can be where there are no children, for an orphan would be one.
func endOrphans(f folder) bool {
	g := group{leader: os.Getpid(), identity: identity(os.Getpid()), folder: f}
	return poll(killPatience, func() bool {
		for {
			switch pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); {
			case errors.Is(err, syscall.EINTR), pid > 0:
			case err != nil: // no children
				return true
			default:
				g.killDescendants()
				return false
			}
		}
	})
}
