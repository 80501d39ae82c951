package serve

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"time"
)

// What the browser gets: two pages, and what they load from here alone.
var (
	//go:embed page
	pageFiles embed.FS

	pages = map[string]http.HandlerFunc{
		"/{$}":             file("list.html"),
		"/studies/{study}": file("study.html"),
	}
)

// kinds of these files, whatever the machine says. Its tables are not read: each command of a study begins with the start of this program.
var kinds = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8"}

// policy of the pages: nothing is loaded from elsewhere, nothing that stands in a page runs, and no other site shows them.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func init() {
	for _, name := range []string{
		"page.css", "list.js", "study.js", "charts.js", "lanes.js", "news.js", "text.js", "uplot/uPlot.iife.min.js", "uplot/uPlot.min.css",
	} {
		pages["/page/"+path.Base(name)] = file(name)
	}
}

// file answers with a file of the page, or says that the browser has it.
func file(name string) http.HandlerFunc {
	text, err := fs.ReadFile(pageFiles, "page/"+name)
	if err != nil {
		panic("serve: " + err.Error())
	}
	kind, known := kinds[path.Ext(name)]
	if !known {
		panic("serve: no kind of " + name)
	}
	sum := sha256.Sum256(text)
	tag := fmt.Sprintf("%q", hex.EncodeToString(sum[:8]))
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", tag)
		h.Set("Content-Type", kind)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
	}
}
