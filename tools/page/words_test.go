package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// worded begins a study of long words without a space: a reason, choices, the name of a parameter.
func worded(t *testing.T) *served {
	t.Helper()
	s, long := serve(t), strings.Repeat("x", 300)
	var many []string
	for i := range 24 {
		many = append(many, fmt.Sprintf("choice number %d of many", i))
	}
	s.call("PUT", "/v1/studies/words", map[string]any{
		"space": map[string]any{"parameters": []any{
			map[string]any{"name": "word", "type": "categorical", "choices": []string{"<script>alert(1)</script>", long, "an-image-of-the-world", "b"}},
			map[string]any{"name": "many", "type": "categorical", "choices": many},
			map[string]any{"name": strings.Repeat("n", 100), "type": "float", "low": 0, "high": 1},
		}},
		"options": map[string]any{"policy": "gp-bucb", "seed": 1, "budget": 60, "initial": 6},
	})
	for n := 1; n <= 20; n++ {
		s.call("POST", "/v1/studies/words/ask", map[string]any{})
		path := fmt.Sprintf("/v1/studies/words/evaluations/%d", n)
		switch {
		case n > 18:
		case n%4 == 0:
			s.call("POST", path+"/fail", map[string]any{"reason": strings.Repeat("r", 6000)})
		default:
			s.call("POST", path+"/tell", map[string]any{"value": float64(n%7) / 10})
		}
	}
	return s
}

// A long word without a space is broken, so that what stands beside it is seen; on a telephone a table may be scrolled.
func TestLongWordsStayInTheWindow(t *testing.T) {
	b, s := browse(t), worded(t)
	for _, path := range []string{"/studies/words", "/v1/studies/words/report"} {
		for _, width := range widths {
			b.look(width, 900, "light")
			b.do(chromedp.Navigate(s.url + path))
			if path == "/studies/words" {
				b.until(`document.querySelectorAll("#slices canvas").length > 0 && document.querySelectorAll("#latest tr").length > 0`)
			}
			get[int64](b, `(document.querySelectorAll("details").forEach(e => { e.open = true }), 0)`)
			if got := get[int64](b, `document.documentElement.scrollWidth`); got > width {
				t.Errorf("%s is %d wide in a window of %d", path, got, width)
			}
			if got := get[string](b, `[...document.querySelectorAll("table")].filter(e => e.offsetWidth > Math.max(e.parentElement.clientWidth, 640)).map(e => e.offsetWidth + " " + e.innerText.slice(0, 40)).join("; ")`); got != "" {
				t.Errorf("%s in a window of %d: tables are wider than it: %s", path, width, got)
			}
			b.picture(fmt.Sprintf("words-%s-%d", path[strings.LastIndex(path, "/")+1:], width))
		}
	}
	quiet(b)
}

// The names on an axis of a report do not lie over each other.
func TestNamesOnAnAxisAreApart(t *testing.T) {
	b, s := browse(t), worded(t)
	for _, width := range widths {
		b.look(width, 900, "light")
		b.do(chromedp.Navigate(s.url + "/v1/studies/words/report"))
		over := `[...document.querySelectorAll(".plot")].flatMap(plot => {
			const all = [...plot.querySelectorAll(".x")].map(e => [e.getBoundingClientRect(), e.textContent]);
			return all.slice(1).filter(([r], i) => r.left < all[i][0].right).map(([, text]) => text);
		}).join("; ")`
		if got := get[string](b, over); got != "" {
			t.Errorf("in a window of %d lie over the name before: %s", width, got)
		}
	}
}

// Of a study that there is not nothing is shown, but for the way to those that there are.
func TestAStudyThatNeverWasIsSaidSo(t *testing.T) {
	b, s := browse(t), serve(t)
	b.do(chromedp.Navigate(s.url + "/studies/nope"))
	b.until(`document.getElementById("message").textContent === "There is no study nope."`)
	b.picture("nope")
	for what, want := range map[string]string{
		`[...document.querySelectorAll("a, button")].filter(e => e.checkVisibility()).map(e => e.textContent).join()`: "Studies",
		`document.body.innerText.replace(/\s+/g, " ").trim()`:                                                         "Studies nope There is no study nope.",
	} {
		if got := get[string](b, what); got != want {
			t.Errorf("%s is %q, want %q", what, got, want)
		}
	}
}
