package cluster

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/internal/check"
)

// ConfigName is the file of the configuration in a folder that Init made.
const ConfigName = "tarry.json"

// Config is everything that tarry serve has to know. Paths in the file are relative to it; in a Config they are not.
type Config struct {
	Studies string     `json:"studies"`           // folder of studies
	HTTP    string     `json:"http"`              // address to listen on
	NATS    NATSConfig `json:"nats"`              // the server for workers, or where it is
	TLS     TLSConfig  `json:"tls"`               // certificates
	Workers Workers    `json:"workers"`           // how workers are kept an eye on
	Standby Standby    `json:"standby,omitempty"` // who takes over
}

// NATSConfig is a server inside the process, or the servers of others.
type NATSConfig struct {
	Address     string   `json:"address,omitempty"`     // to listen on
	URLs        []string `json:"urls,omitempty"`        // of an existing cluster, instead of Address
	Store       string   `json:"store,omitempty"`       // folder of JetStream; empty: jetstream
	Prefix      string   `json:"prefix,omitempty"`      // of the subjects; empty: tarry
	Connections int      `json:"connections,omitempty"` // at once; 0: 4096
	Sync        bool     `json:"sync,omitempty"`        // whether JetStream writes to the disk before it acknowledges
}

// TLSConfig are the files of certificates.
type TLSConfig struct {
	CA      string `json:"ca"`
	Cert    string `json:"cert"`
	Key     string `json:"key"`
	Client  string `json:"client,omitempty"`  // certificate of an admin, for servers of others; its key beside it is NAME.key
	Revoked string `json:"revoked,omitempty"` // empty: none
	Roles   string `json:"roles,omitempty"`   // of callers over HTTP, for some studies only; empty: organizational units
}

// Workers says how their heartbeats are watched.
type Workers struct {
	Heartbeat Duration `json:"heartbeat,omitempty"` // between two; 0: 2s
	Missed    int      `json:"missed,omitempty"`    // so many and its evaluations go elsewhere; 0: 3
}

// Standby is what another process needs to take over when this one ends.
type Standby struct {
	Replicas int `json:"replicas,omitempty"` // of the journal in JetStream: 1, 3 or 5; 0: the journal is not replicated
}

// Duration is a time.Duration that JSON writes as a text such as "2s".
type Duration time.Duration

// UnmarshalJSON reads a text such as "2s".
func (d *Duration) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("%.40s: want a duration in quotation marks, as in \"2s\"", text)
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("%.40q: want a duration as in \"2s\" or \"500ms\"", s)
	}
	*d = Duration(v)
	return nil
}

// MarshalJSON writes it so that UnmarshalJSON reads the same.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(d).String()) }

// initialConfig is what Init writes.
const initialConfig = `{
  "studies": "studies",
  "http": "127.0.0.1:8443",
  "nats": {"address": "0.0.0.0:4222", "store": "jetstream"},
  "tls": {"ca": "ca.pem", "cert": "server.pem", "key": "server.key", "revoked": "revoked.txt"},
  "workers": {"heartbeat": "2s", "missed": 3}
}
`

// maxConfig is how many bytes a configuration may have.
const maxConfig = 1 << 20

