package functions

// shekel is ten narrow wells on a plain, -Σ_i 1/(c_i + |x - a_i|²) on [0,10]^4.
var shekel = family{
	name: "shekel",
	dims: only(4),
	box:  cube(0, 10),
	loss: func(x []float64) float64 {
		var sum float64
		for i, well := range wellsOfShekel {
			distance := widthsOfShekel[i]
			for j, v := range x {
				distance += square(v - well[j%2])
			}
			sum += 1 / distance
		}
		return -sum
	},
	best:      points([]float64{4.00074686827063439, 3.99950948007735558, 4.00074686827063439, 3.99950948007735558}),
	maximum:   10.536443153483527869,
	reference: "Shekel 1971; Dixon & Szegő 1978",
}

// The wells, whose third and fourth coordinates repeat the first two, and their widths.
var (
	wellsOfShekel  = [][]float64{{4, 4}, {1, 1}, {8, 8}, {6, 6}, {3, 7}, {2, 9}, {5, 3}, {8, 1}, {6, 2}, {7, 3.6}}
	widthsOfShekel = []float64{0.1, 0.2, 0.2, 0.4, 0.4, 0.6, 0.3, 0.7, 0.5, 0.5}
)
