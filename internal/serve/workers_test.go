package serve

import (
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
)

func TestTheWorkersAreListedForWhoMayLookOnAtAllStudies(t *testing.T) {
	if out := serving(t, Config{}).want(200, "", "", "GET", "/v1/workers", ""); len(out["workers"].([]any)) != 0 {
		t.Error("there are workers:", out)
	}
	heard := must.Get(time.Parse(time.RFC3339, "2026-01-02T03:04:05Z"))(t)
	s := serving(t, Config{Workers: func() []Worker {
		return []Worker{{Name: "gpu-1", Instance: "a1", Slots: 4, Labels: []string{"gpu"}, Running: map[string]int{"lr": 3}, Declined: map[string]string{"net": "no GPU"}, Heard: heard}, {Name: "gpu-2", Running: map[string]int{}}}
	}})
	all := s.want(200, "", "", "GET", "/v1/workers", "")["workers"].([]any)
	if none, is := all[1].(map[string]any)["labels"].([]any); !is || len(none) != 0 {
		t.Error("no labels are no list:", all[1])
	}
	one := all[0].(map[string]any)
	if one["name"] != "gpu-1" || one["slots"] != 4.0 || one["heard"] != "2026-01-02T03:04:05Z" || one["running"].(map[string]any)["lr"] != 3.0 || one["declined"].(map[string]any)["net"] != "no GPU" {
		t.Error(one)
	}
}
