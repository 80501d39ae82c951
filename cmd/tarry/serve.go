package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/internal/serve"
)

// service is the command line of serve.
type service struct {
	door
	untilEOF bool // whether it ends with standard input
}

func newServe() *cobra.Command {
	var s service
	cmd := &cobra.Command{
		Use:   "serve FOLDER [FLAGS]",
		Short: "Answer ask and tell over HTTP, for a folder of studies",
		Long: `Serve the studies of a folder over HTTP: each is a file NAME.db there, and /v1/studies/NAME on the address. What there is to ask is
in /v1/openapi.json. Everything is kept before it is answered. A study is open while it is needed; another process that wants it then is
refused, and so is a second one that wants to serve the folder.

Every caller shows a certificate of an authority of --client-ca, and may do what its role allows: admin everything; asker make
studies, ask and tell; worker ask and tell; viewer look on. The organizational units of a certificate are its roles; or --roles names them, for all
studies or for some:

  {"roles":[{"name":"gpu-1","role":"worker","studies":["lr","net-*"]},{"name":"alice","role":"admin"}]}

The files are read again when they change, and at a SIGHUP. With --without-tls only an address of this machine is served, and whoever
reaches it may do everything.

When it listens it says so on standard error, in one line that ends with its address: "tarry: studies is served on http://127.0.0.1:8080".
With port 0 that is how to learn the port.

An interrupt ends the server in good order: who waits is answered at once, what is under way has 20 s to end, and the studies are closed.
So does the end of standard input with --until-eof, for a program that starts a server of its own: the server goes where the program goes.
` + exitCodes,
		Example: `  tarry serve studies --http 127.0.0.1:8080 --without-tls

  curl -X PUT http://127.0.0.1:8080/v1/studies/lr -H 'Content-Type: application/json' \
    -d '{"space":{"parameters":[{"name":"lr","type":"float","low":1e-5,"high":1,"log":true}]},"options":{"budget":50,"minimize":true}}'

  curl -X POST 'http://127.0.0.1:8080/v1/studies/lr/ask?wait=30s'

  curl -X POST http://127.0.0.1:8080/v1/studies/lr/evaluations/1/tell -H 'Content-Type: application/json' -d '{"value":0.31}'

  tarry serve studies --http 0.0.0.0:8443 --tls-cert server.pem --tls-key server.key --client-ca ca.pem --roles roles.json`,
		Args: cobra.ExactArgs(1), DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	s.flags(f, "127.0.0.1:8080")
	f.IntVar(&s.config.Open, "open", 64, "`STUDIES` that are open at once; of more, the one that nobody needed for longest is closed")
	f.BoolVar(&s.untilEOF, "until-eof", false, "end in good order, with code 0, when standard input ends")
	initiated(cmd)
	completed(cmd)
	cmd.ValidArgsFunction = oneFolder
	return cmd
}

func (s *service) run(cmd *cobra.Command, folder string) (err error) {
	listener, err := s.open(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer listener.Close()
	s.config.Folder, s.config.Export, s.config.Look, s.config.Admit, s.config.Begun = folder, exportTo, lookAt, admitted, begun
	server, err := serve.New(s.config)
	switch {
	case errors.Is(err, serve.ErrInUse):
		return exit{exitInUse, err}
	case err != nil:
		return usage(err)
	}
	defer func() {
		if closed := server.Close(); err == nil {
			err = failure(closed)
		}
	}()
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	signals := make(chan os.Signal, 1)
	if s.config.Keys == nil {
		listen(signals)
	} else {
		listen(signals, syscall.SIGHUP)
	}
	defer signal.Stop(signals)
	s.watch(ctx)
	go func() {
		select {
		case <-signals:
			stop(nil)
		case <-ctx.Done():
		}
	}()
	if s.untilEOF {
		go func() {
			_, _ = io.Copy(io.Discard, cmd.InOrStdin())
			stop(io.EOF)
		}()
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "tarry: %s is served on %s\n", folder, s.url(listener))
	if err := server.Serve(ctx, listener); err != nil {
		return failure(err)
	}
	if errors.Is(context.Cause(ctx), io.EOF) {
		return nil
	}
	return exit{exitInterrupted, fmt.Errorf("interrupted: the studies are kept in %s", folder)}
}

// exportTo writes a study as tarry inspect and tarry report do.
func exportTo(w io.Writer, path, format string) error {
	if format == "html" {
		return reportTo(w, path)
	}
	s, err := inspect(path)
	if err != nil {
		return err
	}
	if format == "csv" {
		return s.writeCSV(w)
	}
	return s.writeJSON(w)
}

// lookAt reads a study that another process may have open.
func lookAt(path string) (portrait.Study, error) {
	s, err := inspect(path)
	if err != nil {
		return portrait.Study{}, err
	}
	return s.study(), nil
}

// admitted says why a study is not for ask and tell.
func admitted(store serve.Texts) error {
	text, err := store.Kept(taskName)
	if err == nil && text != nil {
		err = errors.New("it runs a command, and is gone on with by tarry resume")
	}
	return err
}

// begun marks a study as one that is asked and told, which tarry asktell goes on with too.
func begun(store serve.Texts) error { return store.Keep(sessionName, []byte("{}")) }
