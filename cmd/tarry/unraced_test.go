//go:build !race

package main

const raced, usualKills, usualMisfortunes = false, 6, 6
