package detour

import (
	"fmt"
	"net"
	"testing"
)

// As many connections as a test makes take none of the ports.
func TestAPortStaysFreeWhileOthersConnect(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ports := map[int]bool{}
	for range 20 {
		port := Port(t)
		if ports[port] {
			t.Fatalf("port %d twice", port)
		}
		ports[port] = true
	}
	for range 500 {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if port := conn.LocalAddr().(*net.TCPAddr).Port; ports[port] || port < firstHandedOut {
			t.Fatalf("a connection has port %d", port)
		}
	}
	for port := range ports {
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port))
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
	}
}
