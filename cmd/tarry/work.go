package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/tarry-bo/tarry/internal/cluster"
	"github.com/tarry-bo/tarry/remote"
)

// worker is the command line of work.
type worker struct {
	task
	servers []string
	files   cluster.Files
	prefix  string
	slots   int
	labels  []string
	study   string
	quiet   bool
	traces  tracing
}

func newWork() *cobra.Command {
	w := worker{task: task{MaxOutput: 64 << 20}}
	cmd := &cobra.Command{
		Use:   "work --server URL --ca FILE --cert FILE --key FILE [FLAGS] -- COMMAND [ARGUMENTS]",
		Short: "Evaluate queries of studies on another machine",
		Long: `Run a command for each query that a server gives out, as tarry tune does, and bring what it said back. The server is tarry serve on a folder that
tarry serve --init made; its studies say whether they want workers, and what these must have. A worker connects to the server and opens no
port of its own.

The command is written as for tarry tune: {lr} stands for the value of the parameter lr, the values are also in the environment and in a file,
the last line of standard output is the value, lines such as {"report":0.2,"step":3} are values on the way, and exit codes say what is
infeasible or preempted. A study whose parameters the command does not take is declined, and other workers get it. So is one of which the first
ten attempts here all fail: a machine that lacks something would be the fastest of all, and spend the budget (--max-failures).

A worker that is killed, frozen or cut off is missed after three heartbeats, and its evaluations start elsewhere. What it brings later is late, and
counts. The first interrupt lets what runs come to its end and takes nothing new; the second gives it back, as SIGTERM and SIGHUP do at once.

A server that does not answer is waited for, also at first. A worker that it refuses ends at once, and says why.
` + exitCodes,
		Example: `  tarry serve --init cluster && tarry serve cluster
  tarry work --server tls://localhost:4222 --ca cluster/ca.pem --cert cluster/worker.pem --key cluster/worker.key --slots 8 -- ./train.sh --lr {lr}
  tarry work --server tls://tune.example.org:4222 --ca ca.pem --cert gpu-1.pem --key gpu-1.key --label gpu --study lr -- ./train.sh --lr {lr}`,
		Args: cobra.ArbitraryArgs, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := commanded(cmd, args, "tarry work --server tls://localhost:4222 --ca ca.pem --cert worker.pem -- ./train.sh {lr}"); err != nil {
				return usage(err)
			}
			w.Command = args
			return w.run(cmd)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&w.servers, "server", nil, "`URLS` of the server, as in tls://tune.example.org:4222")
	f.StringVar(&w.files.CA, "ca", "ca.pem", "`FILE` with the authority of the server, PEM")
	f.StringVar(&w.files.Cert, "cert", "worker.pem", "`FILE` with the certificate of this worker, PEM")
	f.StringVar(&w.files.Key, "key", "", "`FILE` with its key, PEM; by default beside the certificate")
	f.StringVar(&w.prefix, "prefix", remote.DefaultPrefix, "`WORD` with which the subjects of the server begin")
	f.IntVar(&w.slots, "slots", 1, "`EVALUATIONS` at once")
	f.StringSliceVar(&w.labels, "label", nil, "`LABELS` of what this worker has, for studies that need it")
	f.StringVar(&w.study, "study", "", "`NAME` of the only study to work for")
	f.StringVar(&w.Logs, "logs", "", "`FOLDER` for what commands print; by default tarry-work.logs, or tarry-work-2.logs where another worker has that")
	f.DurationVar(&w.Grace, "grace", 2*time.Second, "`TIME` between SIGTERM and SIGKILL")
	f.IntVar(&w.Infeasible, "infeasible-code", 65, "exit `CODE` of a command whose point is infeasible; -1 for none")
	f.IntVar(&w.Lost, "lost-code", 75, "exit `CODE` of a command that was preempted; -1 for none")
	f.IntVar(&w.MaxFailures, "max-failures", mostFailures, "`ATTEMPTS` of a study that may fail at first, all of them: then this machine lacks something, and the study is declined; 0 means as many as there are")
	f.Var(&w.MaxOutput, "max-output", "`SIZE` of what is kept of each output of an attempt, as in 500kB, 10MB or 64MiB; 0 means all")
	f.StringVar(&w.traces.url, "otlp", "", tracingUsage)
	f.BoolVarP(&w.quiet, "quiet", "q", false, "say only what is wrong")
	completed(cmd)
	return cmd
}

func (w *worker) run(cmd *cobra.Command) (err error) {
	log := cmd.ErrOrStderr()
	if w.WorkDir, err = os.Getwd(); err != nil {
		return failure(err)
	}
	if w.files.Key == "" {
		w.files.Key = strings.TrimSuffix(w.files.Cert, filepath.Ext(w.files.Cert)) + ".key"
	}
	say := logger(log, w.quiet)
	shift := &shift{worker: w, log: say, posts: map[string]*post{}}
	drain := make(chan struct{})
	crew := remote.Worker{Evaluate: shift.evaluate, Slots: w.slots, Labels: w.labels, Study: w.study, Prefix: w.prefix, Drain: drain, Grace: w.Grace + 10*time.Second, Logger: say}
	if err := w.fits(crew); err != nil {
		return usage(err)
	}
	if crew.Tracer, err = w.traces.open("tarry work"); err != nil {
		return err
	}
	defer w.traces.close()
	conn, name, err := w.reach(log, say)
	if err != nil {
		return err
	}
	defer conn.Close()
	crew.Name = name
	folder, leave, err := desk(log, w.Logs)
	if err != nil {
		return err
	}
	defer leave()
	w.Logs = folder
	if !w.quiet {
		fmt.Fprintf(log, "tarry: %s works for %s, %d at once\n", name, strings.Join(w.servers, ", "), w.slots)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	crew.Drains = func(l remote.Left) {
		if ctx.Err() == nil {
			fmt.Fprintln(log, w.drains(l))
		}
	}
	interrupted := w.heed(log, drain, stop)
	err = crew.Work(ctx, conn)
	switch {
	case interrupted():
		return exit{exitInterrupted, errors.New("interrupted")}
	case errors.Is(err, remote.ErrRefused):
		return usage(err)
	}
	return failure(err)
}

// reachPause is how long a worker waits before it looks for its server again, at the least.
const reachPause = 500 * time.Millisecond

// reach connects to the server, and waits for one that does not answer: that is said once. A signal ends the wait.
func (w *worker) reach(log io.Writer, say *zap.Logger) (conn *nats.Conn, name string, err error) {
	signals := make(chan os.Signal, 4)
	listen(signals)
	defer signal.Stop(signals)
	for said := false; ; said = true {
		conn, name, err = cluster.Dial(cluster.Client{Files: w.files, URLs: w.servers, Log: say})
		if !errors.Is(err, cluster.ErrUnreachable) {
			return conn, name, usage(err)
		}
		if !said {
			fmt.Fprintf(log, "tarry: %v; waiting for it\n", err)
		}
		select {
		case <-signals:
			return nil, "", exit{exitInterrupted, errors.New("interrupted")}
		case <-time.After(reachPause + rand.N(reachPause)):
		}
	}
}
