package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// listening are the ports on which this process listens, as the system knows them.
func listening(t *testing.T) (ports []string) {
	t.Helper()
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]bool{}
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil && strings.HasPrefix(to, "socket:[") {
			own[strings.Trim(to, "socket:[]")] = true
		}
	}
	for _, table := range []string{"tcp", "tcp6", "udp", "udp6"} {
		text, err := os.ReadFile("/proc/net/" + table)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			f := strings.Fields(line)
			const listens, unconnected = "0A", "07"
			if len(f) < 10 || !own[f[9]] || f[3] != listens && f[3] != unconnected {
				continue
			}
			_, hex, _ := strings.Cut(f[1], ":")
			port, err := strconv.ParseUint(hex, 16, 16)
			if err != nil {
				t.Fatal(err)
			}
			ports = append(ports, fmt.Sprint(table, " ", port))
		}
	}
	return ports
}

func TestTheServerListensOnOnePortAndNoOther(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looks at /proc")
	}
	before := listening(t)
	w := begin(t)
	w.in(Worker)
	_, port, _ := strings.Cut(w.server.Address(), ":")
	if after := listening(t); len(after) != len(before)+1 || after[len(before)] != "tcp "+port {
		t.Errorf("before %v, now %v: want only %s besides", before, after, port)
	}
}
