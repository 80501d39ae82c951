package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/tarry-bo/tarry/bandit"
)

// taughtUsage is the help of the flag with the file of what a bandit was taught.
const taughtUsage = "`FILE` of what earlier tasks taught a bandit, for the policy meta-mab: the JSON of what bandit.Learn returns"

// openTaught returns what is in the file of a flag; nothing without the flag.
func openTaught(path string) (*bandit.Knowledge, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--taught: %w", err)
	}
	var k bandit.Knowledge
	if err := json.Unmarshal(text, &k); err != nil {
		return nil, fmt.Errorf("--taught: %s is not what a bandit was taught: %w", path, err)
	}
	return &k, nil
}
