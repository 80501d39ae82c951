package cluster

import (
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
	"go.uber.org/zap"
)

// gate lets clients of the server in, by their certificates, and puts them out when those hold no more.
type gate struct {
	trust  *Trust
	prefix string
	log    *zap.Logger

	hub, admin string // public keys of the connections from the same process

	mutex  sync.Mutex
	server *server.Server
	inside map[uint64]*x509.Certificate // by the ids of clients; some are gone
	sweep  int                          // how many there may be before those that are gone are forgotten
}

// Check is the server's question whether a client may come in.
func (g *gate) Check(c server.ClientAuthentication) bool {
	from := "this process"
	if a := c.RemoteAddress(); a != nil {
		from = a.String()
	}
	state := c.GetTLSConnectionState()
	if state == nil {
		user := g.ownProgram(c)
		if user == nil {
			g.log.Warn("refused", zap.String("from", from), zap.String("reason", "without TLS, and none of this process"))
			return false
		}
		c.RegisterUser(user)
		return true
	}
	if len(state.VerifiedChains) == 0 || len(state.VerifiedChains[0]) == 0 {
		g.log.Warn("refused", zap.String("from", from), zap.String("reason", "no certificate of an authority that is trusted"))
		return false
	}
	leaf := state.VerifiedChains[0][0]
	refuse := func(reason error) bool {
		g.log.Warn("refused", zap.String("from", from), zap.String("certificate", leaf.Subject.String()), zap.String("serial", Serial(leaf)), zap.NamedError("reason", reason))
		return false
	}
	name, role, err := holder(leaf)
	if err != nil {
		return refuse(err)
	}
	user := &server.User{Username: role + "/" + name, Permissions: permissions(g.prefix, name, role), ConnectionDeadline: leaf.NotAfter}
	if user.Permissions == nil {
		return refuse(fmt.Errorf("its role is %s: want %s or %s; others have HTTP", role, Worker, Admin))
	}
	if err := g.enter(c.GetID(), leaf); err != nil {
		return refuse(err)
	}
	c.RegisterUser(user)
	g.log.Info("connected", zap.String("from", from), zap.String("name", name), zap.String("role", role), zap.Time("until", leaf.NotAfter))
	return true
}

// enter remembers a client, unless its certificate holds no more. Whoever comes in while the files are read again is looked at before or
// after that, never in between.
func (g *gate) enter(id uint64, leaf *x509.Certificate) error {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if err := g.trust.Verify(leaf, time.Now()); err != nil {
		return err
	}
	if len(g.inside) >= g.sweep {
		for id := range g.inside {
			if g.server.GetClient(id) == nil {
				delete(g.inside, id)
			}
		}
		g.sweep = 2*len(g.inside) + 64
	}
	g.inside[id] = leaf
	return nil
}

// review puts out whose certificate holds no more.
func (g *gate) review() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	for id, leaf := range g.inside {
		reason := g.trust.Verify(leaf, time.Now())
		if reason == nil {
			continue
		}
		delete(g.inside, id)
		if g.server.DisconnectClientByID(id) == nil {
			g.log.Warn("disconnected", zap.String("certificate", leaf.Subject.String()), zap.String("serial", Serial(leaf)), zap.NamedError("reason", reason))
		}
	}
}

// ownProgram returns what a connection of the same process may, which signs with a key that never leaves it; nil for any other.
func (g *gate) ownProgram(c server.ClientAuthentication) *server.User {
	given := c.GetOpts()
	if given == nil || given.Nkey == "" || given.Nkey != g.hub && given.Nkey != g.admin {
		return nil
	}
	public, err := nkeys.FromPublicKey(given.Nkey)
	if err != nil {
		return nil
	}
	signature, err := base64.RawURLEncoding.DecodeString(given.Sig)
	if err != nil || public.Verify(c.GetNonce(), signature) != nil {
		return nil
	}
	if given.Nkey == g.admin {
		return &server.User{Username: "tarry", Permissions: all()}
	}
	return &server.User{Username: "tarry/hub", Permissions: hubPermissions(g.prefix)}
}
