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
			`{"policy":"auto","seed":0,"minimize":false,"budget":3,"spent":3,"cost":0,"reason":"budget spent","elapsed_s":4.5,"counters":{"contested":0,"contradictory":0,`, `"late_values":0`,
			`"best":{"id":1,"attempt":1,"status":"observed","value":2,`, `"expected":null,`,
			`{"id":2,"attempt":1,"status":"failed","value":null,"x":{"kind":"sgd\u003c","bias":false,"width":3},"chosen_s":1.5,"dispatched_s":1.5,"ended_s":3,"foreign":false,"reason":"out of memory"}`,
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s\nis missing in\n%s", want, text)
			}
		}
		if got, want := string(must.Get(json.Marshal(result.Best.Query))(t)), `{"id":1,"attempt":1,"x":{"kind":"adam","beta":0.5,"bias":true,"width":7}}`; got != want {
			t.Errorf("the query is %s, want %s", got, want)
		}
		study := must.Get(tarry.NewStudy(kinds, tarry.Options{Budget: 9, Known: []tarry.Observation{{X: tarry.Point{0, 0.5, 1, 7}, Value: 1}, {X: tarry.Point{0, 0.5, 1, 2}, Value: 2}, {X: tarry.Point{0, 0.5, 0, 4}, Value: 4}}}))(t)
		defer study.Close()
		recommended := must.Get(study.Recommend())(t)
		var fields map[string]any
		if err := json.Unmarshal(must.Get(json.Marshal(recommended))(t), &fields); err != nil || len(fields) != 4 || fields["mean"] != recommended.Mean || fields["stddev"] != recommended.Stddev || fields["noise"] != recommended.Noise || len(fields["x"].(map[string]any)) < 3 {
			t.Errorf("%v: %v as JSON is %v", err, recommended, fields)
		}
		recommended.Feasible = &tarry.Feasibility{Probability: 0.75, Constraints: []tarry.Margin{{Constraint: tarry.AtMost("latency", 0.2), Prediction: tarry.Prediction{Mean: 0.1, Stddev: 0.02, Noise: 0.5}}}}
		if got := string(must.Get(json.Marshal(recommended))(t)); !strings.HasSuffix(got, `,"feasible":0.75,"constraints":{"latency":{"mean":0.1,"stddev":0.02,"noise":0.5}}}`) {
			t.Errorf("with a constraint: %s", got)
		}
		if got := string(must.Get(json.Marshal(tarry.Evaluation{}))(t)); !strings.Contains(got, `"x":{}`) {
			t.Errorf("of no study: %s", got)
		}
	})
}
