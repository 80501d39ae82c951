package chart

// roster is the names of the curves of a figure in the order in which they first appear, with their looks.
type roster struct {
	names []string
	looks map[string]Look
}

// newRoster gives each name a look: the first curve of a name decides.
func newRoster(panels []Panel) roster {
	r := roster{looks: map[string]Look{}}
	first := map[string]Curve{}
	own := map[string]int{} // places in the palette
	for _, p := range panels {
		for _, c := range p.Curves {
			if _, known := first[c.Name]; !known {
				first[c.Name] = c
				r.names = append(r.names, c.Name)
			}
		}
	}
	for _, name := range r.names {
		if root(first, name) == name {
			own[name] = len(own)
		}
	}
	likes := map[string]int{} // how many curves are like one
	for _, name := range r.names {
		c, model := first[name], root(first, name)
		variant := 0
		if c.Like != "" {
			likes[model]++
			variant = likes[model]
		}
		r.looks[name] = variation(own[model], first[model].Baseline, variant)
	}
	return r
}

// root is the curve whose color a curve has: itself, unless it is like another one of the figure. In a circle each has its own.
func root(all map[string]Curve, name string) string {
	at := name
	for range all { // at most so many steps, also in a circle
		next := all[at].Like
		if _, known := all[next]; next == "" || !known {
			return at
		}
		at = next
	}
	return name
}

// variation is a look with other dashes for each number but 0.
func variation(i int, baseline bool, variant int) Look {
	if variant == 0 {
		return Looks(i, baseline)
	}
	if baseline {
		look := Looks(i, true)
		look.Dashes = dashes[1+variant%(len(dashes)-1)]
		return look
	}
	return Looks(i+len(Palette)*(1+(variant-1)%(len(dashes)-1)), false)
}

// keys has an entry for each name.
func (r roster) keys() []Key {
	var out []Key
	for _, name := range r.names {
		if name != "" {
			out = append(out, Key{name, banded(r.looks[name])})
		}
	}
	return out
}
