package chart

import (
	"image/color"
	"strings"
)

// policyLooks has a look of its own for each policy, whichever are drawn beside it: the color tells it on a screen, the mark in
// gray print, too. The first six colors are those of Okabe and Ito (2008), which people with any kind of color vision can tell
// apart, without the yellow, which is too light for a line on white, and the black. The others were searched for: any two
// differ by at least 7 hundredths in the color space OKLab (Ottosson 2020), also as seen without one of the three kinds of
// cones (Machado et al. 2009). There was no room left for exp3 but black,
// nor for meta-mab and rgpe, which are exp3 and log-ei that know of earlier studies, nor for ucb-pe, turbo and bpe-delay, which are
// nearest to gp-bucb, gp-bts and ucb-sdf: they have the colors of these, and dashes. What is no policy is black without a mark, or gray.
var policyLooks = map[string]Look{
	"ucb-sdf":          {Color: rgb(0x0072b2), Mark: Circle},
	"ts-sdf":           {Color: rgb(0xd55e00), Mark: Square},
	"gp-ucb":           {Color: rgb(0x009e73), Mark: Triangle},
	"asy-ts":           {Color: rgb(0xcc79a7), Mark: Wedge},
	"gp-bucb":          {Color: rgb(0xe69f00), Mark: Diamond},
	"gp-bts":           {Color: rgb(0x56b4e9), Mark: Circle.Hollow()},
	"gp-qucb":          {Color: rgb(0x88bb77), Mark: Diamond.Hollow()},
	"log-ei":           {Color: rgb(0x0000bb), Mark: Square.Hollow()},
	"pi":               {Color: rgb(0x8888ee), Mark: Triangle.Hollow()},
	"cbo":              {Color: rgb(0x116600), Mark: Wedge.Hollow()},
	"ocbo":             {Color: rgb(0x882255), Mark: pointer},
	"ocbo-l":           {Color: rgb(0xbb22ff), Mark: pointer.Hollow()},
	"locbo":            {Color: rgb(0xbb1100), Mark: arrow},
	"calibrated":       {Color: rgb(0x552211), Mark: hourglass},
	"warped":           {Color: rgb(0x7711dd), Mark: bowtie},
	"auto":             {Color: rgb(0x773388), Mark: hourglass.Hollow()},
	"ensemble":         {Color: rgb(0x330077), Mark: arrow.Hollow()},
	"safe-opt":         {Color: rgb(0x401850), Mark: bowtie.Hollow()},
	"d-safe-bocp":      {Color: rgb(0xcc11aa), Mark: pentagon},
	"p-safe-bocp":      {Color: rgb(0x000010), Mark: pentagon.Hollow()},
	"mes":              {Color: rgb(0x400800), Mark: hexagon},
	"pes":              {Color: rgb(0x080828), Mark: hexagon.Hollow()},
	"mf-mes":           {Color: rgb(0xc0a8b8), Mark: star},
	"mft-mes":          {Color: rgb(0x002028), Mark: asterisk},
	"continual-mf-mes": {Color: rgb(0x200000), Mark: turnedStar},
	"exp3":             {Color: rgb(0x000000), Mark: plus},
	"rgpe":             {Color: rgb(0x0000bb), Mark: turnedPentagon.Hollow(), Dashes: siblingDashes},
	"meta-mab":         {Color: rgb(0x000000), Mark: turnedPentagon, Dashes: siblingDashes},
	"ucb-pe":           {Color: rgb(0xe69f00), Mark: verticalStroke, Dashes: siblingDashes},
	"turbo":            {Color: rgb(0x56b4e9), Mark: risingStroke, Dashes: siblingDashes},
	"bpe-delay":        {Color: rgb(0x0072b2), Mark: fallingStroke, Dashes: siblingDashes},
	"random":           {Color: baselineInk, Dashes: baselineDashes, Mark: Cross},
}

// baselineInk is the color of random search and of what curves are held against; gray, which no other policy is.
var baselineInk = rgb(0x6e6e6e)

// rgb is a color by its hexadecimal digits.
func rgb(digits uint32) color.NRGBA {
	return color.NRGBA{R: uint8(digits >> 16), G: uint8(digits >> 8), B: uint8(digits), A: 0xff}
}

// policyOf is the policy that decides how a curve looks: that of the words, which are a policy with its options as the user
// spells them, and for a batch the policy inside.
func policyOf(words string) string {
	name, options, _ := strings.Cut(words, ":")
	if name != "batch" {
		return name
	}
	for option := range strings.SplitSeq(options, ":") {
		if inner, found := strings.CutPrefix(option, "of="); found {
			name, _, _ = strings.Cut(inner, "/")
			return name
		}
	}
	return "gp-bucb" // what a batch is of unless it says otherwise
}

// HasLook reports whether a policy, with or without options, has a color and a mark of its own.
func HasLook(policy string) bool {
	_, known := policyLooks[policyOf(policy)]
	return known
}
