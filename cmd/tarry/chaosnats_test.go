package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/nats-io/nats-server/v2/server"
)

// asNATS makes the test binary a NATS server: its value says which of how many, and where.
const asNATS = "TARRY_TEST_AS_NATS"

// natsServer is one of the servers of a cluster, each a process: its folder has the certificates, and streams are below it.
type natsServer struct {
	number, port int
	folder       string
	routes       []int // ports by which the servers reach each other, one each; one alone has none
}

func (n natsServer) String() string {
	return fmt.Sprintf("%d %d %s %v", n.number, n.port, n.folder, n.routes)
}

// beNATS is the life of such a process.
func beNATS(text string) error {
	var n natsServer
	routes := make([]int, 3)
	if k, err := fmt.Sscanf(text, "%d %d %s [%d %d %d]", &n.number, &n.port, &n.folder, &routes[0], &routes[1], &routes[2]); err == nil {
		n.routes = routes
	} else if k < 3 {
		return fmt.Errorf("%q: %w", text, err)
	}
	in := func(name string) string { return filepath.Join(n.folder, name) }
	pair, err := tls.LoadX509KeyPair(in("server.pem"), in("server.key"))
	if err != nil {
		return err
	}
	authority, err := os.ReadFile(in("ca.pem"))
	if err != nil {
		return err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	o := &server.Options{
		ServerName: fmt.Sprint("nats", n.number), Host: "127.0.0.1", Port: n.port, JetStream: true, StoreDir: in(fmt.Sprint("nats", n.number)), NoSigs: true, NoLog: true,
		TLS: true, TLSVerify: true, TLSTimeout: 10,
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{pair}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert},
	}
	if n.routes != nil {
		o.Cluster = server.ClusterOpts{Name: "chaos", Host: "127.0.0.1", Port: n.routes[n.number], NoAdvertise: true} // else clients would find ways around what is cut
		for _, port := range n.routes {
			o.Routes = append(o.Routes, &url.URL{Scheme: "nats", Host: fmt.Sprint("127.0.0.1:", port)})
		}
	}
	s, err := server.NewServer(o)
	if err != nil {
		return err
	}
	s.Start()
	s.WaitForShutdown()
	return nil
}
