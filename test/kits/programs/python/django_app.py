"""An app in Django behind the gate, as test/kits/gate.conformance.ts describes it."""

import os
import sys

from django.conf import settings
from django.http import JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from gatehouse_auth import gatehouse_required
from told import CACHED, OPTIONS, told

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    GATEHOUSE=OPTIONS,
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "gatehouse_auth.GatehouseDjangoMiddleware",
    ],
    ROOT_URLCONF=__name__,
    SECRET_KEY="of the tests",
)


def public(request):
    return JsonResponse({"user": told(request.gatehouse_user)})


@gatehouse_required()
def whoami(request):
    return JsonResponse(told(request.gatehouse_user))


@gatehouse_required()
async def cached(request):
    return JsonResponse(told(request.gatehouse_user), headers=CACHED)


@gatehouse_required("admin")
def admin_only(request):
    return JsonResponse(told(request.gatehouse_user))


@gatehouse_required(org_role="owner")
def org_only(request):
    return JsonResponse(told(request.gatehouse_user))


def one_org_only(request, id):
    return JsonResponse(told(request.gatehouse_user.require(org=id)))


@gatehouse_required(org=os.environ.get("NO_SUCH_ORGANIZATION"))
def org_missing(request):
    return JsonResponse(told(request.gatehouse_user))


@csrf_exempt
@gatehouse_required()
def change(request):
    return JsonResponse({"changed": True})


urlpatterns = [
    path("public", public),
    path("whoami", whoami),
    path("cached", cached),
    path("admin-only", admin_only),
    path("org-only", org_only),
    path("org-only/<id>", one_org_only),
    path("org-missing", org_missing),
    path("change", change),
]

if __name__ == "__main__":
    from django.core.management import execute_from_command_line
    from django.core.servers.basehttp import WSGIServer

    # A crowd of the tests comes at once.
    WSGIServer.request_queue_size = 512

    execute_from_command_line([sys.argv[0], "runserver", "--noreload", f"127.0.0.1:{os.environ['PORT']}"])
