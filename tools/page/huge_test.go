package page

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/chromedp"
)

// inked counts the pixels in the color of values, in the pictures of a section together.
const inked = `(id => {
	const c = document.createElement("canvas").getContext("2d");
	c.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--value").trim();
	c.fillRect(0, 0, 1, 1);
	const ink = c.getImageData(0, 0, 1, 1).data;
	let n = 0;
	for (const canvas of document.querySelectorAll("#" + id + " canvas")) {
		const d = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
		for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 200 && [0, 1, 2].every(k => Math.abs(d[i + k] - ink[k]) < 12)) n++;
	}
	return n;
})`

// A study is drawn alike whatever the size of its values, also where the difference of two of them is beyond all numbers.
func TestThePageDrawsValuesOfAnySize(t *testing.T) {
	b, s := browse(t), serve(t)
	b.look(1280, 900, "light")
	for k, size := range []float64{1, 1e308, math.MaxFloat64} {
		name := fmt.Sprint("size-", k)
		path := "/v1/studies/" + name
		s.call("PUT", path, map[string]any{
			"space":   map[string]any{"parameters": []any{map[string]any{"name": "x", "type": "float", "low": 0, "high": 1}}},
			"options": map[string]any{"policy": "gp-bucb", "seed": 1, "budget": 60, "lease": "1h"},
		})
		for n := 1; n <= 16; n++ {
			q := s.call("POST", path+"/ask", map[string]any{})["queries"].([]any)[0].(map[string]any)
			x := q["x"].(map[string]any)["x"].(float64)
			s.call("POST", fmt.Sprintf("%s/evaluations/%d/tell", path, n), map[string]any{"value": size * math.Cos(9*x)})
		}
		b.do(chromedp.Navigate(s.url + "/studies/" + name))
		b.until(`document.querySelectorAll("#slices canvas").length > 0 && document.querySelectorAll("#against canvas").length > 0`)
		for id, least := range map[string]int{"progress": 150, "against": 120, "slices": 400, "errors": 40} {
			if n := get[int](b, inked+`("`+id+`")`); n < least {
				t.Errorf("values of size %g: %d pixels of them in %s, want %d", size, n, id, least)
			}
		}
		if bad := get[string](b, `/(Infinity|NaN|null|undefined)/.exec(document.body.textContent)?.[0] ?? ""`); bad != "" {
			t.Errorf("values of size %g: the page says %s", size, bad)
		}
		b.picture(name)
	}
	quiet(b)
}
