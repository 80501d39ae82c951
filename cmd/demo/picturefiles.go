package main

import "github.com/tarry-bo/tarry/internal/check"

// checkFiles records the paths of the request that cannot be written, before anything else is done.
func (c comparison) checkFiles(l *check.List) {
	if c.json != "" && c.json != toStdout {
		l.Join(writable("-json", c.json))
	}
	if c.plot == "" || !isPicture(l, c.plot) {
		return
	}
	for _, s := range c.problems {
		drawable(l, c.picture(s))
	}
}

// picture returns the path of the pictures of a problem but for its end. With several problems the name becomes part of it.
func (c comparison) picture(s subject) string {
	if len(c.problems) > 1 {
		return pictureBase(c.plot) + "-" + fileName(s.name)
	}
	return pictureBase(c.plot)
}
