"""What a generated request needs to get past the front door: an address of its own, a login, ids that exist.

A third of the requests come from a visitor, a third from a student, a third from an administrator. An id in a path is one that
exists in every second request whose path is as the document asks.
"""

import json
import os
import random

import schemathesis
from schemathesis.core.parameters import ParameterLocation

known = json.loads(os.environ["FUZZ_KNOWN"])

# These answer for as long as the connection stands once the id exists.
STREAMS = ("/api/v0/payments/{token}/stream", "/api/v0/workspace/leads/{id}/stream")
# These end the login they are sent with, for all requests after them.
ENDS_LOGIN = ("/api/v0/users/logout", "/api/v0/users/forget")


def existing(path, name):
    """Ids that exist for a name in this path; nothing where the name takes no id."""
    if path in STREAMS:
        return []
    if name == "id":
        return known["ids"].get(next((part for part in known["ids"] if f"/{part}/" in path), ""), [])
    return known["names"].get(name, [])


@schemathesis.hook
def before_call(context, case, kwargs):
    draw = random.Random(case.id)
    case.headers["X-Forwarded-For"] = ".".join(str(draw.randrange(1, 255)) for _ in range(4))
    path = case.operation.path
    if path not in ENDS_LOGIN and (login := draw.choice([None, *known["logins"]])) is not None:
        case.headers["Cookie"] = login
    if case.meta is None or case.meta.is_negative_at(ParameterLocation.PATH) or draw.random() < 0.5:
        return
    for name in list(case.path_parameters or {}):
        if ids := existing(path, name):
            case.path_parameters[name] = draw.choice(ids)


# Refusals for reasons that a schema of one request cannot state: what is stored, what other fields say, what a mail said.
RULES = {
    "already_submitted",
    "date_format",
    "idempotency_key_reused",
    "incomplete",
    "mismatch",
    "otp_wrong",
    "refund_exceeds_refundable",
    "required",
    "signature_refused",
    "unknown_field",
    "unknown_inventory",
    "unknown_value",
}
# The least of these may be given above the most, which answers 400.
RANGES = "/api/v1/inventories"


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Takes a refusal by such a rule as the answer to a valid request."""
    if type(failure).__name__ != "RejectedPositiveData" or response.status_code not in (400, 422):
        return True
    refusal = response.json()
    codes = {error["code"] for error in refusal["errors"]} or {refusal["message"]["code"]}
    return not codes <= RULES and not (case.operation.path == RANGES and codes == {"malformed"})
