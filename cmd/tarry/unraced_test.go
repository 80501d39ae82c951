//go:build !race

package main

const raced, usualKills = false, 6
