package cluster

import "github.com/nats-io/nats-server/v2/server"

// InboxPrefix is where the replies to a client of this name come: nobody else but an admin hears them.
func InboxPrefix(name string) string { return "_IN." + name }

// workerWords are the subjects that a worker publishes below its own name, as in PREFIX.result.NAME.INSTANCE.
var workerWords = []string{"join", "study", "hb", "result", "report", "leave"}

// only allows these subjects. An empty list allows nothing, where nil would allow everything.
func only(subjects ...string) *server.SubjectPermission {
	return &server.SubjectPermission{Allow: append([]string{}, subjects...)}
}

func all() *server.Permissions {
	return &server.Permissions{Publish: only(">"), Subscribe: only(">")}
}

// permissions are those of a role, for the holder of a name; nil where it has none.
func permissions(prefix, name, role string) *server.Permissions {
	switch role {
	case Admin:
		return all()
	case Worker:
		var said []string
		for _, word := range workerWords {
			said = append(said, prefix+"."+word+"."+name+".>")
		}
		return &server.Permissions{Publish: only(said...), Subscribe: only(prefix+".job."+name+".>", InboxPrefix(name)+".>")}
	default:
		return nil
	}
}

// hubPermissions are those of the hub in the server's own process. It replies to subjects that workers name: whatever they name, it can be
// made to speak to workers only, and not to JetStream.
func hubPermissions(prefix string) *server.Permissions {
	return &server.Permissions{Publish: only(prefix+".job.>", "_IN.>"), Subscribe: only(prefix+".>", "_OWN.hub.>")}
}
