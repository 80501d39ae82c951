package loop

import "github.com/tarry-bo/tarry/model"

func (l *Loop) fitting() bool {
	_, open := l.model.Fitting()
	return open
}

// awaitsFit reports whether the next query is chosen only after the open fit.
func (l *Loop) awaitsFit() bool {
	return l.fitting() && (!l.config.FitBeside || l.config.FitAbreast && l.model.FitsLag())
}

// apply adopts the hyperparameters, if the model can use them.
func (e Fitted) apply(l *Loop) {
	if !l.closesFit(e.Fit) {
		return
	}
	if l.model.Adopt(model.Hyper{Kernel: e.Hyper, Noise: e.Noise, LogEvidence: e.LogEvidence, Name: e.Kernel, Warp: e.Warp, Shift: e.Shift, Scale: e.Scale, Outliers: e.Outliers, Penal: e.Penal, Penalty: e.Penalty, Particles: e.Particles, Doubtful: e.Doubtful}) == nil {
		l.reaction.Fate = FateTaken
		l.counts.Fits++
		return
	}
	l.reaction.Fate = FateRefused
	l.counts.FitFailures++
}

// apply leaves the hyperparameters as they are.
func (e FitFailed) apply(l *Loop) {
	if l.closesFit(e.Fit) {
		l.model.Forgo()
		l.counts.FitFailures++
	}
}

// closesFit reports whether the answer belongs to the open fit.
func (l *Loop) closesFit(id int) bool {
	l.reaction.Fit = id
	f, open := l.model.Fitting()
	switch {
	case id < 1 || id > l.model.Fits():
		l.became(FateUnknown)
		return false
	case !open || id != f.ID:
		l.became(FateRepeated)
		return false
	}
	return true
}
