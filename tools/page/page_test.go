package page

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tarry-bo/tarry"
)

const study = "/v1/studies/training"

// described is a study with choices that would be elements if a page took them for such.
var described = map[string]any{
	"space": map[string]any{"parameters": []any{
		map[string]any{"name": "lr", "type": "float", "low": 1e-5, "high": 1, "log": true},
		map[string]any{"name": "layers", "type": "int", "low": 1, "high": 8},
		map[string]any{"name": "kind", "type": "categorical", "choices": []string{"adam", "<b>sgd</b>", "lion"}},
		map[string]any{"name": "momentum", "type": "float", "low": 0, "high": 1, "when": map[string]any{"kind": "lion"}},
	}},
	"options": map[string]any{"policy": "gp-bucb", "seed": 1, "budget": 60, "lease": "1h"},
}

// played begins a study and plays it: some queries fail, one is cancelled and answered late, and the last are pending.
func played(t *testing.T) *served {
	t.Helper()
	s := serve(t)
	play(s)
	return s
}

// play begins the study and plays it.
func play(s *served) {
	s.call("PUT", study, described)
	for n := 1; n <= 24; n++ {
		s.call("POST", study+"/ask", map[string]any{})
		path := fmt.Sprintf("%s/evaluations/%d", study, n)
		switch {
		case n > 21:
		case n%7 == 0:
			s.call("POST", path+"/fail", map[string]any{"reason": "<script>alert(1)</script> out of memory"})
		case n == 5:
			s.call("POST", path+"/cancel", map[string]any{})
			s.call("POST", path+"/tell", map[string]any{"value": 0.2})
		default:
			s.call("POST", path+"/tell", map[string]any{"value": float64((n*7)%11) / 10})
		}
	}
}

// open opens the page of the study and waits until everything is drawn.
func open(b *tab, s *served) {
	b.t.Helper()
	b.do(chromedp.Navigate(s.url + "/studies/training"))
	b.until(`document.querySelectorAll("#slices canvas").length > 0 && document.querySelectorAll("#against figure").length > 0`)
}

// quiet fails where the browser complained, as about something that the policy of the page forbids.
func quiet(b *tab) {
	b.t.Helper()
	if all := b.complaints(); len(all) > 0 {
		b.t.Errorf("%q", all)
	}
}

var themes, widths = []string{"light", "dark"}, []int64{1280, 390}

func TestThePageShowsAStudy(t *testing.T) {
	b, s := browse(t), played(t)
	b.look(1280, 900, "light")
	b.do(chromedp.Navigate(s.url + "/"))
	b.until(`document.querySelector("#studies a")?.textContent === "training"`)
	b.picture("list")
	open(b, s)
	for what, want := range map[string]string{
		`document.getElementById("name").textContent`:                                     "training",
		`document.getElementById("best").textContent`:                                     "1",
		`document.querySelector("#failures td").textContent`:                              "<script>alert(1)</script> out of memory",
		`String(document.querySelectorAll("main i, main b, main script").length)`:         "0",
		`String(document.querySelectorAll("#against figure").length)`:                     "4",
		`document.querySelectorAll("#against figcaption")[2].textContent`:                 "kind",
		`String(document.querySelectorAll("#pending tr").length)`:                         "3",
		`String(document.querySelector("#pending button").getAttribute("aria-label"))`:    "Cancel evaluation 24",
		`String([...document.querySelectorAll("[role=img]")].every(e => e.ariaLabel))`:    "true",
		`String([...document.querySelectorAll("input, select")].every(e => e.labels[0]))`: "true",
	} {
		if got := get[string](b, what); got != want {
			t.Errorf("%s is %q, want %q", what, got, want)
		}
	}
	quiet(b)
}

// What happens in the study is on the page without anybody's doing.
func TestThePageFollowsTheStudy(t *testing.T) {
	b, s := browse(t), played(t)
	open(b, s)
	s.call("POST", study+"/evaluations/22/tell", map[string]any{"value": 7.5})
	b.until(`document.getElementById("best").textContent === "7.5" && document.querySelectorAll("#pending tr").length === 2`)
	b.until(`document.getElementById("events").firstChild?.textContent.includes("feedback-arrived #22, observed 7.5")`)
	quiet(b)
}

