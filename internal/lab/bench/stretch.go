package bench

// stretch is what some evaluations after each other cost. Times are in seconds; what there was none of is NaN.
type stretch struct {
	from, to            int // evaluations, both included
	suggestions         int // of the policy: without the initial design
	suggest             spread
	rebuilds            int // suggestions whose factor was made from scratch
	rebuild             float64
	fits, fitFailures   int
	fit, fitMax, fitSum float64
	rows, mostRows      int // at the end; most
	heapMB, heapMaxMB   float64
	fallbacks           int     // queries in which the loop took the place of a policy that failed, since the beginning
	best, regret        float64 // greatest answer at the end; maximum less the noise-free value there
}

// stretchEnds are 100, 200, 500, 1000, 2000, … up to n, which is the last.
func stretchEnds(n int) []int {
	var out []int
	for scale := 100; scale < n; scale *= 10 {
		for _, m := range []int{1, 2, 5} {
			if m*scale < n {
				out = append(out, m*scale)
			}
		}
	}
	return append(out, n)
}

// closeStretches ends those whose queries were all sent out; the last one when all answers are there.
func (s *longStudy) closeStretches() error {
	for len(s.ends) > 0 && s.sent() >= s.ends[0] && (s.ends[0] < s.benchmark.study || s.Answers == s.benchmark.study) {
		end := s.ends[0]
		s.ends = s.ends[1:]
		if err := s.closeStretch(end); err != nil {
			return err
		}
	}
	return nil
}

// cutShort ends the stretch that is under way, if there was a suggestion in it.
func (s *longStudy) cutShort() error {
	last := len(s.suggestions) - 1
	if last < 0 || s.suggestions[last].evaluation < s.nextFrom() {
		return nil
	}
	return s.closeStretch(s.suggestions[last].evaluation)
}

// nextFrom is the first evaluation of the stretch that is under way.
func (s *longStudy) nextFrom() int {
	if len(s.stretches) == 0 {
		return 1
	}
	return s.stretches[len(s.stretches)-1].to + 1
}

// closeStretch adds up what belongs to the evaluations up to this one.
func (s *longStudy) closeStretch(to int) error {
	s.weigh()
	c := stretch{from: s.nextFrom(), to: to, heapMB: s.heaps[len(s.heaps)-1].mb, fallbacks: s.Loop.Counters().Fallbacks, best: nan, regret: s.regret()}
	c.heapMaxMB = c.heapMB
	if s.greatest.Evaluation > 0 {
		c.best = s.greatest.Value
	}
	within := func(evaluation int) bool { return c.from <= evaluation && evaluation <= to }
	var all, rebuilds, fits []float64
	for _, t := range s.suggestions {
		if !within(t.evaluation) {
			continue
		}
		all = append(all, t.seconds)
		if t.rebuilt {
			rebuilds = append(rebuilds, t.seconds)
		}
		c.rows, c.mostRows = t.rows, max(c.mostRows, t.rows)
	}
	for _, f := range s.fits {
		if within(f.evaluation) {
			fits = append(fits, f.seconds)
			c.fitSum += f.seconds
			c.fitFailures += oneIf(f.failed)
		}
	}
	for _, h := range s.heaps {
		if within(h.evaluation) {
			c.heapMaxMB = max(c.heapMaxMB, h.mb)
		}
	}
	c.suggestions, c.suggest, c.rebuilds, c.rebuild = len(all), spreadOf(all), len(rebuilds), medianOf(rebuilds)
	times := spreadOf(fits)
	c.fits, c.fit, c.fitMax = len(fits), times.median, times.max
	s.stretches = append(s.stretches, c)
	return s.closed(c)
}

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
