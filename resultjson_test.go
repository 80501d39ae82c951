package tarry_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
)

// A result can be kept as JSON, also where parameters are inactive, and numbers in it have names.
func TestAResultAsJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kinds := must.Get(tarry.NewSpace(tarry.Categorical("kind", "adam", "sgd<"), tarry.Float("beta", 0.5, 0.5).When("kind", "adam"), tarry.Bool("bias"), tarry.Int("width", 1, 8)))(t)
		result, err := tarry.Maximize(t.Context(), kinds, func(_ context.Context, q tarry.Query) (float64, error) {
			time.Sleep(1500 * time.Millisecond)
			if q.ID.Evaluation == 2 {
				return 0, errors.New("out of memory")
			}
			return 2, errors.Join(q.Report(3, 0.5))
		}, tarry.Options{Budget: 3, Workers: 1, First: []tarry.Point{{0, 0.5, 1, 7}, {1, 0, 0, 3}}})
		if err != nil {
			t.Fatal(err)
		}
		text := string(must.Get(json.Marshal(result))(t))
		for _, want := range []string{
			`{"id":1,"attempt":1,"status":"observed","value":2,"x":{"kind":"adam","beta":0.5,"bias":true,"width":7},"chosen_s":0,"dispatched_s":0,"ended_s":1.5,"foreign":false,"reports":[{"step":3,"value":0.5}]}`,
			`{"id":2,"attempt":1,"status":"failed","value":null,"x":{"kind":"sgd\u003c","bias":false,"width":3},"chosen_s":1.5,"dispatched_s":1.5,"ended_s":3,"foreign":false,"reason":"out of memory"}`,
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s\nis missing in\n%s", want, text)
			}
		}
		if got, want := string(must.Get(json.Marshal(result.Best.Query))(t)), `{"id":1,"attempt":1,"x":{"kind":"adam","beta":0.5,"bias":true,"width":7}}`; got != want {
			t.Errorf("the query is %s, want %s", got, want)
		}
		if got := string(must.Get(json.Marshal(tarry.Evaluation{}))(t)); !strings.Contains(got, `"x":{}`) {
			t.Errorf("of no study: %s", got)
		}
	})
}
