package serve

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
)

// BenchmarkAskOfManyStudies is how long an ask takes, from the request to the answer, where two hundred studies are open and callers ask
// now this one, now that one; the random policy itself needs microseconds.
func BenchmarkAskOfManyStudies(b *testing.B) {
	const studies = 200
	for _, callers := range []int{1, 16} {
		b.Run(fmt.Sprint("callers=", callers), func(b *testing.B) {
			s := serving(b, Config{Open: studies})
			l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(b)
			ctx, stop := context.WithCancel(context.Background())
			ended := make(chan error, 1)
			go func() { ended <- s.Serve(ctx, l) }()
			var all []*asking
			dial := func() {
				c := &asking{Conn: must.Get(net.Dial("tcp", l.Addr().String()))(b)}
				c.in = bufio.NewReader(c)
				all = append(all, c)
			}
			dial()
			for i := range studies {
				must.Get(all[0].do("PUT", fmt.Sprint("/v1/studies/s", i), wishing(`,"pending":100000`)))(b)
			}
			for range callers - 1 { // not before: the server hangs up on who says nothing
				dial()
			}
			b.ResetTimer()
			var mutex sync.Mutex
			var took []time.Duration
			var working sync.WaitGroup
			for k, c := range all {
				dice := rand.New(rand.NewPCG(1, uint64(k)))
				working.Go(func() {
					for range (b.N + callers - 1) / callers {
						c.path = fmt.Sprint("/v1/studies/s", dice.IntN(studies))
						began := time.Now()
						_, err := c.do("POST", c.path+"/ask", "{}")
						mutex.Lock()
						took = append(took, time.Since(began))
						mutex.Unlock()
						if err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			working.Wait()
			b.StopTimer()
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(0, "ns/op")
			for _, c := range all {
				c.Close()
			}
			stop()
			if err := <-ended; err != nil {
				b.Error(err)
			}
		})
	}
}
