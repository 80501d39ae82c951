package surrogate

// Kernels whose correlations fall slowly.
var _ = register("rq", stationary(RationalQuadratic))
