package serve

import (
	"context"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

var commands = regexp.MustCompile("(?s)```sh\n(.*?)```")

// The commands of the guide run as they stand, but for the address, against a server that then ends in good order.
func TestTheCommandsOfTheGuideRun(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl here")
	}
	s := serving(t, Config{Loopback: true})
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, listener) }()
	guide := must.Get(os.ReadFile("../../docs/http.md"))(t)
	all := ""
	for _, m := range commands.FindAllStringSubmatch(string(guide), -1) {
		script := strings.ReplaceAll(strings.ReplaceAll(m[1], "127.0.0.1:8080", listener.Addr().String()), "curl ", "curl --fail-with-body ")
		out, err := exec.Command("sh", "-ec", script).CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s%s", err, script, out)
		}
		all += string(out)
	}
	for _, part := range []string{`"name":"lr"`, `"id":1,"x":{"lr":`, `"value":0.31`, `"cancelled":1`} {
		if !strings.Contains(all, part) {
			t.Errorf("no %s in\n%s", part, all)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