// Everything that can be done is done by the keyboard, and the focus is seen.
func TestThePageIsUsedByTheKeyboard(t *testing.T) {
	b, s := browse(t), played(t)
	open(b, s)
	press := func(selector, key string) {
		t.Helper()
		b.do(chromedp.Focus(selector), chromedp.KeyEvent(key))
	}
	b.do(chromedp.KeyEvent("\t"))
	if got := get[string](b, `document.activeElement.textContent`); got != "To the study" {
		t.Error("the first thing by Tab is", got)
	}
	press("#pause", "\r")
	b.until(`document.getElementById("pause").textContent === "Resume" && document.getElementById("standing").textContent.startsWith("paused")`)
	if got := s.call("POST", study+"/ask", map[string]any{}); got["held"] != "paused" {
		t.Error(got)
	}
	press("#pause", "\r")
	b.until(`document.getElementById("pause").textContent === "Pause"`)
	press("#pending button", "\r")
	b.until(`document.querySelectorAll("#pending tr").length === 2 && document.getElementById("message").textContent === "Evaluation 24 is cancelled."`)
	press("#enqueue summary", "\r")
	b.until(`document.querySelectorAll("#fields input, #fields select").length === 4`)
	b.do(chromedp.SendKeys("#fields input[name=lr]", "0.125"))
	press("#enqueue-form button", "\r")
	b.until(`document.getElementById("message").textContent === "The next query is named."`)
	if got := fmt.Sprint(s.call("POST", study+"/ask", map[string]any{})["queries"]); !strings.Contains(got, "lr:0.125") {
		t.Error(got)
	}
	b.do(chromedp.SendKeys("#fields input[name=layers]", "99"))
	press("#enqueue-form button", "\r")
	b.until(`/layers/.test(document.getElementById("message").textContent) && !document.getElementById("message").classList.contains("good")`)
	if got := get[string](b, `(document.querySelector("#pause").focus({focusVisible: true}), getComputedStyle(document.querySelector("#pause")).outlineStyle)`); got != "solid" {
		t.Error("the focus is not seen:", got)
	}
}

// Both themes, a screen and a telephone: nothing is wider than the window, for the page and for the report.
func TestPagesFitTheirWindows(t *testing.T) {
	b, s := browse(t), played(t)
	for _, path := range []string{"/studies/training", study + "/report", "/"} {
		for _, theme := range themes {
			for _, width := range widths {
				b.look(width, 900, theme)
				if path == "/studies/training" {
					open(b, s)
				} else {
					b.do(chromedp.Navigate(s.url + path))
				}
				if got := get[int64](b, `document.documentElement.scrollWidth`); got > width {
					t.Errorf("%s is %d wide in a window of %d", path, got, width)
				}
				ink, paper := get[string](b, `getComputedStyle(document.body).color`), get[string](b, `getComputedStyle(document.body).backgroundColor`)
				if dark := strings.HasPrefix(paper, "rgb(20"); ink == paper || dark != (theme == "dark") {
					t.Errorf("%s in the %s theme: %s on %s", path, theme, ink, paper)
				}
				b.picture(fmt.Sprintf("%s-%d-%s", cmp.Or(map[string]string{"/": "list", "/studies/training": "page"}[path], "report"), width, theme))
			}
		}
	}
	quiet(b)
}

// A study whose file is taken away says so on every page that shows it.
func TestAStudyThatIsTakenAwaySaysSo(t *testing.T) {
	b, s := browse(t), played(t)
	open(b, s)
	if err := os.Remove(filepath.Join(s.folder, "training.db")); err != nil {
		t.Fatal(err)
	}
	b.until(`document.getElementById("message").textContent.startsWith("The study is not there any more")`)
	if !get[bool](b, `document.getElementById("pause").hidden && [...document.querySelectorAll("#pending button")].every(e => e.disabled)`) {
		t.Error("it can still be changed")
	}
}

