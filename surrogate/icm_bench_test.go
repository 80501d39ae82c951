package surrogate

import "testing"

func BenchmarkRowOverAFidelity(b *testing.B) {
	xs := randomPoints(stream(620), 200, 6)
	dst := make([]float64, len(xs))
	for _, k := range []Kernel{
		Stationary{Matern52, defaultLengthscales(6), 1, nil, 0, 0}, NewICM(Stationary{Matern52, defaultLengthscales(5), 1, nil, 0, 0}, 2, 3),
		Additive{Matern52, defaultLengthscales(6), 1, nil, 0, 0}, NewICM(Additive{Matern52, defaultLengthscales(5), 1, nil, 0, 0}, 2, 3),
	} {
		b.Run(k.Name(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				k.Row(dst, xs[0], xs)
			}
		})
	}
}
