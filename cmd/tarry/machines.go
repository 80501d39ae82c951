package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/cluster"
	"github.com/tarry-bo/tarry/internal/serve"
	"github.com/tarry-bo/tarry/journal/jetstream"
	"github.com/tarry-bo/tarry/remote"
)

// machines is what tarry serve has besides studies where it has a configuration: workers on other machines, and perhaps a standby.
type machines struct {
	config   cluster.Config
	trust    *cluster.Trust
	log      *zap.Logger
	embedded *cluster.Embedded // nil: the servers of others
	own      *nats.Conn        // to those; nil: embedded
	hub      atomic.Pointer[remote.Hub]
	tracer   trace.TracerProvider // nil: none
	term     *jetstream.Term      // nil: the journals are not replicated
}

// configured returns the configuration at a path: the file, or the one in a folder; nil where the path is a folder of studies alone.
func configured(path string) (*cluster.Config, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil // it is said by who wants the folder
	}
	if info.IsDir() {
		if _, err := os.Stat(filepath.Join(path, cluster.ConfigName)); err != nil {
			return nil, nil
		}
	}
	config, err := cluster.ReadConfig(path)
	if err != nil {
		return nil, usage(err)
	}
	return &config, nil
}

// newMachines reads the certificates. The log is one object of JSON a line.
func newMachines(config cluster.Config, log io.Writer) (*machines, error) {
	trust, err := cluster.OpenTrust(config.Files())
	if err != nil {
		return nil, usage(err)
	}
	return &machines{config: config, trust: trust, log: logger(log, false)}, nil
}

// logger writes one object of JSON a line: what is worth knowing, or what is wrong alone.
func logger(out io.Writer, wrong bool) *zap.Logger {
	level := zap.InfoLevel
	if wrong {
		level = zap.WarnLevel
	}
	encoder := zap.NewProductionEncoderConfig()
	encoder.EncodeTime, encoder.EncodeDuration = zapcore.RFC3339NanoTimeEncoder, zapcore.StringDurationEncoder
	return zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(encoder), zapcore.Lock(zapcore.AddSync(out)), level))
}

// connect starts the server for workers, or connects to the servers of others.
func (m *machines) connect(ctx context.Context) (err error) {
	n := m.config.NATS
	switch {
	case n.Address != "":
		m.embedded, err = cluster.Start(cluster.Options{
			Address: n.Address, Trust: m.trust, Store: n.Store, Prefix: n.Prefix, Connections: n.Connections, SyncAlways: n.Sync, Log: m.log,
		})
	case len(n.URLs) > 0:
		m.own, _, err = cluster.Dial(cluster.Client{Files: m.config.ClientFiles(), URLs: n.URLs, Log: m.log})
	}
	if err == nil {
		go m.trust.Watch(ctx, keyTime, func(line string) { m.log.Warn(line) })
	}
	return failure(err)
}

// connections returns that of the hub, which may speak to workers alone, and one that may use JetStream; nil without NATS.
func (m *machines) connections() (hub, admin *nats.Conn, err error) {
	if m.embedded == nil {
		return m.own, m.own, nil
	}
	if hub, err = m.embedded.Hub(); err == nil {
		admin, err = m.embedded.Admin()
	}
	return hub, admin, err
}

// leadTime is how long a server that is no standby waits for one that is gone to be taken for it.
const leadTime = 10 * time.Second

