"""Minimizes a function with tarry, four evaluations at a time: python3 asktell.py [tarry]"""
import json, math, pathlib, subprocess, sys, threading, time
from concurrent.futures import ThreadPoolExecutor

space = pathlib.Path(__file__).with_name("space.json")
command = [sys.argv[1] if len(sys.argv) > 1 else "tarry", "asktell", "--space", space, "--seed", "1", "--minimize"]
tarry = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
turn = threading.Lock()

def request(**fields):
    with turn:  # each line is answered by one line
        print(json.dumps(fields), file=tarry.stdin, flush=True)
        answer = json.loads(tarry.stdout.readline())
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return answer

def train(lr, layers, kind):
    time.sleep(0.01 * layers)  # some take longer than others
    return (math.log10(lr) + 2) ** 2 + (layers - 4) ** 2 / 8 + (kind == "sgd")

def evaluate(_):
    query = request(op="ask")["queries"][0]
    request(op="tell", id=query["id"], value=train(**query["x"]))

with ThreadPoolExecutor(max_workers=4) as pool:
    list(pool.map(evaluate, range(40)))
print(request(op="best")["best"])
tarry.stdin.close()
