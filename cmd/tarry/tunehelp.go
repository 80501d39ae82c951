package main

const tuneHelp = `Run a command again and again, each time with other parameters, and find those with the greatest value (--minimize: the
smallest). Many evaluations run at once, and the next point is chosen without waiting for those that are under way.

The command gets its parameters as
  placeholders  {lr} anywhere in its arguments; {{ is a literal brace. {evaluation}, {attempt} and {parameters} (the JSON
                file) are there too
  environment   TARRY_LR; TARRY_EVALUATION, TARRY_ATTEMPT, TARRY_LOG_DIR (its folder)
  a JSON file   whose path is TARRY_PARAMETERS
In a script of a shell a choice is read as a part of the script; as an argument of the script it is not:
  sh -c 'train --kind "$1"' sh {kind}

Its value is the last line of standard output that is a number, or a JSON object such as
  {"value": 0.93, "cost": 12.5, "constraints": [-0.1], "infeasible": false}
Only value must be there. The object may be spread over lines, of which the first begins with {. Other lines are passed over, such as
{"epoch": 3}; but a last line that begins or ends what is no JSON object, or is a value in the colors of a terminal, fails the attempt:
no earlier number takes its place.
Constraints hold where they are <= 0. Where the space file names constraints, as in
  "constraints": [{"name": "latency", "at_most": 0.2}, {"name": "recall", "at_least": 0.5}]
each value comes with all of them: {"value": 0.93, "constraints": {"latency": 0.13, "recall": 0.6}}. They are learned, points
that are likely to be feasible are preferred. The value of a point that violates one is learned too; with
--ignore-infeasible it is not, for where it means nothing.

On its way a command may report, as often as it likes, by lines such as
  {"report": 0.2, "step": 3}
where the step grows: an epoch, an age. The model learns what reports are worth (--ignore-reports: nothing). With --stop-early 0.01 a
command is ended as soon as its value will be the best with a probability below 0.01, and its evaluation is called stopped.

  exit code 0   the value counts; without one the attempt has failed
  exit code 65  the point is infeasible: it is not tried again (--infeasible-code)
  exit code 75  the attempt was lost through no fault of the point, and is tried again after a while (--lost-code)
  any other     the attempt has failed, and is tried again as --retries says

The study ends when --budget or --budget-cost is spent, or when a value as good as --target comes; what runs then is ended. After --max-time
nothing new is started, what runs is waited for, and tarry resume goes on later.

--points FILE.csv has the only points that may be queried, as the substances on a shelf: a line with names of parameters, and a point a line;
other columns are left out. --enqueue FILE.csv has points to try first: a line with names of parameters, and a point a line. What is not there or empty is
drawn at random. --observe FILE.csv has known results, which teach the model and cost no budget: a column for each parameter,
and one called value; with named constraints also one called constraints, as in latency=0.13;recall=0.6, or without the names in the order
of the space file. What tarry inspect --csv writes is such a file; its lines without a value that counts are left out, and a study of the other
sense (column sense) is refused.

After --timeout the whole process group is ended, and its worker goes on when it is gone. The last value that the command had
printed by then, in a whole line, counts, and is late, or observed where --retries leave another attempt, which is then not
needed. So print as a value only what is one. With an exit code of its own in
answer to SIGTERM a command says otherwise; 143 and 137 are none, for so a shell says that a signal ended its child. A command
that is ended before its time, by Ctrl-C twice or by tarry resume after its process was killed, runs again.

What each attempt printed is in STUDY.logs/NUMBER.ATTEMPT, as in s.db.logs/000007.1, where only you can read it. That folder belongs
to the study and moves with it. Of more than --max-output the beginning, the end and the last value are kept; tarry prune deletes what is
not needed any more. What comes to lie there when an attempt was given up already, and nobody listens, is told by tarry
resume: a value, or that the point is infeasible, is never lost.

A command that cannot be started at all, as when its program or the working directory is gone, says nothing of the point:
the study stops, and can be resumed. So it does when the first ten evaluations all fail, whatever the command said: more of
them would spend the budget on a mistake in it. Where so many may fail, --max-failures says how many are too many.

Ctrl-C once: nothing new is started, and what runs is waited for. Twice: it is ended. Either way, as after kill -9 or a
power cut, tarry resume STUDY goes on.
` + exitCodes

const tuneExample = `  printf 'parameters:\n- {name: lr, type: float, low: 1e-5, high: 1, log: true}\n- {name: layers, type: int, low: 1, high: 8}\n' > space.yaml

  tarry tune --space space.yaml --budget 20 --workers 4 --study s.db -- \
    awk 'BEGIN {{ print 1 - (log({lr})/log(10)+2)^2/4 - ({layers}-5)^2/20 }'

  printf '#!/bin/sh\nawk "BEGIN { print (log($2)/log(10)+2)^2 + ($4-5)^2 }"\n' > train.sh && chmod +x train.sh

  tarry tune --space space.yaml --budget 20 --study t.db --minimize --timeout 10m --retries 2 -- \
    ./train.sh --lr {lr} --layers {layers}

  tarry inspect s.db --csv | head -6 > known.csv && printf 'lr,layers\n0.01,5\n0.1,\n' > first.csv

  tarry tune --space space.yaml --budget 20 --study u.db --observe known.csv --enqueue first.csv --design halton \
    --target 0.999 --max-time 8h -- awk 'BEGIN {{ print 1 - (log({lr})/log(10)+2)^2/4 - ({layers}-5)^2/20 }'

  printf '%s\n' 'parameters:' '- {name: lr, type: float, low: 1e-5, high: 1, log: true}' \
    '- {name: epochs, type: ordered, values: [1, 3, 9], role: fidelity, costs: [1, 3, 9]}' > costs.yaml

  tarry tune --space costs.yaml --budget-cost 60 --study v.db -- \
    awk 'BEGIN {{ print 1 - (log({lr})/log(10)+2)^2/4 - 1/{epochs} }'`
