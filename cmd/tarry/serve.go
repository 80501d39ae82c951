package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/cluster"
	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/internal/serve"
)

// service is the command line of serve.
type service struct {
	door
	untilEOF bool     // whether it ends with standard input
	standby  bool     // whether it waits for the server that leads to end
	nats     []string // servers of others; none: those of the configuration
	traces   tracing
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
		Example: `  mkdir studies
  tarry serve studies --http 127.0.0.1:8080 --without-tls

  curl -X PUT http://127.0.0.1:8080/v1/studies/lr -H 'Content-Type: application/json' \
    -d '{"space":{"parameters":[{"name":"lr","type":"float","low":1e-5,"high":1,"log":true}]},"options":{"budget":50,"minimize":true}}'

  curl -X POST 'http://127.0.0.1:8080/v1/studies/lr/ask?wait=30s'

  curl -X POST http://127.0.0.1:8080/v1/studies/lr/evaluations/1/tell -H 'Content-Type: application/json' -d '{"value":0.31}'

  tarry serve studies --http 0.0.0.0:8443 --tls-cert server.pem --tls-key server.key --client-ca ca.pem --roles roles.json`,
		Args: exactly("FOLDER"), DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	s.flags(f, "127.0.0.1:8080")
	f.IntVar(&s.config.Open, "open", 64, "`STUDIES` that are open at once; of more, the one that nobody needed for longest is closed")
	f.BoolVar(&s.standby, "standby", false, "follow the server that leads, and take over when it ends (a folder with tarry.json)")
	f.StringSliceVar(&s.nats, "nats", nil, "`URLS` of NATS servers of your own, in place of the one inside (a folder with tarry.json)")
	f.StringVar(&s.traces.url, "otlp", "", tracingUsage)
	f.BoolVar(&s.untilEOF, "until-eof", false, "end in good order, with code 0, when standard input ends")
	initiated(cmd)
	completed(cmd)
	cmd.ValidArgsFunction = oneFolder
	return cmd
}

func (s *service) run(cmd *cobra.Command, folder string) (err error) {
	log := cmd.ErrOrStderr()
	m, folder, err := s.equip(cmd, folder)
	if err != nil {
		return err
	}
	if m == nil { // else a second server of the folder is told so first
		if err := serve.CheckFolder(folder); err != nil {
			return usage(err)
		}
		if s.listener, err = s.open(log); err != nil {
			return err
		}
		defer s.shut()
	} else if err := s.keyed(log); err != nil {
		return err
	}
	s.config.Folder, s.config.Export, s.config.Look, s.config.Admit, s.config.Begun = folder, exportTo, lookAt, admitted, begun
	server, err := serve.New(s.config)
	switch {
	case errors.Is(err, serve.ErrInUse):
		return exit{exitInUse, err}
	case err != nil:
		return usage(check.Renamed(err, "Config.Rate", "--rate", "Config.Open", "--open"))
	}
	ctx, stop := s.heed(cmd)
	defer stop(nil)
	defer func() {
		m.rest() // so that the workers go on while the studies are closed
		closed := server.Close()
		m.dismiss()
		s.traces.close()
		if err == nil {
			err = failure(closed)
		}
	}()
	if m != nil {
		defer s.shut()
		if err := s.begin(ctx, m, log); err != nil {
			return s.ended(ctx, folder, err)
		}
		server.Wake()
	}
	s.watch(ctx)
	fmt.Fprintf(log, "tarry: %s is served on %s\n", folder, s.url(s.listener))
	go func() {
		select {
		case <-m.lost():
			stop(errDeposed)
		case <-ctx.Done():
		}
	}()
	return s.ended(ctx, folder, server.Serve(ctx, s.listener))
}

var errDeposed = errors.New("another server may lead from now on: what was acknowledged is in the journal. Start this one again with --standby")

