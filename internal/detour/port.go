package detour

import (
	"net"
	"os"
	"strconv"
	"sync/atomic"
)

const (
	firstHandedOut = 32768 // ports below are handed out by no usual system, neither to who asks for any port nor to who connects
	portsBelow     = 12000 // as many of those are used here
	portsEach      = 61    // those of a process, before they may be those of the next
)

var portsTaken atomic.Int64

// Port is a port of this machine at which nobody listens, for a server that is started later or again. What a system hands out by
// itself may be anybody's by then, the other end of a connection too; this one it does not hand out. Each call returns another, and
// processes whose numbers are near begin at others.
func Port(t Test) int {
	t.Helper()
	for range portsBelow {
		at := int64(os.Getpid())*portsEach + portsTaken.Add(1)
		port := firstHandedOut - 1 - int(at%portsBelow)
		if l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("each port is somebody's")
	return 0
}
