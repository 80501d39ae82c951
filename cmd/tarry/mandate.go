package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/tarry-bo/tarry/internal/command"
)

// mandate is what workers know their servers by. It is kept twice, in JetStream for all servers of the studies, and in the folder of each:
// whichever is lost or older than the other, a server that begins is later than every one before.
type mandate struct {
	Key   []byte `json:"key"`   // of the tokens, so that an answer to a server that is gone counts
	Epoch uint64 `json:"epoch"` // of the latest server
}

// mandateName is its file beside the studies, for the eyes of the server alone. Its epoch is the text of a key in JetStream.
const (
	mandateName = ".tarry-hub.json"
	epochKey    = "epoch"
	tokenKey    = "key"
	tokenBytes  = 32
)

// readMandate is the one that a folder has; the zero value where there is none.
func readMandate(folder string) (m mandate, err error) {
	path := filepath.Join(folder, mandateName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return mandate{}, nil
	}
	if err != nil {
		return mandate{}, err
	}
	if err := json.Unmarshal(text, &m); err != nil || len(m.Key) != tokenBytes {
		return mandate{}, fmt.Errorf("%s is damaged: want it as it was, or none where NATS still has its data", path)
	}
	return m, nil
}

// keep writes it to a folder.
func (m mandate) keep(folder string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return command.WriteWhole(filepath.Join(folder, mandateName), text, 0o600)
}

// mandateBucket is where it is in JetStream.
func (m *machines) mandateBucket() string { return m.config.NATS.Prefix + "-hub" }

// begins returns the mandate of this server, once JetStream and the folder have it.
func (m *machines) begins(ctx context.Context, admin *nats.Conn) (mandate, error) {
	known, err := readMandate(m.config.Studies)
	if err != nil {
		return known, err
	}
	js, err := natsjs.New(admin)
	if err != nil {
		return known, err
	}
	bucket, err := js.CreateOrUpdateKeyValue(ctx, natsjs.KeyValueConfig{
		Bucket: m.mandateBucket(), History: 1, Replicas: max(m.config.Standby.Replicas, 1), MaxValueSize: 1 << 10,
	})
	if err != nil {
		return known, err
	}
	if known.Key, err = agreedKey(ctx, bucket, known.Key); err != nil {
		return known, err
	}
	if known.Epoch, err = nextEpoch(ctx, bucket, known.Epoch); err != nil {
		return known, err
	}
	return known, known.keep(m.config.Studies)
}

// agreedKey is the key that is in JetStream: where there is none the one of the folder, or a new one.
func agreedKey(ctx context.Context, bucket natsjs.KeyValue, known []byte) ([]byte, error) {
	if known == nil {
		known = make([]byte, tokenBytes)
		rand.Read(known) // it never fails
	}
	if _, err := bucket.Create(ctx, tokenKey, known); err != nil && !errors.Is(err, natsjs.ErrKeyExists) {
		return nil, err
	}
	entry, err := bucket.Get(ctx, tokenKey)
	if err != nil {
		return nil, err
	}
	return entry.Value(), nil
}

// nextEpoch takes the epoch after those of JetStream and of the folder.
func nextEpoch(ctx context.Context, bucket natsjs.KeyValue, known uint64) (uint64, error) {
	for {
		last, err := bucket.Get(ctx, epochKey)
		next := known + 1
		switch {
		case err == nil:
			next = max(known, epochOf(last)) + 1
			_, err = bucket.Update(ctx, epochKey, strconv.AppendUint(nil, next, 10), last.Revision())
		case errors.Is(err, natsjs.ErrKeyNotFound):
			_, err = bucket.Create(ctx, epochKey, strconv.AppendUint(nil, next, 10))
		}
		if !errors.Is(err, natsjs.ErrKeyRevisionMismatch) && !errors.Is(err, natsjs.ErrKeyExists) { // else another server has begun meanwhile
			return next, err
		}
	}
}

// epochOf is the epoch that JetStream has: the text, or the revision where an older program has written another text.
func epochOf(entry natsjs.KeyValueEntry) uint64 {
	epoch, err := strconv.ParseUint(string(entry.Value()), 10, 64)
	if err != nil {
		return entry.Revision()
	}
	return epoch
}

// copying is how often a standby looks at the mandate of the server that leads.
const copying = time.Second

// copies keeps the mandate of the server that leads in the folder of this one, which may come after it where JetStream has nothing any more.
// It ends with the context.
func (m *machines) copies(ctx context.Context, admin *nats.Conn) {
	js, err := natsjs.New(admin)
	if err != nil {
		return
	}
	for {
		if err := m.copy(ctx, js); err != nil && ctx.Err() == nil {
			m.log.Warn("what workers know the server by is not copied: " + err.Error())
			return
		}
		select {
		case <-time.After(copying):
		case <-ctx.Done():
			return
		}
	}
}

// copy does so once, where JetStream answers and has something new. The error is that of the folder.
func (m *machines) copy(ctx context.Context, js natsjs.JetStream) error {
	bucket, err := js.KeyValue(ctx, m.mandateBucket())
	if err != nil {
		return nil
	}
	key, missing := bucket.Get(ctx, tokenKey)
	epoch, none := bucket.Get(ctx, epochKey)
	if missing != nil || none != nil || len(key.Value()) != tokenBytes {
		return nil
	}
	known, err := readMandate(m.config.Studies)
	if err != nil || epochOf(epoch) <= known.Epoch {
		return err
	}
	return mandate{key.Value(), epochOf(epoch)}.keep(m.config.Studies)
}

// beside lets copies go on until what it returns is called, which returns when it has ended.
func (m *machines) beside(ctx context.Context, admin *nats.Conn) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); m.copies(ctx, admin) }()
	return func() { stop(); <-done }
}
