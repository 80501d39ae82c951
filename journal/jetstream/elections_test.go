package jetstream

import (
	"os"
	"time"
	_ "unsafe" // for go:linkname

	_ "github.com/nats-io/nats-server/v2/server"
)

// quickElections, when set, lets the servers of the tests choose their leaders a quarter as slowly as they do by themselves, for which
// they have no option.
const quickElections = "TARRY_JETSTREAM_TEST_QUICK_ELECTIONS"

//go:linkname minElectionTimeout github.com/nats-io/nats-server/v2/server.minElectionTimeout
var minElectionTimeout time.Duration

//go:linkname maxElectionTimeout github.com/nats-io/nats-server/v2/server.maxElectionTimeout
var maxElectionTimeout time.Duration

//go:linkname hbInterval github.com/nats-io/nats-server/v2/server.hbInterval
var hbInterval time.Duration

func init() {
	if os.Getenv(quickElections) != "" {
		minElectionTimeout, maxElectionTimeout, hbInterval = minElectionTimeout/4, maxElectionTimeout/4, hbInterval/4
	}
}