// lead returns when this process may write the studies: at once, or, where they are replicated, when no other leads.
func (m *machines) lead(ctx context.Context, admin *nats.Conn, standby bool) error {
	replicas := m.config.Standby.Replicas
	if replicas == 0 {
		if standby {
			return usage(errors.New("--standby: want standby.replicas 1, 3 or 5 in the configuration, so that there is a journal to follow"))
		}
		return nil
	}
	g := jetstream.Group{
		Conn: admin, Prefix: strings.ReplaceAll(m.config.NATS.Prefix, "-", "_"), Replicas: replicas, Log: func(line string) { m.log.Info(line) },
	}
	host, err := os.Hostname()
	if err != nil {
		return failure(err)
	}
	waiting := ctx
	if standby {
		defer m.beside(ctx, admin)()
	} else {
		var stop context.CancelFunc
		waiting, stop = context.WithTimeout(ctx, leadTime)
		defer stop()
	}
	m.term, err = g.Lead(waiting, m.config.Studies, fmt.Sprintf("%s, process %d", host, os.Getpid()))
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return exit{exitInUse, errors.New("another server leads: want --standby, to take over from it when it ends")}
	}
	return failure(err)
}

// man begins to hear workers.
func (m *machines) man(ctx context.Context, conn, admin *nats.Conn) error {
	known, err := m.begins(ctx, admin)
	if err != nil {
		return failure(fmt.Errorf("what workers know the server by: %w", err))
	}
	hub, err := remote.NewHub(conn, remote.Options{
		Key: known.Key, Epoch: known.Epoch, Prefix: m.config.NATS.Prefix, Heartbeat: time.Duration(m.config.Workers.Heartbeat), Missed: m.config.Workers.Missed, Logger: m.log, Tracer: m.tracer,
	})
	m.hub.Store(hub)
	return failure(err)
}

// crewed lets remote workers evaluate what a study asks.
func (m *machines) crewed(o *tarry.Options, _ string, needs []string) {
	o.Remote, o.Logger = m.hub.Load().With(needs...), m.log
}

// hold lets remote workers begin nothing more of a study, or go on.
func (m *machines) hold(study string, on bool) { m.hub.Load().Hold(study, on) }

// store opens a replicated journal.
func (m *machines) store(path, study string, create bool) (serve.Store, error) {
	if create {
		return m.term.OpenOrCreate(path, study)
	}
	return m.term.Open(path, study)
}

// lost is closed when another may lead.
func (m *machines) lost() <-chan struct{} {
	if m == nil || m.term == nil {
		return nil
	}
	return m.term.Lost()
}

// metrics are those of the server, and how many workers there are.
func (m *machines) metrics() (*serve.Metrics, error) {
	all, err := serve.NewMetrics()
	if err != nil {
		return nil, err
	}
	return all, all.Workers(func() (f serve.Force) {
		hub := m.hub.Load()
		if hub == nil {
			return f
		}
		for _, w := range hub.Workers() {
			f.Workers, f.Slots = f.Workers+1, f.Slots+w.Slots
			for _, n := range w.Running {
				f.Running += n
			}
		}
		return f
	})
}

// workers are those of the hub, for the page.
func (m *machines) workers() (all []serve.Worker) {
	if hub := m.hub.Load(); hub != nil {
		for _, w := range hub.Workers() {
			all = append(all, serve.Worker{
				Name: w.Name, Instance: w.Instance, Slots: w.Slots, Labels: w.Labels, Study: w.Study, Running: w.Running,
				Declined: w.Declined, Heard: w.Heard,
			})
		}
	}
	return all
}

// where workers find the server.
func (m *machines) where() string {
	if m.embedded != nil {
		return m.embedded.URL()
	}
	return strings.Join(m.config.NATS.URLs, ", ")
}

// rest hears workers no longer.
func (m *machines) rest() {
	if m == nil {
		return
	}
	if hub := m.hub.Load(); hub != nil {
		hub.Close()
	}
}

// dismiss ends what the studies needed, once they are closed.
func (m *machines) dismiss() {
	if m == nil {
		return
	}
	if m.term != nil {
		ctx, stop := context.WithTimeout(context.Background(), 2*time.Second)
		_ = m.term.End(ctx) // else the lease ends by itself
		stop()
	}
	if m.own != nil {
		m.own.Close()
	}
	if m.embedded != nil {
		m.embedded.Close()
	}
}
