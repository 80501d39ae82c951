package command

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// The test binary stands in for the programs that tests need as processes of their own.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "__run":
			os.Exit(Shim(os.Args[2:]))
		case "__runner":
			os.Exit(runnerMain(os.Args[2], os.Args[3]))
		case "__daemon":
			daemonMain(os.Args[2])
		}
	}
	goleak.VerifyTestMain(m)
}

// runnerMain is a process that runs the first attempt of the first evaluation, for tests that kill it.
func runnerMain(dir, script string) int {
	r, err := newRunner(dir, script)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	o, err := r.Run(context.Background(), 1, 1, point)
	fmt.Println(o, err)
	return 0
}

// daemonMain leaves everything behind by which a descendant might be found but its parents and its environment.
func daemonMain(pidFile string) {
	leaveSession()
	if err := os.WriteFile(pidFile, fmt.Appendln(nil, os.Getpid()), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	time.Sleep(time.Hour)
}
