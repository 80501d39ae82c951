package tournament

import "github.com/tarry-bo/tarry/surrogate"

// reserve are the problems on which nothing was tuned and nothing shall be: what holds on the halves must hold here too.
var reserve = []Problem{
	{Name: "beale", Family: Classical, Half: Reserve, Describe: "Beale, moved: a plain between steep walls", draw: moved("beale", 0, false)},
	{Name: "crossintray", Family: Classical, Half: Reserve, Describe: "cross-in-tray, moved and turned", draw: moved("crossintray", 0, true)},
	{Name: "dropwave", Family: Classical, Half: Reserve, Describe: "drop-wave, moved", draw: moved("dropwave", 0, false)},
	{Name: "griewank:3", Family: Classical, Half: Reserve, Describe: "Griewank in 3 dimensions, moved and turned", draw: moved("griewank", 3, true)},
	{Name: "powell", Family: Classical, Half: Reserve, Describe: "Powell in 4 dimensions, moved and turned", draw: moved("powell", 0, true)},
	{Name: "dixonprice:5", Family: Classical, Half: Reserve, Describe: "Dixon-Price in 5 dimensions, moved", draw: moved("dixonprice", 5, false)},
	{Name: "ellipsoid:6", Family: Classical, Half: Reserve, Describe: "an ellipsoid in 6 dimensions, moved and turned", draw: moved("ellipsoid", 6, true)},
	{Name: "gp-short:3", Family: Gaussian, Half: Reserve, Describe: "a draw with SE kernel, lengthscale 0.18, in 3 dimensions", draw: drawn(surrogate.SE, 3, 0.18, plain)},
	{Name: "gp-uneven:6", Family: Gaussian, Half: Reserve, Describe: "a draw with Matérn-5/2 kernel in 6 dimensions, of which some matter twenty times as much as others", draw: onCube(6, uneven)},
	{Name: "cliff:3", Family: Gaussian, Half: Reserve, Describe: "a draw with Matérn-5/2 kernel, lengthscale 0.4, in 3 dimensions, that falls off beyond a bound of the first", draw: onCube(3, cliff)},
	{Name: "hills:2", Family: Hills, Half: Reserve, Describe: "8 hills of their own heights and widths in 2 dimensions", draw: hills(2, 8, 0.1)},
	{Name: "hills:4", Family: Hills, Half: Reserve, Describe: "10 hills of their own heights and widths in 4 dimensions", draw: hills(4, 10, 0.22)},
	{Name: "hills:6", Family: Hills, Half: Reserve, Describe: "12 hills of their own heights and widths in 6 dimensions", draw: hills(6, 12, 0.35)},
	{Name: "net:3", Family: Nets, Half: Reserve, Describe: "a random network of 12 units in 3 dimensions", draw: randomNet(3, 12)},
	{Name: "net:6", Family: Nets, Half: Reserve, Describe: "a random network of 20 units in 6 dimensions", draw: randomNet(6, 20)},
	{Name: "net-mixed", Family: Nets, Half: Reserve, Describe: "a random network of 16 units of two floats, an int of 10, a choice of 5 and a switch", draw: mixedNet},
	{Name: "facets:4", Family: Nets, Half: Reserve, Describe: "the lowest of 10 planes in 4 dimensions: edges, and no curvature", draw: facets},
}