// ReadConfig reads a configuration: a file, or the one in a folder that Init made. Everything that is wrong is in the error.
func ReadConfig(path string) (Config, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, ConfigName)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return Config{}, err
	}
	c, err := ParseConfig(text, filepath.Dir(path))
	if err != nil {
		return Config{}, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// ParseConfig reads the text of a configuration whose paths are relative to a folder, fills in what is usual, and looks at every value. An error
// has all violations, each with field, value and what is allowed; members that it does not know are one.
func ParseConfig(text []byte, dir string) (Config, error) {
	var c Config
	if len(text) > maxConfig {
		return c, fmt.Errorf("%d bytes: want at most %d", len(text), maxConfig)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		if member := wrongMember(text, 0, reflect.TypeFor[Config](), ""); member != nil && !isPlaced(err) {
			return Config{}, member
		}
		return Config{}, fmt.Errorf("%s: %w", place(text, d.InputOffset(), err), explained(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Config{}, fmt.Errorf("%s: something follows the object", place(text, d.InputOffset(), nil))
	}
	c.usual()
	if err := c.validate(); err != nil {
		return Config{}, err
	}
	for _, p := range []*string{&c.Studies, &c.NATS.Store, &c.TLS.CA, &c.TLS.Cert, &c.TLS.Key, &c.TLS.Client, &c.TLS.Revoked, &c.TLS.Roles} {
		if *p != "" && !filepath.IsAbs(*p) {
			*p = filepath.Join(dir, *p)
		}
	}
	return c, nil
}

// isPlaced reports whether an error of the reader says where it is.
func isPlaced(err error) bool {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	return errors.As(err, &syntax) || errors.As(err, &kind) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// place is the line where reading ended.
func place(text []byte, offset int64, err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	}
	return "line " + strconv.Itoa(1+bytes.Count(text[:min(max(int(offset), 0), len(text))], []byte("\n")))
}

// explained is an error of the reader in the words of the house.
func explained(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		return fmt.Errorf("%s = a %s: want a %s", kind.Field, kind.Value, map[bool]string{true: "text", false: kind.Type.Kind().String()}[kind.Type.Kind().String() == "string"])
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the object does not end")
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

func (c *Config) usual() {
	if len(c.NATS.URLs) == 0 && c.NATS.Store == "" {
		c.NATS.Store = "jetstream"
	}
	if c.NATS.Prefix == "" {
		c.NATS.Prefix = "tarry"
	}
	if c.NATS.Connections == 0 {
		c.NATS.Connections = 4096
	}
	if c.Workers.Heartbeat == 0 {
		c.Workers.Heartbeat = Duration(2 * time.Second)
	}
	if c.Workers.Missed == 0 {
		c.Workers.Missed = 3
	}
}

func (c *Config) validate() error {
	var wrong check.List
	for _, f := range []struct{ field, value, want string }{
		{"studies", c.Studies, "a folder"}, {"tls.ca", c.TLS.CA, "a file, PEM"}, {"tls.cert", c.TLS.Cert, "a file, PEM"}, {"tls.key", c.TLS.Key, "a file, PEM"},
	} {
		wrong.Require(f.value != "", f.field, `""`, f.want)
	}
	external := len(c.NATS.URLs) > 0
	wrong.Require(isAddress(c.HTTP), "http", fmt.Sprintf("%q", c.HTTP), "an address to listen on, as in 127.0.0.1:8443")
	wrong.Require(c.NATS.Address == "" || isAddress(c.NATS.Address), "nats.address", c.NATS.Address, "an address to listen on, as in 0.0.0.0:4222")
	wrong.Require(!external || c.NATS.Address == "", "nats.address", c.NATS.Address, "none where there are nats.urls")
	wrong.Require(!external || c.TLS.Client != "", "tls.client", `""`, "the certificate of an admin where there are nats.urls")
	wrong.Require(c.TLS.Client == "" || strings.HasSuffix(c.TLS.Client, ".pem"), "tls.client", c.TLS.Client, "a file NAME.pem with NAME.key beside it")
	if external {
		wrong.Join(CheckURLs("nats.urls", c.NATS.URLs))
	}
	wrong.Require(IsName(c.NATS.Prefix), "nats.prefix", fmt.Sprintf("%q", c.NATS.Prefix), "letters, digits, - and _")
	wrong.Between("nats.connections", c.NATS.Connections, 1, 1<<20)
	beat := time.Duration(c.Workers.Heartbeat)
	wrong.Require(beat >= 50*time.Millisecond && beat <= time.Hour, "workers.heartbeat", beat, "50ms ≤ heartbeat ≤ 1h")
	wrong.Between("workers.missed", c.Workers.Missed, 1, 1000)
	r := c.Standby.Replicas
	wrong.Require(r == 0 || r == 1 || r == 3 || r == 5, "standby.replicas", r, "0, 1, 3 or 5")
	return wrong.Err()
}

func isAddress(text string) bool {
	_, port, err := net.SplitHostPort(text)
	if err != nil {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}

// Files are the server's certificate with the authority and the revocations.
func (c *Config) Files() Files {
	return Files{CA: c.TLS.CA, Cert: c.TLS.Cert, Key: c.TLS.Key, Revoked: c.TLS.Revoked}
}

// ClientFiles are the certificate of an admin for servers of others.
func (c *Config) ClientFiles() Files {
	return Files{CA: c.TLS.CA, Cert: c.TLS.Client, Key: strings.TrimSuffix(c.TLS.Client, ".pem") + ".key"}
}
