"""What the apps in Python have in common: see test/kits/gate.conformance.ts."""

import os
from dataclasses import asdict

from gatehouse_auth import User


def told(user):
    if not isinstance(user, User):
        return None
    shown = asdict(user)
    del shown["program"]
    return shown


OPTIONS = {
    "base_url": os.environ["GATEHOUSE_URL"],
    "public_url": os.environ["GATEHOUSE_PUBLIC_URL"],
    "origins": [os.environ["APP_ORIGIN"]],
    "optional": os.environ.get("GATE_CLOSED") is None,
    "sign_in": True,
    "resource": os.environ.get("APP_RESOURCE"),
    "timeout": int(os.environ["GATE_TIMEOUT_MS"]) / 1000,
}
CACHED = {"Cache-Control": "public, max-age=3600", "CDN-Cache-Control": "max-age=3600"}
