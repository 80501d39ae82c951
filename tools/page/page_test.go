package page

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

func TestShots(t *testing.T) {
	url := os.Getenv("PAGE_URL")
	if url == "" {
		t.Skip("no PAGE_URL")
	}
	b := browse(t)
	for _, theme := range []string{"light", "dark"} {
		for name, width := range map[string]int64{"1280": 1280, "390": 390} {
			b.look(width, 900, theme)
			b.do(chromedp.Navigate(url))
			b.until(`document.getElementById("best").textContent !== "…"`)
			b.until(`document.querySelectorAll("#slices canvas").length > 0`)
			b.look(width, 4200, theme)
			b.do(chromedp.Sleep(1e9))
			b.picture("page-" + name + "-" + theme)
		}
	}
	t.Log(b.complaints())
}
