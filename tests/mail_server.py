"""A mail server for the stories: aiosmtpd, which says what it hears, a line of JSON each.

An address that begins with `later` is put off twice with 451, one that begins with `gone` is refused with 550.
`--slow` takes its time (`--pause SECONDS`: that much) before each answer, so that a sender can be killed between any two of them.
`--away FILE` puts every address off for as long as there is such a file.
`--ascii` takes no letters of other alphabets.
`--certificate FILE --key FILE` wants STARTTLS and the login rooms / s3cret first.
"""

import argparse
import asyncio
import json
import os
import ssl
from email import message_from_bytes, policy

from aiosmtpd.smtp import SMTP, AuthResult

PAUSE_S = 0.03
PUT_OFF = 2


def say(**heard):
    print(json.dumps(heard), flush=True)


class House:
    def __init__(self, pause, away):
        self.pause = pause
        self.away = away
        self.put_off = {}

    async def handle_RCPT(self, server, session, envelope, address, options):
        say(event="recipient", to=address)
        await asyncio.sleep(self.pause)
        if self.away and os.path.exists(self.away):
            return "451 4.3.0 nobody is in"
        if address.startswith("gone"):
            return f"550 5.1.1 <{address}> is not known here"
        if address.startswith("later"):
            count = self.put_off[address] = self.put_off.get(address, 0) + 1
            if count <= PUT_OFF:
                return f"451 4.3.0 <{address}> not now"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = message_from_bytes(envelope.content, policy=policy.default)
        text = mail.get_body(("plain",))
        html = mail.get_body(("html",))
        say(
            event="mail",
            to=envelope.rcpt_tos[0],
            id=str(mail["Message-ID"]),
            sender=str(mail["From"]),
            subject=str(mail["Subject"]),
            automatic=str(mail["Auto-Submitted"] or ""),
            unsubscribe=str(mail["List-Unsubscribe"] or ""),
            unsubscribe_post=str(mail["List-Unsubscribe-Post"] or ""),
            text=text.get_content() if text else "",
            html=html.get_content() if html else "",
            encrypted=session.ssl is not None,
        )
        await asyncio.sleep(self.pause)
        return "250 OK"


def login(server, session, envelope, mechanism, given):
    right = given.login == b"rooms" and given.password == b"s3cret"
    return AuthResult(success=right, handled=False)


async def main():
    given = argparse.ArgumentParser()
    given.add_argument("--slow", dest="pause", action="store_const", const=PAUSE_S, default=0)
    given.add_argument("--pause", type=float, default=0)
    given.add_argument("--away")
    given.add_argument("--ascii", action="store_true")
    given.add_argument("--certificate")
    given.add_argument("--key")
    given = given.parse_args()
    options = {}
    if given.certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(given.certificate, given.key)
        options = {
            "tls_context": context,
            "require_starttls": True,
            "authenticator": login,
            "auth_required": True,
        }
    house = House(given.pause, given.away)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(house, enable_SMTPUTF8=not given.ascii, **options), "127.0.0.1", 0)
    say(event="listens", port=server.sockets[0].getsockname()[1])
    await server.serve_forever()


asyncio.run(main())
