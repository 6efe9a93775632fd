"""A server of chat completions that fails as real ones do, on loopback.

Which fault a request meets is drawn from its prompt and the number of its attempt, so that a run
against it can be checked: ``ledger`` gets a line for every answer that goes out whole and in time.
"""

import hashlib
import json
import random
import threading
import time
from collections import Counter

from scripted_server import Script, says, scripted_server

# Those after which a client has no answer, and those that are answers of a kind.
BROKEN = ["500", "502", "503", "429", "reset", "cut", "slow"]
ODD = ["wrong_json", "no_message", "refusal", "off_scale", "prose"]
CONTENTS = {
    "refusal": "I'm sorry, but I can't judge this text.",
    "off_scale": '{"mark": 17}',
    "prose": "A lovely summary, full of promise.",
}


def fault_server(ledger, share=0.2, slow=1.0):
    """The address of a server that ends with the block; this share of its answers is a fault."""
    attempts, lock = Counter(), threading.Lock()

    def answer(request):
        name = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
        with lock:
            attempts[name] += 1
            attempt = attempts[name]
        draw = random.Random(f"{name} {attempt}")
        # What the model thinks of a text does not depend on when it is asked.
        mark = random.Random(name).randint(1, 5)
        fault = draw.choice(BROKEN + ODD) if draw.random() < share else ""
        if fault == "reset":
            return None
        if fault.isdecimal():
            # All wait while one is told to, so that it is told rarely.
            after = {"Retry-After": "1" if draw.random() < 0.2 else "0"} if fault == "429" else {}
            return int(fault), json.dumps({"error": {"message": "try again"}}), after
        time.sleep(slow if fault == "slow" else draw.uniform(0, 0.02))
        body = says(CONTENTS.get(fault, json.dumps({"mark": mark, "reason": "as drawn"})))
        if fault == "cut":
            return 200, body[: len(body) // 2], {"Content-Length": len(body)}
        if fault == "wrong_json":
            body = body[:-20]
        elif fault == "no_message":
            body = json.dumps({"error": "no model is loaded"})
        if fault != "slow":
            line = {"name": name, "expected": fault or mark, "at": time.time()}
            with lock, ledger.open("a") as file:
                file.write(json.dumps(line) + "\n")
        return body

    return scripted_server(Script(last=answer))
