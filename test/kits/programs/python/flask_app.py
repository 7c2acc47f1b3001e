"""An app in Flask behind the gate, as test/kits/gate.conformance.ts describes it."""

import os

from flask import Flask, g, jsonify
from gatehouse_auth import Gatehouse
from told import CACHED, OPTIONS, told

app = Flask(__name__)
gatehouse = Gatehouse(app, **OPTIONS)


@app.get("/public")
def public():
    return jsonify(user=told(g.user))


@app.get("/whoami")
@gatehouse.login_required()
def whoami():
    return told(g.user)


@app.get("/cached")
@gatehouse.login_required()
def cached():
    return told(g.user), CACHED


@app.get("/admin-only")
@gatehouse.login_required("admin")
def admin_only():
    return told(g.user)


@app.get("/org-only")
@gatehouse.login_required(org_role="owner")
def org_only():
    return told(g.user)


@app.get("/org-only/<id>")
def one_org_only(id):
    return told(g.user.require(org=id))


@app.get("/org-missing")
@gatehouse.login_required(org=os.environ.get("NO_SUCH_ORGANIZATION"))
def org_missing():
    return told(g.user)


@app.post("/change")
@gatehouse.login_required()
async def change():
    return {"changed": True}


if __name__ == "__main__":
    app.run(host="127.0.0.1", port=int(os.environ["PORT"]), threaded=True)
