package comparison

import (
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/lab/console"
)

// checkFiles records the paths of the request that cannot be written, before anything else is done.
func (c comparison) checkFiles(l *check.List) {
	if c.json != "" && c.json != console.ToStdout {
		l.Join(console.Writable("-json", c.json))
	}
	if c.plot == "" || !console.IsPicture(l, c.plot) {
		return
	}
	for _, s := range c.problems {
		console.Drawable(l, c.picture(s))
	}
}

// picture returns the path of the pictures of a problem but for its end. With several problems the name becomes part of it.
func (c comparison) picture(s subject) string {
	if len(c.problems) > 1 {
		return console.PictureBase(c.plot) + "-" + console.FileName(s.name)
	}
	return console.PictureBase(c.plot)
}
