// Package cluster is what lets programs on several machines trust and find one another: a private certificate authority in a folder,
// its list of revocations, one configuration file, the NATS server inside tarry serve, and how a program connects to it.
//
//	cluster.Init("cluster", []string{"tune.example.org"}) // authority, server's certificate, first clients, tarry.json
//	trust, err := cluster.OpenTrust(files)                // read again when a file changes
//	server, err := cluster.Start(cluster.Options{Address: "0.0.0.0:4222", Trust: trust, Store: "cluster/jetstream"})
//	hub, err := server.Hub()                              // for remote.NewHub
//	conn, name, err := cluster.Dial(cluster.Client{Files: files, URLs: urls})
//
// Who somebody is, a certificate says: its common name is the name, one plain token; its organizational unit is the role, as
// internal/serve reads it too. A worker may speak below its own name and hear what is sent to it, an admin everything; a viewer and an
// asker have HTTP and nothing here. A certificate that is revoked, or at its end, cuts its connection. All is safe for concurrent use.
package cluster
