package page

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// The picture of docs/page.md is made of a server that runs already:
//
//	PAGE_URL=http://127.0.0.1:8080/studies/NAME PAGE_PICTURES=FOLDER go test -run Picture .
func TestThePictureOfTheGuide(t *testing.T) {
	url := os.Getenv("PAGE_URL")
	if url == "" || keep == "" {
		t.Skip("no PAGE_URL and PAGE_PICTURES")
	}
	b := browse(t)
	for _, theme := range themes {
		for name, width := range map[string]int64{"screen": 1280, "telephone": 390} {
			b.look(width, 1000, theme)
			b.do(chromedp.Navigate(url))
			b.until(`document.querySelectorAll("#slices canvas").length > 0`)
			b.picture(name + "-" + theme)
		}
	}
	quiet(b)
}
