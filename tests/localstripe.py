"""Pays through localstripe, an imitation of Stripe that others wrote (GPL, installed for this alone: `pip install localstripe`).

    python -m venv /tmp/localstripe && /tmp/localstripe/bin/pip install localstripe
    cargo build --bin latchkey && /tmp/localstripe/bin/python tests/localstripe.py target/debug/latchkey

A payment, a cancellation, a refund and a signed notice go through the product. localstripe refuses parameters that it does not know,
so a proxy before it leaves those out: what they do is told by `stripe-standin` and Stripe's test mode.
"""

import json
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET_KEY = "sk_test_localstripe"
PUBLISHABLE_KEY = "pk_test_localstripe"
WEBHOOK_SECRET = "whsec_localstripe"
# What localstripe answers with "Unexpected".
UNKNOWN = ("automatic_payment_methods", "description", "statement_descriptor_suffix")
STAFF = "finance@staff.example"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def until(look, what, seconds=30):
    """What `look` gives once it gives anything."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.1)
    sys.exit(f"{what} did not come about in {seconds} s")


class Proxy(BaseHTTPRequestHandler):
    """Passes calls on to localstripe, without the parameters that it does not know."""

    target = ""
    keys = []

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
        pairs = urllib.parse.parse_qsl(body)
        known = [pair for pair in pairs if not pair[0].startswith(UNKNOWN)]
        request = urllib.request.Request(self.target + self.path, method=self.command)
        if self.command == "POST":
            request.data = urllib.parse.urlencode(known).encode()
            self.keys.append(self.headers.get("idempotency-key"))
        request.add_header("authorization", self.headers["authorization"])
        try:
            with urllib.request.urlopen(request) as answer:
                status, said = answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            status, said = refused.code, refused.read()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    do_GET = do_POST = pass_on

    def log_message(self, *_):
        pass


class Browser:
    """Somebody with cookies."""

    def __init__(self, base):
        self.base = base
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def call(self, method, path, body=None):
        request = urllib.request.Request(self.base + path, method=method)
        request.add_header("content-type", "application/json")
        if body is not None:
            request.data = json.dumps(body).encode()
        try:
            with self.opener.open(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            sys.exit(f"{method} {path}: {refused.code} {refused.read().decode()}")


def asked(base, method, path, form=None, key=SECRET_KEY):
    """One call of localstripe, as Stripe's script or its dashboard makes it."""
    request = urllib.request.Request(base + path, method=method)
    if form is not None:
        request.data = urllib.parse.urlencode(form).encode()
    request.add_header("authorization", f"Bearer {key}")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def a_room(browser):
    """A room of the demo homes that can be booked now."""
    homes = browser.call("GET", "/api/v1/inventories?limit=50")["data"]["result"]
    for home in homes:
        types = browser.call("GET", f"/api/v0/inventories/{home['id']}/room_types")
        found = re.findall(r'"id": "([0-9a-f-]{36})"', json.dumps(types))
        rooms = [room for room in found if room != home["id"]]
        if rooms:
            yield from rooms


def opened(browser, number, room):
    """A lead and its payment, begun: the payment, or nothing where the room is not let."""
    lead = {
        "state": "created",
        "inventory_id": room,
        "user_details": {"name": "Mei Lin", "phone": f"+44+79{number:08}", "email": f"buyer{number}@example.com"},
        "meta": {"variant": "book_now"},
    }
    sent = browser.call("POST", "/api/v0/leads", {"lead": lead})
    body = {"payment": {"lead_uuid": sent["data"]["lead_uuid"], "inventory_id": room}}
    payment = browser.call("POST", "/api/v0/payments", body)["data"]
    begun = browser.call("POST", f"/api/v0/payments/{payment['token']}/intent", {})["data"]
    assert begun["status"] == "initiated", begun
    return begun


def notices(folder):
    """How many notices of the gateway lie in the log."""
    with sqlite3.connect(f"file:{folder}/log.db?mode=ro", uri=True) as log:
        question = "select count(*) from event where event_type = 'GatewayEventReceived'"
        return log.execute(question).fetchone()[0]


