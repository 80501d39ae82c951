package surrogate

// PoolCovariance fills dst (length N) with the posterior covariances k(a, b) - V_aᵀV_b of the latent function between point i
// of the pool and all of its points. The variance among them may differ from PoolVariance by round-off, and is not cut
// off at 0. A posterior without a pool and a dst of another length are bugs and panic. Cost O(nN + Nd).
func (p *Posterior) PoolCovariance(dst []float64, i int) {
	if p.pool == nil || len(dst) != p.pool.Len() {
		panic("surrogate: covariances of another pool")
	}
	p.prior.Kernel.Row(dst, p.pool.kept[i], p.pool.kept)
	column := make([]float64, len(p.x))
	for k := range column {
		column[k] = -p.pooled.row(k)[i]
	}
	p.pooled.addRows(dst, 0, column)
}
