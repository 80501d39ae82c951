// Package jetstream keeps the journals of studies in two places: each in a SQLite file on the disk of the process that leads, and
// in a stream of NATS JetStream, from which other processes keep files of their own, so that one of them can take over.
//
//	group := &jetstream.Group{Conn: conn, Replicas: 3}
//	term, err := group.Lead(ctx, folder, "host a")          // follows until this process leads, and has everything
//	store, err := term.OpenOrCreate(folder+"/s.db", "s")    // a journal.Store: then tarry.NewStudy, or ResumeStudy
//	<-term.Lost()                                           // another process may lead: close everything, and follow again
//
// # What is safe
//
// Sync sends what was appended to the stream, in one message, and then commits it to the file; nil says that both have it. How
// safe the first is depends on the servers: see docs/standby.md. One message is all or nothing, however large: a batch beyond the
// limit of the server goes in parts, which count when the last is there.
//
// Every message names the sequence number that it wants to follow, so that two processes that write one stream exclude each
// other: whoever takes over appends a claim with its epoch to every stream, and what the one before sends after that is refused
// (ErrFenced). Every message also has a hash of all that came before it. A file keeps the number and the hash up to which it has
// the stream, in the transaction that brought the records.
//
// # What is not known
//
// journal.Appender says that nothing of what was appended is there after an error of Sync. Where the servers do not answer this
// cannot be said: the message may be in the stream, or may still come to be. So after an error the store takes nothing more, and
// who opens the study next reads the stream to its end and appends a claim: what came before the claim happened, though nobody was
// told; what comes after it is refused. The stream is the truth. A file that is not what the stream says is renamed, never
// deleted, and made anew.
package jetstream

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

// The errors of this package; compare with errors.Is.
var (
	ErrFenced     = errors.New("another leader has taken over")
	ErrUnanswered = errors.New("the replicated journal did not answer") // what was sent may be there, or not
	ErrShortened  = errors.New("the stream has lost messages that it had acknowledged")
	ErrDiffers    = errors.New("the file is not what its stream says")
	ErrUnreadable = errors.New("the stream has what this program cannot read") // a newer one may have written it
)

// Group says where the processes that keep the same studies meet. Conn must be set; it may publish to and read the streams and
// the bucket whose names begin with Prefix, see Stream, Subject and Bucket, and use the interface of JetStream for them. All
// processes have the same Prefix.
type Group struct {
	Conn     *nats.Conn
	Prefix   string            // of all names: letters, digits and _; "" means "tarry"
	Replicas int               // of each stream that is made: 1 … 5, odd; 0 means 1. More than one needs as many servers
	MaxBytes int64             // of each stream that is made; 0: as much as the servers have. A full stream takes nothing more
	Patience time.Duration     // how long a message is sent again while nobody answers; 0 means 10 s
	Log      func(text string) // told what happens besides; nil: nobody
}

const (
	usualPrefix   = "tarry"
	usualPatience = 10 * time.Second
	attempt       = 500 * time.Millisecond // how long one answer is waited for, and longer where much is sent
	pause         = 100 * time.Millisecond // between two attempts
	window        = 30 * time.Second       // in which the servers know a message again by its id; more than the usual patience
	longestName   = 100                    // of a study
)

var (
	prefixes = regexp.MustCompile(`^[A-Za-z0-9_]{1,32}$`)
	studies  = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`) // and no more than longestName: a count within takes a millisecond to compile
)

// Validate returns what is wrong with the group, nil when nothing is.
func (g *Group) Validate() error {
	switch {
	case g.Conn == nil:
		return errors.New("Group.Conn = nil: want a connection")
	case !prefixes.MatchString(g.prefix()):
		return fmt.Errorf("Group.Prefix = %q: want 1 … 32 letters, digits and _", g.Prefix)
	case g.Replicas < 0 || g.Replicas > 5 || g.Replicas > 0 && g.Replicas%2 == 0:
		return fmt.Errorf("Group.Replicas = %d: want 1, 3 or 5", g.Replicas)
	case g.MaxBytes < 0:
		return fmt.Errorf("Group.MaxBytes = %d: want ≥ 0", g.MaxBytes)
	case g.Patience < 0:
		return fmt.Errorf("Group.Patience = %v: want ≥ 0", g.Patience)
	}
	return nil
}

// Stream returns the name of the stream of a study. A dot in the name of the study is written as =, which none has.
func (g *Group) Stream(study string) string { return g.prefix() + "-journal-" + plain(study) }

// Subject returns the subject that the stream of a study takes. It has two tokens, the first of which is shared by all studies and
// is no token that a worker may publish to.
func (g *Group) Subject(study string) string { return g.prefix() + "-journal." + plain(study) }

// Bucket returns the name of the key-value bucket with the lease.
func (g *Group) Bucket() string { return g.prefix() + "-lease" }

func plain(study string) string { return strings.ReplaceAll(study, ".", "=") }

// isStudy reports whether a study may have the name.
func isStudy(name string) bool { return len(name) <= longestName && studies.MatchString(name) }

// named returns the study of a stream or a subject; false for those of something else.
func (g *Group) named(name string) (string, bool) {
	rest, ours := strings.CutPrefix(name, g.prefix()+"-journal")
	if !ours || rest == "" || rest[0] != '-' && rest[0] != '.' {
		return "", false
	}
	name = strings.ReplaceAll(rest[1:], "=", ".")
	return name, isStudy(name)
}

func (g *Group) prefix() string {
	if g.Prefix == "" {
		return usualPrefix
	}
	return g.Prefix
}

func (g *Group) patience() time.Duration {
	if g.Patience == 0 {
		return usualPatience
	}
	return g.Patience
}

func (g *Group) say(format string, args ...any) {
	if g.Log != nil {
		g.Log(fmt.Sprintf(format, args...))
	}
}

// config is that of the stream of a study. Nothing is ever removed from it: when it is full it refuses.
func (g *Group) config(study string) natsjs.StreamConfig {
	most := g.MaxBytes
	if most == 0 {
		most = -1
	}
	return natsjs.StreamConfig{
		Name: g.Stream(study), Subjects: []string{g.Subject(study)}, Description: "journal of study " + study,
		Storage: natsjs.FileStorage, Replicas: max(g.Replicas, 1), Retention: natsjs.LimitsPolicy, Discard: natsjs.DiscardNew,
		MaxMsgs: -1, MaxBytes: most, Duplicates: window, AllowDirect: true, DenyDelete: true, DenyPurge: true,
	}
}
