package cluster

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const fullConfig = `{
  "studies": "studies", "http": "127.0.0.1:8443",
  "nats": {"urls": ["tls://a.example.org:4222", "tls://b.example.org:4222"], "prefix": "lab"},
  "tls": {"ca": "ca.pem", "cert": "server.pem", "key": "/keys/server.key", "client": "admin.pem", "revoked": "revoked.txt", "roles": "roles.json"},
  "workers": {"heartbeat": "500ms", "missed": 4}, "standby": {"replicas": 3}
}`

func TestAConfigurationIsReadWithItsPathsAndWhatIsUsual(t *testing.T) {
	c, err := ParseConfig([]byte(fullConfig), "/etc/tarry")
	if err != nil {
		t.Fatal(err)
	}
	if c.Studies != filepath.Clean("/etc/tarry/studies") || c.TLS.Key != filepath.Clean("/keys/server.key") || c.NATS.Prefix != "lab" ||
		time.Duration(c.Workers.Heartbeat) != 500*time.Millisecond || c.Workers.Missed != 4 || c.Standby.Replicas != 3 || c.ClientFiles().Key != filepath.Clean("/etc/tarry/admin.key") {
		t.Errorf("%+v", c)
	}
	c, err = ParseConfig([]byte(`{"studies":"s","http":":8443","nats":{"address":":4222"},"tls":{"ca":"a","cert":"b","key":"c"}}`), "d")
	if err != nil || c.NATS.Store != filepath.Join("d", "jetstream") || c.NATS.Prefix != "tarry" || c.NATS.Connections != 4096 || time.Duration(c.Workers.Heartbeat) != 2*time.Second || c.Workers.Missed != 3 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestWhatIsWrongInAConfigurationIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "does not end",
		"{":                   "does not end",
		"{}{}":                "something follows",
		"{\n\n\"stdies\": 1}": `line 3: unknown field "stdies"`,
		"{\n\"studeis\":\"s\",\n\"http\":\":1\",\n\"nats\": {\n\"port\": 1}\n}": `line 2: unknown field "studeis": did you mean studies?`,
		"{\n\"address\":1,\n\"nats\":{\"address\":\":1\"}}":                     `line 2: unknown field "address"`,
		"\ufeff{\n\"nats\":\n{\"address\":\":1\",\n\"port\":1\n}\n}":            `line 4: unknown field "port"`,
		"{\"workers\":{\n\"missed\":3,\n\"heartbeat\":\"2\"\n}\n}\n":            `line 3: workers.heartbeat = "2": want a duration as in`,
		"{\"workers\":{\n\"Heartbeat\":\"3s\",\n\"missed\":\"3\"\n}\n}\n":       `line 3: workers.missed = a string`,
		`{"nats":{"port":1}}`:                          `unknown field "port"`,
		"{\"http\":\n8443}":                            "line 2: http = a number: want a text",
		`{"workers":{"missed":"x"}}`:                   "workers.missed = a string: want a int",
		`{"workers":{"heartbeat":2}}`:                  `2: want a duration in quotation marks`,
		`{"workers":{"heartbeat":"2x"}}`:               `"2x": want a duration as in`,
		`{"studies":""}`:                               `studies = "": want a folder`,
		`{"http":"8443"}`:                              "http = \"8443\": want an address to listen on",
		`{"nats":{"address":"x:99999"}}`:               "nats.address = x:99999",
		`{"nats":{"urls":["x"]}}`:                      `nats.urls[0] = "x"`,
		`{"nats":{"urls":["tls://x"],"address":":1"}}`: "nats.address = :1: want none",
		`{"nats":{"urls":["tls://x"]}}`:                `tls.client = ""`,
		`{"nats":{"prefix":"a.b"}}`:                    `nats.prefix = "a.b"`,
		`{"nats":{"connections":-1}}`:                  "nats.connections = -1: want 1 ≤ connections",
		`{"workers":{"heartbeat":"1ms"}}`:              "workers.heartbeat = 1ms: want 50ms ≤ heartbeat ≤ 1h",
		`{"workers":{"missed":-1}}`:                    "workers.missed = -1",
		`{"standby":{"replicas":2}}`:                   "standby.replicas = 2: want 0, 1, 3 or 5",
		strings.Repeat(" ", maxConfig+1):               "want at most",
	} {
		if _, err := ParseConfig([]byte(text), "d"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: want %s: %v", text, want, err)
		}
	}
	_, err := ParseConfig([]byte(`{"nats":{"prefix":"*"},"workers":{"missed":-1}}`), "d")
	if n := strings.Count(err.Error(), "\n"); n < 5 {
		t.Errorf("%d lines: %v", n, err)
	}
	if _, err := ReadConfig(filepath.Join(t.TempDir(), "none.json")); err == nil {
		t.Error("read what is not there")
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(fullConfig))
	f.Add([]byte(initialConfig))
	f.Add([]byte(`{"studies":null,"nats":{"urls":[""]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := ParseConfig(text, "/d")
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Error("an error that says nothing")
			}
			return
		}
		written, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseConfig(written, "/d")
		if err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		if rewritten, _ := json.Marshal(again); string(rewritten) != string(written) {
			t.Errorf("%s\n%s", written, rewritten)
		}
	})
}
