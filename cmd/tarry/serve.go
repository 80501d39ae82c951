package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/internal/serve"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// service is the command line of serve.
type service struct {
	address           string
	cert, key, client string // files of TLS
	config            serve.Config
}

func newServe() *cobra.Command {
	var s service
	cmd := &cobra.Command{
		Use:   "serve FOLDER [FLAGS]",
		Short: "Answer ask and tell over HTTP, for a folder of studies",
		Long: `Serve the studies of a folder over HTTP: each is a file NAME.db there, and /v1/studies/NAME on the address. What there is to ask is
in /v1/openapi.json. Everything is kept before it is answered. A study is open while it is needed; another process that wants it then is
refused, and so is a second one that wants to serve the folder.

Without TLS only an address of this machine is served, and whoever can reach it may do everything. Elsewhere --tls-cert, --tls-key and
--client-ca are needed: then every caller has to show a certificate of that authority.

An interrupt ends the server in good order: who waits is answered at once, what is under way has 20 s to end, and the studies are closed.
` + exitCodes,
		Example: `  tarry serve studies --http 127.0.0.1:8080

  curl -X PUT http://127.0.0.1:8080/v1/studies/lr -H 'Content-Type: application/json' \
    -d '{"space":{"parameters":[{"name":"lr","type":"float","low":1e-5,"high":1,"log":true}]},"options":{"budget":50,"minimize":true}}'

  curl -X POST 'http://127.0.0.1:8080/v1/studies/lr/ask?wait=30s'

  curl -X POST http://127.0.0.1:8080/v1/studies/lr/evaluations/1/tell -H 'Content-Type: application/json' -d '{"value":0.31}'

  tarry serve studies --http 0.0.0.0:8443 --tls-cert server.pem --tls-key server.key --client-ca ca.pem`,
		Args: cobra.ExactArgs(1), DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&s.address, "http", "127.0.0.1:8080", "`ADDRESS` to listen on; with port 0, one that is free")
	f.StringVar(&s.cert, "tls-cert", "", "`FILE` with the certificate of the server, PEM")
	f.StringVar(&s.key, "tls-key", "", "`FILE` with its key, PEM")
	f.StringVar(&s.client, "client-ca", "", "`FILE` with the authorities whose certificates callers show, PEM")
	f.IntVar(&s.config.Open, "open", 64, "`STUDIES` that are open at once; of more, the one that nobody needed for longest is closed")
	f.Float64Var(&s.config.Rate, "rate", 0, "`REQUESTS` a second of one address; 0 means no limit")
	completed(cmd)
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return cmd
}

func (s *service) run(cmd *cobra.Command, folder string) (err error) {
	secure, err := s.secure()
	if err != nil {
		return usage(err)
	}
	if s.config.Loopback, err = s.loopback(secure != nil); err != nil {
		return usage(err)
	}
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
	listener, err := net.Listen("tcp", s.address)
	if err != nil {
		return failure(err)
	}
	scheme := "http"
	if secure != nil {
		listener, scheme = tls.NewListener(listener, secure), "https"
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	signals := make(chan os.Signal, 1)
	listen(signals)
	defer signal.Stop(signals)
	go func() {
		select {
		case <-signals:
			stop()
		case <-ctx.Done():
		}
	}()
	fmt.Fprintf(cmd.ErrOrStderr(), "tarry: %s is served on %s://%s\n", folder, scheme, listener.Addr())
	if err := server.Serve(ctx, listener); err != nil {
		return failure(err)
	}
	return exit{exitInterrupted, fmt.Errorf("interrupted: the studies are kept in %s", folder)}
}

// loopback reports whether the address is one of this machine only, and refuses any other without TLS.
func (s *service) loopback(secure bool) (bool, error) {
	host, _, err := net.SplitHostPort(s.address)
	if err != nil {
		return false, fmt.Errorf("--http %s: %w: want an address as in 127.0.0.1:8080", s.address, err)
	}
	ip := net.ParseIP(host)
	local := host == "localhost" || ip != nil && ip.IsLoopback()
	if !local && !secure {
		return false, fmt.Errorf("--http %s: other machines could reach it, and anybody there could do everything: want 127.0.0.1, or --tls-cert, --tls-key and --client-ca", s.address)
	}
	return local && !secure, nil
}

// secure is how callers are let in; nil without TLS.
func (s *service) secure() (*tls.Config, error) {
	if s.cert == "" && s.key == "" && s.client == "" {
		return nil, nil
	}
	if s.cert == "" || s.key == "" || s.client == "" {
		return nil, errors.New("--tls-cert, --tls-key and --client-ca: want all three or none")
	}
	pair, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert and --tls-key: %w", err)
	}
	text, err := os.ReadFile(s.client)
	if err != nil {
		return nil, fmt.Errorf("--client-ca: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("--client-ca %s: no certificate in it: want PEM", s.client)
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{pair}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert,
	}, nil
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
func admitted(store *sqlite.Store) error {
	text, err := store.Kept(taskName)
	if err == nil && text != nil {
		err = errors.New("it runs a command, and is gone on with by tarry resume")
	}
	return err
}

// begun marks a study as one that is asked and told, which tarry asktell goes on with too.
func begun(store *sqlite.Store) error { return store.Keep(sessionName, []byte("{}")) }