// Of many tabs one holds the stream of events, and each is up to date when somebody looks at it.
func TestManyTabsShareOneStream(t *testing.T) {
	b, s := browse(t), played(t)
	open(b, s)
	tabs := []*tab{b}
	for range 9 {
		one := b.another()
		one.do(chromedp.Navigate(s.url + "/studies/training"))
		one.until(`!!window.tarryTimes?.news`)
		tabs = append(tabs, one)
	}
	streams := 0
	for _, one := range tabs {
		if get[bool](one, `!!tarryTimes.news.source`) {
			streams++
		}
	}
	if streams != 1 {
		t.Errorf("%d streams", streams)
	}
	s.call("POST", study+"/evaluations/22/tell", map[string]any{"value": 7.5})
	for _, one := range tabs {
		one.front()
		one.until(`document.getElementById("best").textContent === "7.5"`)
	}
	b.do(chromedp.Navigate("about:blank")) // the first one goes, and another holds the stream
	tabs = tabs[1:]
	s.call("POST", study+"/evaluations/23/tell", map[string]any{"value": 8.5})
	for _, one := range tabs {
		one.front()
		one.until(`document.getElementById("best").textContent === "8.5"`)
	}
}

// However many studies are open in the tabs of one browser, each page is up to date and its buttons work: streams do not take all connections.
func TestTabsOfManyStudies(t *testing.T) {
	b, s := browse(t), serve(t)
	var tabs []*tab
	for n := range 10 {
		path := fmt.Sprintf("/v1/studies/s%d", n)
		s.call("PUT", path, described)
		s.call("POST", path+"/ask", map[string]any{"n": 2})
		one := b.another()
		one.do(chromedp.Navigate(fmt.Sprintf("%s/studies/s%d", s.url, n)))
		tabs = append(tabs, one)
	}
	for n, one := range tabs {
		one.front()
		one.until(`!!window.tarryTimes?.news && document.querySelectorAll("#pending button").length === 2`)
		s.call("POST", fmt.Sprintf("/v1/studies/s%d/evaluations/1/tell", n), map[string]any{"value": 7.5})
		one.until(`document.getElementById("best").textContent === "7.5"`)
		one.do(chromedp.Click("#pending button"))
		one.until(`document.getElementById("message").textContent === "Evaluation 2 is cancelled."`)
	}
	streams := 0
	for _, one := range tabs {
		if get[bool](one, `!!tarryTimes.news.source`) {
			streams++
		}
	}
	if streams < 1 || streams > 3 {
		t.Errorf("%d streams", streams)
	}
}

// A study of almost a hundred thousand evaluations is drawn from some of them, and how long that takes is printed.
func TestALongStudyIsShown(t *testing.T) {
	b, s := browse(t), serve(t)
	many(t, s.folder, "training", tarry.MaxBudget-50)
	begun := time.Now()
	s.call("GET", study+"/portrait", nil)
	t.Logf("opened and read by the server in %v", time.Since(begun))
	b.look(1280, 900, "light")
	b.do(chromedp.Navigate(s.url + "/studies/training"))
	b.until(`tarryTimes.first > 0`)
	for range 20 {
		before := get[int](b, `tarryTimes.updates.length`)
		asked := s.call("POST", study+"/ask", map[string]any{})["queries"].([]any)[0].(map[string]any)
		s.call("POST", fmt.Sprintf("%s/evaluations/%v/tell", study, asked["id"]), map[string]any{"value": 0.5})
		b.until(fmt.Sprintf(`tarryTimes.updates.length > %d`, before))
	}
	t.Logf("first paint of the data %.0f ms after the page began to load; an update %.1f ms in the median and %.1f ms at most, of %.0f", get[float64](b, `tarryTimes.first`),
		get[float64](b, `[...tarryTimes.updates].sort((a, b) => a - b)[tarryTimes.updates.length >> 1]`), get[float64](b, `Math.max(...tarryTimes.updates)`), get[float64](b, `tarryTimes.updates.length`))
	t.Logf("%.1f MB of JavaScript heap", get[float64](b, `performance.memory.usedJSHeapSize / 1e6`))
	begun = time.Now()
	p := s.call("GET", study+"/portrait", nil)
	whole := time.Since(begun)
	begun = time.Now()
	standing := p["standing"].(map[string]any)
	s.call("GET", fmt.Sprintf("%s/portrait?after=%.0f&stride=%v", study, standing["events"], p["drawn"].(map[string]any)["stride"]), nil)
	t.Logf("the server answers with all that is drawn in %v, and with what changed in %v", whole, time.Since(begun))
	if words := get[string](b, `document.getElementById("drawn").textContent`); !strings.Contains(words, "one of 128") {
		t.Error(words)
	}
	b.picture("many")
	quiet(b)
}
