package main

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// listening are the ports, of TCP and UDP, at which a process hears others. The test is skipped where the system does not tell.
func listening(t *testing.T, process int) (ports []string) {
	t.Helper()
	sockets := map[string]bool{}
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", process))
	if err != nil || len(files) == 0 {
		t.Skip("no /proc here")
	}
	for _, file := range files {
		to, _ := os.Readlink(file)
		if inode, is := strings.CutPrefix(to, "socket:["); is {
			sockets[strings.TrimSuffix(inode, "]")] = true
		}
	}
	const state, inode = 3, 9
	for _, kind := range []string{"tcp", "tcp6", "udp", "udp6"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", process, kind))
		if err != nil {
			continue // there is no such network
		}
		for line := range strings.Lines(string(text)) {
			fields := strings.Fields(line)
			open := len(fields) > inode && sockets[fields[inode]] && (fields[state] == "0A" || strings.HasPrefix(kind, "udp"))
			if !open {
				continue
			}
			_, port, _ := strings.Cut(fields[1], ":")
			number, err := strconv.ParseUint(port, 16, 16)
			must(t, err)
			ports = append(ports, fmt.Sprint(kind[:3], " ", number))
		}
	}
	slices.Sort(ports)
	return slices.Compact(ports)
}

// A server with workers hears others at the two ports that its configuration names, and a worker at none.
func TestNobodyListensButAtThePortsOfTheConfiguration(t *testing.T) {
	c := clusterOf(t, square)
	c.serve()
	worker, _ := c.work("worker", "--", "./train.sh", "{lr}")
	c.begin("lr", `"budget":2`, `{}`)
	c.ended("lr")
	var want []string
	for _, where := range []string{c.http, c.nats} {
		at, err := url.Parse(where)
		must(t, err)
		_, port, err := net.SplitHostPort(at.Host)
		must(t, err)
		want = append(want, "tcp "+port)
	}
	slices.Sort(want)
	if got := listening(t, c.server.Process.Pid); !slices.Equal(got, want) {
		t.Errorf("the server listens at %v, want %v", got, want)
	}
	if got := listening(t, worker.Process.Pid); len(got) > 0 {
		t.Errorf("the worker listens at %v", got)
	}
}
