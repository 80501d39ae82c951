package main

import (
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// listened are the signals that end a session in good order. One that was ignored when the program began, as under nohup or
// in the background of a script, stays ignored.
func listened() []os.Signal {
	var out []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			out = append(out, s)
		}
	}
	return out
}

// listen sends these signals to the channel, but for those that mean something else to the command. Without any of them nothing is sent.
func listen(signals chan<- os.Signal, but ...os.Signal) {
	heard := slices.DeleteFunc(listened(), func(s os.Signal) bool { return slices.Contains(but, s) })
	if len(heard) > 0 { // Notify takes none for all
		signal.Notify(signals, heard...)
	}
}