def go(binary, localstripe, base, folder):
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    Proxy.target = localstripe
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    environment = {
        "PATH": "/usr/bin:/bin",
        "LATCHKEY_DATA_DIR": folder,
        "LATCHKEY_STRIPE_SECRET_KEY": SECRET_KEY,
        "LATCHKEY_STRIPE_PUBLISHABLE_KEY": PUBLISHABLE_KEY,
        "LATCHKEY_STRIPE_WEBHOOK_SECRET": WEBHOOK_SECRET,
        "LATCHKEY_STRIPE_API_BASE": f"http://127.0.0.1:{proxy.server_address[1]}",
        "LATCHKEY_LOG": "warn",
    }
    serve = [binary, "serve", "--listen", f"127.0.0.1:{base}"]
    server = subprocess.Popen(serve, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        url = server.stdout.readline().split()[-1]
        told = {"url": f"{url}/api/webhooks/stripe", "secret": WEBHOOK_SECRET}
        request = urllib.request.Request(f"{localstripe}/_config/webhooks/latchkey", method="POST")
        request.data = json.dumps(told).encode()
        request.add_header("content-type", "application/json")
        urllib.request.urlopen(request).close()
        walk(binary, environment, localstripe, url, folder)
    finally:
        server.terminate()
        server.wait()


def walk(binary, environment, localstripe, url, folder):
    browser = Browser(url)
    rooms = a_room(browser)
    payment = opened(browser, 1, next(rooms))
    intent, _ = payment["gateway"]["client_secret"].split("_secret_")
    card = {"type": "card", "card[number]": "4242424242424242", "card[exp_month]": 12, "card[exp_year]": 2035, "card[cvc]": 123}
    method = asked(localstripe, "POST", "/v1/payment_methods", card)
    # Stripe takes both at once.
    asked(localstripe, "POST", f"/v1/payment_intents/{intent}", {"payment_method": method["id"]})
    asked(localstripe, "POST", f"/v1/payment_intents/{intent}/confirm", {})
    path = f"/api/v0/payments/{payment['token']}"
    paid = until(
        lambda: (lambda now: now if now["status"] == "success" else None)(browser.call("GET", path)["data"]),
        "the payment's success",
    )
    print("paid:", paid["reference"], paid["total_minor"], paid["currency"], paid["card"])
    until(lambda: notices(folder), "a signed notice in the log")
    print("a signed notice was taken in")

    subprocess.run([binary, "grant", "--email", STAFF, "--role", "finance"], env=environment, check=True)
    officer = Browser(url)
    sent = officer.call("POST", "/api/v0/users/generate_email_otp", {"user": {"email": STAFF}})
    code = officer.call("GET", f"/dev/outbox?to={STAFF}")["data"][0]["code"]
    user = {"email": STAFF, "otp": code, "session_uuid": sent["data"]["session_uuid"]}
    officer.call("POST", "/api/v0/users/login_email_otp", {"user": user})
    search = f"/api/v0/workspace/payments/events?kind=captured&q={paid['reference']}"
    captured = until(lambda: officer.call("GET", search)["data"]["result"], "the captured payment in the audit")
    payment_id = captured[0]["payment_id"]
    refund = {"booking": "keep", "amount_minor": 1_000, "reason": "plans changed"}
    officer.call("POST", f"/api/v0/workspace/payments/{payment_id}/refunds", refund)
    until(lambda: browser.call("GET", path)["data"]["refunded_minor"] == 1_000, "the refund")
    print("refunded: 1000")

    other = opened(browser, 2, next(rooms))
    intent, _ = other["gateway"]["client_secret"].split("_secret_")
    browser.call("POST", f"/api/v0/payments/{other['token']}/cancel", {})
    asked_for = f"/v1/payment_intents/{intent}"
    until(lambda: asked(localstripe, "GET", asked_for)["status"] == "canceled", "the cancellation")
    print("cancelled:", intent)
    assert all(Proxy.keys), "a command was sent without its key"


def main():
    binary = sys.argv[1] if len(sys.argv) > 1 else "target/debug/latchkey"
    port = free_port()
    imitation = subprocess.Popen(
        [sys.executable, "-m", "localstripe", "--port", str(port), "--from-scratch"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    localstripe = f"http://127.0.0.1:{port}"
    try:
        until(lambda: reachable(port), "localstripe")
        with tempfile.TemporaryDirectory() as folder:
            go(binary, localstripe, free_port(), folder)
    finally:
        imitation.terminate()
        imitation.wait()
    print("localstripe: a payment, a notice, a refund and a cancellation went through")


def reachable(port):
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) == 0


if __name__ == "__main__":
    main()