// equip returns what a configuration wants, and its folder of studies; nil where there is none.
func (s *service) equip(cmd *cobra.Command, folder string) (*machines, string, error) {
	config, err := configured(folder)
	if err != nil {
		return nil, "", err
	}
	if config == nil {
		if s.standby || len(s.nats) > 0 || s.traces.url != "" {
			return nil, "", usage(fmt.Errorf("--standby, --nats and --otlp: want a folder with %s, as tarry serve --init makes it", cluster.ConfigName))
		}
		return nil, folder, nil
	}
	for _, name := range []string{"tls-cert", "tls-key", "client-ca", "roles", "revoked", "without-tls"} {
		if cmd.Flags().Changed(name) {
			return nil, "", usage(fmt.Errorf("--%s: want it in %s, which says who is let in", name, cluster.ConfigName))
		}
	}
	if len(s.nats) > 0 {
		if err := cluster.CheckURLs("--nats", s.nats); err != nil {
			return nil, "", usage(err)
		}
		if config.NATS.URLs, config.NATS.Address = s.nats, ""; config.TLS.Client == "" {
			config.TLS.Client = filepath.Join(filepath.Dir(config.TLS.CA), "admin.pem")
		}
	}
	if !cmd.Flags().Changed("http") {
		s.address = config.HTTP
	}
	s.keys = serve.KeyFiles{Cert: config.TLS.Cert, Key: config.TLS.Key, ClientCA: config.TLS.CA, Roles: config.TLS.Roles, Revoked: config.TLS.Revoked, RevokedLater: cluster.RevokedLater(config.TLS.Revoked)}
	m, err := newMachines(*config, cmd.ErrOrStderr())
	if err == nil {
		m.tracer, err = s.traces.open("tarry serve")
	}
	if err != nil {
		return nil, "", err
	}
	if config.NATS.Address != "" || len(config.NATS.URLs) > 0 {
		s.config.Remote, s.config.Hold, s.config.Workers = m.crewed, m.hold, m.workers
		if s.config.Metrics, err = m.metrics(); err != nil {
			return nil, "", failure(err)
		}
	}
	if config.Standby.Replicas > 0 {
		s.config.Store = m.store
	}
	return m, config.Studies, nil
}

// begin listens, and connects to the workers once this process leads.
func (s *service) begin(ctx context.Context, m *machines, log io.Writer) (err error) {
	if s.listener, err = s.listen(); err != nil {
		return err
	}
	if s.standby { // the address is free, and whoever calls who only follows is refused at once
		s.shut()
	}
	if err := m.connect(ctx); err != nil {
		return err
	}
	hub, admin, err := m.connections()
	if err != nil {
		return failure(err)
	}
	if m.config.Standby.Replicas > 0 && s.standby {
		fmt.Fprintf(log, "tarry: %s follows the server that leads, and takes over when it ends\n", m.config.Studies)
	}
	if err := m.lead(ctx, admin, s.standby); err != nil {
		return err
	}
	if s.standby {
		if s.listener, err = s.listen(); err != nil {
			return err
		}
	}
	if hub != nil {
		if err := m.man(ctx, hub, admin); err != nil {
			return err
		}
		fmt.Fprintf(log, "tarry: workers come to %s\n", m.where())
	}
	return nil
}

// heed returns a context that ends with a signal, or, where that is wanted, with standard input.
func (s *service) heed(cmd *cobra.Command) (context.Context, context.CancelCauseFunc) {
	ctx, stop := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	if s.config.Keys == nil {
		listen(signals)
	} else {
		listen(signals, syscall.SIGHUP)
	}
	go func() {
		defer signal.Stop(signals)
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
	return ctx, stop
}

// ended is the error of the program once it serves no longer.
func (s *service) ended(ctx context.Context, folder string, err error) error {
	cause := context.Cause(ctx)
	var known exit
	switch {
	case errors.As(err, &known) && !errors.Is(err, context.Canceled): // else it was ended before it served
		return err
	case errors.Is(cause, errDeposed):
		return failure(errDeposed)
	case errors.Is(cause, io.EOF):
		return nil
	case ctx.Err() != nil:
		return exit{exitInterrupted, fmt.Errorf("interrupted: the studies are kept in %s", folder)}
	}
	return failure(err)
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
