"""An app in Starlette behind the gate, as test/kits/gate.conformance.ts describes it."""

import os

import uvicorn
from gatehouse_auth import GatehouseMiddleware
from starlette.applications import Starlette
from starlette.authentication import requires
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from told import CACHED, OPTIONS, told


async def public(request):
    return JSONResponse({"user": told(request.user)})


async def whoami(request):
    return JSONResponse(told(request.user.require()))


def cached(request):
    return JSONResponse(told(request.user.require()), headers=CACHED)


async def admin_only(request):
    return JSONResponse(told(request.user.require("admin")))


async def org_only(request):
    return JSONResponse(told(request.user.require(org_role="owner")))


async def one_org_only(request):
    return JSONResponse(told(request.user.require(org=request.path_params["id"])))


async def org_missing(request):
    return JSONResponse(told(request.user.require(org=request.path_params.get("id"))))


async def change(request):
    request.user.require()
    return JSONResponse({"changed": True})


@requires(["authenticated", "admin"])
async def by_scopes(request):
    return JSONResponse({"scopes": request.auth.scopes})


async def socket(websocket):
    await websocket.accept()
    await websocket.send_json(told(websocket.user))
    await websocket.close()


app = Starlette(
    routes=[
        Route("/public", public),
        Route("/whoami", whoami),
        Route("/cached", cached),
        Route("/admin-only", admin_only),
        Route("/org-only", org_only),
        Route("/org-only/{id}", one_org_only),
        Route("/org-missing", org_missing),
        Route("/change", change, methods=["POST"]),
        Route("/by-scopes", by_scopes),
        WebSocketRoute("/socket", socket),
    ],
    middleware=[Middleware(GatehouseMiddleware, **OPTIONS)],
)

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning", proxy_headers=False)
