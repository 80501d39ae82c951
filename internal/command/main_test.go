package command

import (
	"context"
	"errors"
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
		case "__replaced":
			os.Exit(replacedMain(os.Args[2], os.Args[3], os.Args[4]))
		case "__starved":
			os.Exit(starvedMain(os.Args[2], os.Args[3], os.Args[4]))
		case "__sweep":
			if len(os.Args) > 3 {
				leaveGroup() // the group of its ancestors is another one
			}
			if err := Sweep(os.Args[2], func(attempt string, pid int) { fmt.Println("swept", attempt, pid) }); err != nil {
				fmt.Println(err)
			}
			os.Exit(0)
		case "__daemon":
			daemonMain(os.Args[2])
		}
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // the programs that the tests start would take a second to end
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
	if err != nil {
		var failed *Error
		errors.As(err, &failed)
		fmt.Printf("%v: %v\n", failed.Kind, failed)
		return 0
	}
	fmt.Println(o.Value, err)
	return 0
}

// replacedMain is runnerMain in a process whose program is gone, or another one where there is a replacement.
func replacedMain(dir, script, replacement string) int {
	err := os.Remove(os.Args[0])
	if replacement != "" {
		err = errors.Join(err, os.WriteFile(os.Args[0], []byte(replacement), 0o777))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return runnerMain(dir, script)
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
