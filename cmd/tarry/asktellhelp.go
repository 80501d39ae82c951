package main

const askTellHelp = `Read requests from standard input, one JSON object a line, and write one JSON object a line for each to standard output.
Any number of queries may be open at once, and answers come in any order.

  {"op":"ask","n":2}                       {"queries":[{"id":7,"x":{"lr":0.01,"kind":"adam"}}, ...]}, and
                                           where there are fewer than n "held", what holds the others back
  {"op":"ask","context":{"hour":7.5}}      where the space has parameters with the role context; a query that is
                                           tried again keeps its own: read it in x, which may have another one
  {"op":"tell","id":7,"value":0.31}        {"ok":true}, or with "repeated":true or "late":true;
                                           "constraints":{"heat":0.6} goes with it where the space names some
  {"op":"report","id":7,"value":0.2,"step":3}   {"ok":true}, with "stop":true where the evaluation should end
  {"op":"fail","id":7,"reason":"oom"}      optional "infeasible":true or "lost":true
  {"op":"cancel","id":7}                   it costs no budget, unless a value comes after all, or as many
                                           as the whole budget were cancelled or lost before;
                                           a value that was told stays, after a fail too: "stands" names it
  {"op":"renew","id":7}                    its lease begins anew
  {"op":"observe","x":{"lr":0.1,"kind":"sgd"},"value":0.4}   knowledge from elsewhere enters the model
  {"op":"enqueue","x":{"lr":0.1,"kind":"sgd"}}               the next ask proposes it, once the budget
                                           has room for it
  {"op":"best"}                            {"best":{"id":7,"x":{...},"value":0.31}} or {"best":null}
  {"op":"predict","x":{"lr":0.1,"kind":"sgd"}}               {"prediction":{"mean":0.3,"stddev":0.02,"noise":0.01}};
                                           with constraints "feasible", the probability that all hold, and
                                           "constraints", what is expected of each
  {"op":"recommend"}                       {"recommendation":{"x":{...},"mean":0.33,"stddev":0.01,"noise":0.01}}; "context"
                                           as in ask, constraints as in predict
  {"op":"state"}                           counts, what is pending, best, recommended, expected
  {"op":"help"}                            the operations with their fields, and the parameters with their values

predict and recommend ask the model of what was told so far, and cost no budget: mean is what it expects of the function, stddev
how sure it is of that, noise the spread of a measurement around it. Before there is a model there is null, and the reason.

With --points the only points that may be queried are those of a file, as the substances on a shelf.

Whatever is wrong with a line is answered by {"error":"...","line":3}, and the session goes on. With --study everything is
kept before it is answered; the same command goes on with a study that is there, whose queries are still awaited; one that
it begins is named on standard error. --budget, --budget-cost and --target may be others then, also where the study had come to its
end. A study that remote workers evaluate is not asked here; with nothing on standard input (</dev/null) --budget and --budget-cost say
what it may have. With the same seed and the same requests a session gives the same answers, but for what --forget and --give-up make
of the time that goes by.
`

const askTellExamples = `  printf '{"parameters":[{"name":"lr","type":"float","low":1e-5,"high":1,"log":true}]}' > space.json

  printf '{"op":"ask"}\n{"op":"tell","id":1,"value":0.31}\n{"op":"best"}\n' | tarry asktell --space space.json --seed 1

  tarry asktell --space space.json --study clicks.db --lease 24h --minimize

  printf '{"parameters":[{"name":"lr","type":"float","low":1e-5,"high":1,"log":true},
    {"name":"epochs","type":"ordered","values":[1,3,9],"role":"fidelity","costs":[1,3,9]}]}' > costs.json

  printf '{"op":"ask"}\n{"op":"tell","id":1,"value":0.31,"cost":8.5}\n{"op":"state"}\n' |
    tarry asktell --space costs.json --budget-cost 60 --seed 1`
