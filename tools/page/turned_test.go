package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Whatever a choice is called and a reason says, no letter of the page is turned around; the choice that is named is the one that was meant.
func TestNothingTurnsTheLettersOfThePage(t *testing.T) {
	b, s := browse(t), serve(t)
	b.look(1280, 900, "light")
	choice := "a\u202eb"
	s.call("PUT", study, map[string]any{
		"space": map[string]any{"parameters": []any{
			map[string]any{"name": "x", "type": "float", "low": 0, "high": 1},
			map[string]any{"name": "kind", "type": "categorical", "choices": []string{choice, "c\u2066d"}},
		}},
		"options": map[string]any{"policy": "gp-bucb", "seed": 1, "budget": 60, "lease": "1h"},
	})
	for n := 1; n <= 9; n++ {
		s.call("POST", study+"/ask", map[string]any{})
		path := fmt.Sprintf("%s/evaluations/%d", study, n)
		switch {
		case n == 3:
			s.call("POST", path+"/fail", map[string]any{"reason": "boom \u202egnp.exe"})
		case n < 9:
			s.call("POST", path+"/tell", map[string]any{"value": n})
		}
	}
	open(b, s)
	if got := get[string](b, `document.querySelector("#failures td").textContent`); got != `boom \u202egnp.exe` {
		t.Errorf("the reason is %q", got)
	}
	b.do(chromedp.Click("#enqueue summary"))
	b.until(`document.querySelectorAll("#fields select option").length === 3`)
	if got := get[string](b, `/[\u202a-\u202e\u2066-\u2069]/.exec(document.title + document.body.innerText)?.input ?? ""`); got != "" {
		t.Errorf("%q", got)
	}
	if text := get[string](b, `document.querySelectorAll("#fields select option")[1].textContent`); text != `a\u202eb` {
		t.Errorf("the choice is %q", text)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#fields select").selectedIndex = 1`), chromedp.Click("#enqueue-form button"))
	b.until(`document.getElementById("message").textContent === "The next query is named."`)
	if got := fmt.Sprint(s.call("POST", study+"/ask", map[string]any{})["queries"]); !strings.Contains(got, choice) {
		t.Error(got)
	}
	b.do(chromedp.Navigate(s.url + study + "/report"))
	if got := get[string](b, `/[\u202a-\u202e\u2066-\u2069]/.exec(document.body.textContent)?.input ?? ""`); got != "" {
		t.Errorf("the report: %q", short(got))
	}
	quiet(b)
}
