package chart

import (
	"image/color"
	"math"
)

// scale is the sequence YlGnBu of Harrower and Brewer (2003) from light to dark, brought to even steps of lightness (CIE
// 1976): equal differences of numbers look alike, also to those who cannot tell red from green, and in print.
var scale = [...]color.NRGBA{
	{R: 0xf9, G: 0xfd, B: 0xcf, A: 0xff},
	{R: 0xcd, G: 0xeb, B: 0xb4, A: 0xff},
	{R: 0x9d, G: 0xd8, B: 0xb8, A: 0xff},
	{R: 0x69, G: 0xc3, B: 0xbf, A: 0xff},
	{R: 0x3a, G: 0xac, B: 0xc3, A: 0xff},
	{R: 0x20, G: 0x93, B: 0xc0, A: 0xff},
	{R: 0x23, G: 0x79, B: 0xb5, A: 0xff},
	{R: 0x22, G: 0x60, B: 0xa9, A: 0xff},
	{R: 0x26, G: 0x47, B: 0x9d, A: 0xff},
	{R: 0x1f, G: 0x30, B: 0x89, A: 0xff},
	{R: 0x0c, G: 0x22, B: 0x63, A: 0xff},
}

// shade is the color of a share of the scale: 0 is light, 1 dark.
func shade(share float64) color.NRGBA {
	at := min(max(share, 0), 1) * float64(len(scale)-1)
	i := min(int(at), len(scale)-2)
	return mixed(scale[i], scale[i+1], at-float64(i))
}

// mixed is a color between two: 0 is the first, 1 the second.
func mixed(a, b color.NRGBA, share float64) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
	return color.NRGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 0xff}
}

// luminance is how bright a color is, from 0 to 1 (Web Content Accessibility Guidelines 2.1).
func luminance(c color.NRGBA) float64 {
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// linear is the light of a digit of a color, from 0 to 1.
func linear(v uint8) float64 {
	if s := float64(v) / 255; s > 0.03928 {
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return float64(v) / 255 / 12.92
}

// ink is black or white, whichever can be read better on a color.
func ink(on color.NRGBA) color.Color {
	if l := luminance(on); 1.05/(l+0.05) > (l+0.05)/0.05 {
		return color.White
	}
	return color.Black
}

// share is where a number lies between the ends of a scale, from 0 to 1.
func (s span) share(v float64) float64 {
	if !s.usable() {
		return 0
	}
	return (s.clip(v) - s.low) / (s.high - s.low)
}
