"""Sends generated requests to every operation of the served document and holds the answers against it (row R16).

Usage: run.py BINARY [CASES] [SEED]. Starts a server of its own with the demo catalogue on a free port and stops it.
"""

import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).parent
STAFF = "fuzz@staff.example"
STUDENT = "fuzz@uni.example"
# Forwards the clock of the whole server, which would end every login; it is tried after all others.
CLOCK = "/dev/clock"


class Server:
    def __init__(self, binary, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{free.getsockname()[1]}"
        self.binary, self.folder = binary, folder
        settings = {
            "LISTEN": self.url.removeprefix("http://"),
            "DATA_DIR": str(folder / "data"),
            "STAFF_EMAIL_DOMAIN": "staff.example",
            "TRUSTED_PROXY": "127.0.0.1",
            "DEV_TOOLS": "true",
        }
        self.environment = os.environ | {f"LATCHKEY_{name}": value for name, value in settings.items()}

    def __enter__(self):
        self.log = open(self.folder / "server.log", "w")
        self.process = subprocess.Popen([self.binary, "serve"], env=self.environment, stdout=self.log, stderr=self.log)
        for _ in range(600):
            try:
                self.call("GET", "/readyz")
                return self
            except (urllib.error.URLError, ConnectionError):
                if self.process.poll() is not None:
                    break
                time.sleep(0.2)
        raise SystemExit((self.folder / "server.log").read_text()[-2_000:])

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        self.log.close()

    def run(self, *arguments):
        subprocess.run([self.binary, *arguments], env=self.environment, check=True, capture_output=True)

    def call(self, method, path, body=None, cookie=None):
        """The answer's data and its cookies."""
        headers = {"content-type": "application/json"} | ({"cookie": cookie} if cookie else {})
        request = urllib.request.Request(self.url + path, json.dumps(body).encode() if body else None, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            cookies = "; ".join(value.split(";")[0] for value in answer.headers.get_all("set-cookie", []))
            return json.load(answer).get("data"), cookies

    def login(self, email):
        """The cookies of a login by mail."""
        self.call("POST", "/api/v0/users/generate_email_otp", {"user": {"email": email}})
        messages, _ = self.call("GET", f"/dev/outbox?to={email}")
        otp = next(message["code"] for message in messages if message.get("code"))
        return self.call("POST", "/api/v0/users/login_email_otp", {"user": {"email": email, "otp": otp}})[1]


def known(server):
    """Logins and ids that exist, for the requests to use."""
    server.run("grant", "--email", STAFF, "--role", "admin")
    staff, student = server.login(STAFF), server.login(STUDENT)
    homes = server.call("GET", "/api/v1/inventories?limit=5")[0]["result"]
    rooms = server.call("GET", f"/api/v0/inventories/{homes[0]['id']}/room_types")[0]["result"]
    leads, forms, tokens = [], [], []
    for number in range(4):
        lead = server.call("POST", "/api/v0/leads", {"lead": {
            "state": "created", "inventory_id": rooms[0]["id"], "meta": {"variant": "book_now"},
            "user_details": {"name": "Mei Lin", "phone": f"+44770090012{number}", "email": f"mei{number}@uni.example"},
        }}, student if number % 2 else None)[0]
        asked = {"lead_uuid": lead["lead_uuid"], "inventory_id": rooms[0]["id"]}
        form = server.call("POST", "/api/v0/booking_forms", {"booking_form": asked | {"flow": "book"}}, student if number % 2 else None)[0]
        payment = server.call("POST", "/api/v0/payments", {"payment": asked}, student if number % 2 else None)[0]
        leads.append(lead["lead_uuid"])
        forms.append(form["form_uuid"])
        tokens.append(payment["token"])
    desk = [lead["lead_id"] for lead in server.call("GET", "/api/v0/workspace/leads", cookie=staff)[0]["result"]]
    books = server.call("GET", "/api/v0/workspace/payments/events", cookie=staff)[0]["result"]
    return {
        "logins": [staff, student],
        "names": {
            "inventory": [home[key] for home in homes for key in ("id", "canonical_name")],
            "region": [homes[0]["region_id"]],
            "form_uuid": forms,
            "token": tokens,
            "key": ["personal_form", "university_details"],
            "name": ["lead_board", "journey"],
            "position": [1, 100, 70_000],
        },
        "ids": {
            "leads": leads + desk,
            "payments": sorted({row["payment_id"] for row in books if row.get("payment_id")}),
            "inventories_shortlists": [homes[0]["id"]],
            "inventories": [homes[0]["id"]],
            "documents": [],
        },
    }


def main():
    binary = str(Path(sys.argv[1]).resolve())
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    seed = sys.argv[3] if len(sys.argv) > 3 else str(random.randrange(2**32))
    print(f"repeat with: CASES={cases} SEED={seed} make fuzz", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="latchkey-fuzz-"))
    with Server(binary, folder) as server:
        environment = os.environ | {"FUZZ_KNOWN": json.dumps(known(server)), "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE)}
        document = json.loads(urllib.request.urlopen(server.url + "/api/openapi.json").read())
        each = max(1, cases // sum(len(methods) for methods in document["paths"].values()))
        schemathesis = [
            sys.executable, "-m", "schemathesis.cli", "run", server.url + "/api/openapi.json", "--checks", "all",
            "--continue-on-failure", "--no-color", "--request-timeout", "20", "--max-examples", str(each), "--seed", seed,
            *sys.argv[4:],
        ]
        rest = subprocess.run([*schemathesis, "--exclude-path", CLOCK], env=environment).returncode
        clock = subprocess.run([*schemathesis, "--include-path", CLOCK], env=environment).returncode
    panics = re.findall(r".*panicked at.*", (folder / "server.log").read_text())
    if not (rest or clock or panics):
        shutil.rmtree(folder)
    print("\n".join(panics) or "no panic in the server's log")
    raise SystemExit(1 if rest or clock or panics else 0)


main()
