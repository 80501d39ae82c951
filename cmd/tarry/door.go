package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"github.com/tarry-bo/tarry/internal/serve"
)

// door is where callers come in over HTTP, and who is let in: the flags of every command that answers there.
type door struct {
	address string
	plain   bool // without TLS
	keys    serve.KeyFiles
	config  serve.Config

	listener net.Listener // nil: nobody comes in
}

// flags of a door. Where no address is usual, there is no door without one.
func (d *door) flags(f *pflag.FlagSet, usual string) {
	what := "`ADDRESS` to listen on; with port 0, one that is free"
	if usual == "" {
		what = "`ADDRESS` where the study is answered over HTTP while it goes on; with port 0, one that is free"
	}
	f.StringVar(&d.address, "http", usual, what)
	f.BoolVar(&d.plain, "without-tls", false, "answer without TLS, on an address of this machine: whoever reaches it may do everything")
	f.StringVar(&d.keys.Cert, "tls-cert", "", "`FILE` with the certificate of the server, PEM")
	f.StringVar(&d.keys.Key, "tls-key", "", "`FILE` with its key, PEM")
	f.StringVar(&d.keys.ClientCA, "client-ca", "", "`FILE` with the authorities whose certificates callers show, PEM")
	f.StringVar(&d.keys.Revoked, "revoked", "", "`FILE` with the serial numbers of certificates that hold no more, as tarry certify --revoke writes it")
	f.StringVar(&d.keys.Roles, "roles", "", "`FILE` with the roles of callers by the common names of their certificates, JSON; without it their organizational units are roles")
	f.Float64Var(&d.config.Rate, "rate", 0, "`REQUESTS` a second of one address; 0 means no limit")
}

// ajar opens the door of a command that answers over HTTP only where it was asked to.
func (d *door) ajar(log io.Writer) (err error) {
	if d.address == "" {
		return usage(d.closed())
	}
	d.listener, err = d.open(log)
	return err
}

// serve answers for one study until stop is called, which returns what went wrong.
func (d *door) serve(log io.Writer, live *serve.Live) (stop func() error, err error) {
	d.config.Live, d.config.Export, d.config.Look = live, exportTo, lookAt
	server, err := serve.New(d.config)
	if err != nil {
		return nil, usage(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	d.watch(ctx)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, d.listener) }()
	fmt.Fprintf(log, "tarry: the study is served on %s/v1/studies/%s\n", d.url(d.listener), live.Name())
	return func() error {
		cancel()
		return errors.Join(<-ended, server.Close())
	}, nil
}

// shut gives the address free where nothing was served.
func (d *door) shut() {
	if d.listener != nil {
		d.listener.Close()
	}
}

// closed returns why the flags of a door that was not asked for mean nothing.
func (d *door) closed() error {
	for _, f := range []struct{ name, value string }{
		{"--tls-cert", d.keys.Cert}, {"--tls-key", d.keys.Key}, {"--client-ca", d.keys.ClientCA}, {"--roles", d.keys.Roles}, {"--revoked", d.keys.Revoked},
		{"--without-tls", map[bool]string{true: "true"}[d.plain]},
	} {
		if f.value != "" {
			return fmt.Errorf("%s: want --http ADDRESS with it", f.name)
		}
	}
	return nil
}

// open looks at the flags, reads the files and listens, in this order. Log gets the lines of the server.
func (d *door) open(log io.Writer) (net.Listener, error) {
	if err := d.keyed(log); err != nil {
		return nil, err
	}
	return d.listen()
}

// keyed looks at the flags and reads the files.
func (d *door) keyed(log io.Writer) error {
	if err := d.guarded(); err != nil {
		return usage(err)
	}
	d.config.Log = func(line string) { fmt.Fprintln(log, "tarry:", plain(line)) }
	d.config.Loopback = d.plain
	if !d.plain {
		if file := d.keys.Revoked; file != "" && !d.keys.RevokedLater {
			if _, err := os.Stat(file); err != nil {
				return usage(fmt.Errorf("--revoked: %w: want a file, empty where nobody is revoked", err))
			}
		}
		keys, err := serve.OpenKeys(d.keys)
		if err != nil {
			return usage(fmt.Errorf("--tls-cert, --tls-key, --client-ca, --roles and --revoked: %w", err))
		}
		d.config.Keys = keys
	}
	return nil
}

// listen opens the address.
func (d *door) listen() (net.Listener, error) {
	listener, err := net.Listen("tcp", d.address)
	if err != nil {
		return nil, failure(err)
	}
	if d.config.Keys != nil {
		listener = tls.NewListener(listener, d.config.Keys.TLS())
	}
	return listener, nil
}

// url is where a listener of the door is reached.
func (d *door) url(l net.Listener) string {
	if d.plain {
		return "http://" + l.Addr().String()
	}
	return "https://" + l.Addr().String()
}

// guarded returns which flags are missing, or do not go together.
func (d *door) guarded() error {
	host, _, err := net.SplitHostPort(d.address)
	if err != nil {
		return fmt.Errorf("--http %s: %w: want an address as in 127.0.0.1:8080", d.address, err)
	}
	ip := net.ParseIP(host)
	local := host == "localhost" || ip != nil && ip.IsLoopback()
	some := d.keys.Cert != "" || d.keys.Key != "" || d.keys.ClientCA != ""
	all := d.keys.Cert != "" && d.keys.Key != "" && d.keys.ClientCA != ""
	switch {
	case d.plain && some:
		return errors.New("--without-tls: want no --tls-cert, --tls-key and --client-ca with it")
	case some && !all:
		return errors.New("--tls-cert, --tls-key and --client-ca: want all three")
	case d.plain && !local:
		return fmt.Errorf("--http %s: other machines could reach it, and anybody there could do everything: want 127.0.0.1 with --without-tls, or --tls-cert, --tls-key and --client-ca", d.address)
	case !d.plain && !all && local:
		return fmt.Errorf("--http %s: want --tls-cert, --tls-key and --client-ca; or --without-tls, and then whoever is on this machine may do everything", d.address)
	case !d.plain && !all:
		return fmt.Errorf("--http %s: other machines could reach it: want --tls-cert, --tls-key and --client-ca", d.address)
	case d.plain && d.keys.Revoked != "":
		return errors.New("--revoked: want --tls-cert, --tls-key and --client-ca with it, since it is certificates that are revoked")
	case d.plain && d.keys.Roles != "":
		return errors.New("--roles: want --tls-cert, --tls-key and --client-ca with it, since a role is that of a certificate")
	}
	return nil
}

// keyTime is how often the files of certificates and roles are looked at.
const keyTime = 5 * time.Second

// watch reads certificates and roles again when they change, or at a SIGHUP, until the context ends.
func (d *door) watch(ctx context.Context) {
	if d.config.Keys == nil {
		return
	}
	again := make(chan os.Signal, 1)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(again, syscall.SIGHUP)
	}
	go func() {
		defer signal.Stop(again)
		for {
			select {
			case <-again:
				d.config.Keys.Reread(d.config.Log)
			case <-ctx.Done():
				return
			}
		}
	}()
	go d.config.Keys.Watch(ctx, keyTime, d.config.Log)
}
