package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

// BenchmarkAskTell asks and tells over many connections, each with a study of its own in its file. One operation is an ask and the tell
// that answers it: two requests, each kept before it is answered.
func BenchmarkAskTell(b *testing.B) {
	s := serving(b, Config{})
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(b)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	url, studies := "http://"+l.Addr().String()+"/v1/studies/", atomic.Int64{}
	do := func(method, url, body string, into any) {
		r, _ := http.NewRequest(method, url, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		got, err := client.Do(r)
		if err != nil {
			b.Error(err)
			return
		}
		defer got.Body.Close()
		text, _ := io.ReadAll(got.Body)
		if err := json.Unmarshal(text, into); err != nil || got.StatusCode > 201 {
			b.Errorf("%s: %s %s", url, got.Status, text)
		}
	}
	b.SetParallelism(8)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		study := fmt.Sprintf("%ss%d", url, studies.Add(1))
		var none any
		do("PUT", study, wishing(""), &none)
		for pb.Next() {
			var asked struct{ Queries []struct{ ID int } }
			if do("POST", study+"/ask", "", &asked); len(asked.Queries) != 1 {
				b.Error("no query")
				return
			}
			do("POST", fmt.Sprintf("%s/evaluations/%d/tell", study, asked.Queries[0].ID), `{"value":1}`, &none)
		}
	})
	b.StopTimer()
	b.ReportMetric(2*float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	client.CloseIdleConnections()
	stop()
	if err := <-ended; err != nil {
		b.Error(err)
	}
}
