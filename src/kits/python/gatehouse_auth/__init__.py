"""Asks a Gatehouse who sends a request to an app for ASGI (Starlette, FastAPI), Django or Flask.

Each request with a credential is one question, and nothing of the answer is kept: who signs out, or loses a role, is refused with the next request.
"""

from __future__ import annotations

import asyncio
import base64
import functools
import http.client
import io
import json
import logging
import os
import re
import socket
import threading
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.cookies import Morsel
from typing import Any, Awaitable, Callable, Iterable, Mapping, MutableMapping, NoReturn, Optional, Sequence

__all__ = [
    "Anonymous",
    "Gatehouse",
    "GatehouseDjangoMiddleware",
    "GatehouseMiddleware",
    "Organization",
    "Program",
    "Refused",
    "User",
    "gatehouse_required",
]

_LOG = logging.getLogger("gatehouse_auth")
_QUIET_SECONDS = 60.0
_MOST_CONNECTIONS = 32
_MOST_WAITING = 1_000
_MOST_CREDENTIAL_CHARACTERS = 12_288
_MOST_ANSWER_BYTES = 16_384
_MOST_WAY_CHARACTERS = 2_048
_MOST_COOKIES = 20
_USUAL_RETRY_SECONDS = 5
_MOST_RETRY_SECONDS = 3_600
_METADATA_PATH = "/.well-known/oauth-protected-resource"
_SESSION_COOKIE = re.compile(r"auth_(?:access|refresh)=")
_SHOWN_COOKIE = re.compile(r"auth_(?:access|refresh)=[\x21-\x7e]*")
_TOKEN = re.compile(r"(?:bearer|dpop) +[\x21-\x7e]+", re.IGNORECASE)
_PLAIN = re.compile(r"[\x20-\x7e]*")
_NO_STORE = "private, no-store"
#: What is not asked for. None is asked for, and nobody has it.
_NOT_ASKED: Any = object()


class Refused(Exception):
    """Ends a request with an answer in the envelope of Gatehouse. The middleware answers it, wherever in a view it is raised."""

    def __init__(self, status: int, code: str, retry_seconds: Optional[int] = None) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.retry_seconds = retry_seconds


@dataclass(frozen=True)
class Organization:
    """What a session acts for, with the roles that its user has there."""

    id: str
    slug: str
    roles: tuple[str, ...]


@dataclass(frozen=True)
class Program:
    """What calls for a user. What its scopes mean here is the app's to say."""

    client_id: str
    scopes: tuple[str, ...]


@dataclass(frozen=True)
class User:
    """Who sends a request, as Gatehouse has just said. ``id`` never changes; ``username`` and ``email`` may."""

    id: str
    username: str
    email: str
    email_verified: bool
    roles: tuple[str, ...]
    #: None for a personal token.
    session_id: Optional[str]
    #: The organization that the session acts for.
    organization: Optional[Organization]
    #: What calls for the user with a token for the ``resource`` of the gate; None where the user calls.
    program: Optional[Program]
    #: Those of AUTH_TOKEN_CLAIMS.
    claims: Mapping[str, Any]
    #: ``aal2`` where the session has shown a second factor; None for a personal token.
    acr: Optional[str] = None
    #: When the user was last proven, in seconds since 1970; None for a personal token.
    auth_time: Optional[int] = None

    # What Starlette and Django ask of a user.
    is_authenticated = True
    is_anonymous = False
    is_active = True

    @property
    def display_name(self) -> str:
        return self.username

    @property
    def identity(self) -> str:
        return self.id

    def has_role(self, role: str) -> bool:
        return role in self.roles

    def require(self, *roles: str, org: Optional[str] = _NOT_ASKED, org_role: Optional[str] = _NOT_ASKED, verified: bool = False) -> User:
        """Returns the user, or ends the request with 403: unless they have every role, act for that organization, have that role in it, and
        have a verified address, as far as each is asked for. Nobody has None, which a setting or a parameter that is missing may be."""
        acts = self.organization
        if not all(role in self.roles for role in roles):
            raise Refused(403, "forbidden")
        if org is not _NOT_ASKED and (acts is None or acts.id != org):
            raise Refused(403, "forbidden")
        if org_role is not _NOT_ASKED and (acts is None or org_role not in acts.roles):
            raise Refused(403, "forbidden")
        if verified and not self.email_verified:
            raise Refused(403, "email_not_verified")
        return self


class Anonymous:
    """Somebody who is not signed in, where ``optional=True`` lets them in."""

    id = None
    is_authenticated = False
    is_anonymous = True
    is_active = False
    display_name = ""
    identity = ""
    roles: tuple[str, ...] = ()

    def has_role(self, role: str) -> bool:
        return False

    def require(self, *roles: str, **demands: Any) -> NoReturn:
        """Ends the request with 401."""
        raise Refused(401, "unauthorized")


_NOBODY = Anonymous()


@dataclass(frozen=True)
class _Request:
    method: str
    scheme: str
    #: The path with the query, as it was sent.
    target: str
    path: str
    address: str
    #: Returns a header by its name in lower case, and an empty text where there is none.
    header: Callable[[str], str]


@dataclass(frozen=True)
class _Caller:
    user: Optional[User] = None
    #: Values of Set-Cookie for the browser.
    cookies: Sequence[str] = ()


@dataclass(frozen=True)
class _Answer:
    status: int
    headers: Sequence[tuple[str, str]]
    body: bytes = b""


class _Timed(io.RawIOBase):
    """Reads from a socket until a moment, however slowly bytes arrive."""

    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self._sock, self._deadline = sock, deadline
        self._raw = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._sock.settimeout(_left(self._deadline))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, deadline: float, **named: Any) -> None:
        super().__init__(sock, *args, **named)
        self.fp.close()
        self.fp = io.BufferedReader(_Timed(sock, deadline))


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("Gatehouse did not answer in time")
    return left


class _Client:
    """Asks Gatehouse over connections that are kept open. At most so many are open at once; who waits for one waits within its limit."""

    def __init__(self, base_url: str, query: str, timeout: float) -> None:
        parsed = urllib.parse.urlsplit(base_url)
        self._kind = http.client.HTTPSConnection if parsed.scheme == "https" else http.client.HTTPConnection
        self._host, self._port = parsed.hostname or "", parsed.port
        self._path = f"{parsed.path}/api/v1/auth/verify{query}"
        self._slots = threading.BoundedSemaphore(_MOST_CONNECTIONS)
        self._idle: list[http.client.HTTPConnection] = []
        self._process = os.getpid()
        self.timeout = timeout
        self._base_url = base_url
        self._next_warning = 0.0

    def warn(self, reason: str) -> None:
        """Tells who runs the app why nobody is let in: once a minute, as every request fails alike."""
        if time.monotonic() < self._next_warning:
            return
        self._next_warning = time.monotonic() + _QUIET_SECONDS
        _LOG.warning("gatehouse: %s does not say who is calling, so that nobody is let in (503): %s", self._base_url, reason)

    def ask(self, headers: Mapping[str, str], deadline: float) -> tuple[int, http.client.HTTPMessage, bytes]:
        if not self._slots.acquire(timeout=_left(deadline)):
            raise TimeoutError("Gatehouse is asked by too many at once")
        try:
            kept = self._take()
            if kept is not None:
                try:
                    return self._exchange(kept, headers, deadline)
                except (ConnectionError, http.client.BadStatusLine):
                    # It was closed meanwhile, by a restart of Gatehouse for example: asking again changes nothing.
                    pass
            opened = self._kind(self._host, self._port, timeout=_left(deadline))
            return self._exchange(opened, headers, deadline)
        finally:
            self._slots.release()

    def _take(self) -> Optional[http.client.HTTPConnection]:
        if self._process != os.getpid():
            # A fork shares the connections of its parent, and would read the parent's answers.
            self._idle, self._process = [], os.getpid()
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _exchange(
        self, connection: http.client.HTTPConnection, headers: Mapping[str, str], deadline: float
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        is_whole = False
        try:
            if connection.sock is None:
                connection.connect()
            connection.sock.settimeout(_left(deadline))
            connection.response_class = functools.partial(_Response, deadline=deadline)  # type: ignore[assignment]
            # Redirects are not followed, and no proxy of the environment is asked.
            connection.request("GET", self._path, headers=dict(headers))
            response = connection.getresponse()
            body = response.read(_MOST_ANSWER_BYTES + 1)
            is_whole = response.isclosed() and connection.sock is not None
            return response.status, response.headers, body
        finally:
            if is_whole:
                self._idle.append(connection)
            else:
                connection.close()


def _is_http(url: urllib.parse.SplitResult) -> bool:
    return url.scheme in ("http", "https") and bool(url.hostname) and "@" not in url.netloc


def _base_of(name: str, address: str) -> str:
    url = urllib.parse.urlsplit(address)
    if not _is_http(url) or url.query or url.fragment:
        raise ValueError(f"{name} has to be an address such as https://auth.example.com, not {address!r}")
    return address.rstrip("/")


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()


class _Gate:
    """Decides over requests; the classes for frameworks say what that means there, and have the same options.

    ``base_url`` is where the app reaches Gatehouse, and ``public_url`` where browsers and programs do (the same without it). ``origins`` are
    those of your pages, which may send what changes something. ``optional`` lets in who is not signed in. ``sign_in`` sends people who open a
    page to the sign-in page, which leads them back. ``resource`` is the address by which programs know this server, and that their tokens
    have to name (RFC 8707): the gate says where they get such tokens (RFC 9728). ``timeout`` is how many seconds Gatehouse may take.
    """

    def __init__(
        self,
        base_url: str,
        public_url: Optional[str] = None,
        origins: Iterable[str] = (),
        optional: bool = False,
        sign_in: bool = False,
        resource: Optional[str] = None,
        timeout: float = 3.0,
    ) -> None:
        base_url = _base_of("base_url", base_url)
        if isinstance(origins, str):
            raise ValueError("origins has to be a list")
        self.origins = tuple(origins)
        for origin in self.origins:
            url = urllib.parse.urlsplit(origin)
            if not _is_http(url) or origin != f"{url.scheme}://{url.netloc}":
                raise ValueError(f"{origin!r} is no origin such as https://app.example.com")
        if timeout <= 0:
            raise ValueError("timeout has to be more than nothing")
        self.public_url = _base_of("public_url", public_url or base_url)
        self.optional = optional
        self.sign_in = sign_in
        self.resource = resource
        if resource is not None:
            place = urllib.parse.urlsplit(_base_of("resource", resource))
            self._metadata_path = _METADATA_PATH + place.path
            self._metadata_url = f"{place.scheme}://{place.netloc}{self._metadata_path}"
        query = "" if resource is None else "?" + urllib.parse.urlencode({"resource": resource})
        self.client = _Client(base_url, query, timeout)

    def metadata(self, request: _Request) -> Optional[_Answer]:
        """Returns the description of the resource for a request that asks for it. Programs in browsers may read it, wherever they come from:
        it is the same for everybody."""
        if self.resource is None or request.path != self._metadata_path:
            return None
        headers = [("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Headers", "*")]
        if request.method == "OPTIONS":
            return _Answer(204, headers)
        if request.method not in ("GET", "HEAD"):
            return _Answer(405, [*headers, ("Allow", "GET, HEAD, OPTIONS")])
        described = {
            "resource": self.resource,
            "authorization_servers": [self.public_url],
            "bearer_methods_supported": ["header"],
        }
        headers += [("Content-Type", "application/json"), ("Cache-Control", "public, max-age=300")]
        return _Answer(200, headers, json.dumps(described).encode())

    def question(self, request: _Request) -> Optional[dict[str, str]]:
        """Returns the headers to ask with; None for a request without credentials, about which there is nothing to ask."""
        token, cookie = _token_of(request), ""
        if token == "":
            # Other cookies of the app are no business of Gatehouse.
            pairs = (pair.strip() for pair in request.header("cookie").split(";"))
            cookie = "; ".join(pair for pair in pairs if _SHOWN_COOKIE.fullmatch(pair))
        if token == "" and cookie == "":
            return None
        proof = request.header("dpop")
        if len(token) + len(cookie) + len(proof) > _MOST_CREDENTIAL_CHARACTERS:
            raise Refused(431, "headers_too_large")
        if token == "" and self._is_cross_site(request):
            raise Refused(403, "cross_site_request")
        way = ", ".join(hop for hop in (request.header("x-forwarded-for"), request.address) if hop)
        headers = {
            "Accept": "application/json",
            "Authorization": token,
            "Cookie": cookie,
            "User-Agent": request.header("user-agent"),
            "X-Forwarded-For": way if len(way) <= _MOST_WAY_CHARACTERS else request.address,
        }
        if proof:
            own = {"DPoP": proof, "X-Forwarded-Method": request.method, "X-Original-URL": self._address_of(request)}
            headers.update(own)
        return {name: value for name, value in headers.items() if value and _PLAIN.fullmatch(value)}

    def ask(self, question: Mapping[str, str], deadline: float) -> _Caller:
        """Asks Gatehouse who it is."""
        try:
            status, headers, body = self.client.ask(question, deadline)
        except (OSError, http.client.HTTPException, ValueError) as error:
            # The text of any other error may hold what was sent.
            self.client.warn(str(error) if isinstance(error, OSError) else type(error).__name__)
            raise _unavailable() from None
        if status == 204:
            told = headers.get_all("Set-Cookie", ())
            cookies = [cookie for cookie in told if _SESSION_COOKIE.match(cookie) and _PLAIN.fullmatch(cookie)]
            return _Caller(_user_in(headers), cookies[:_MOST_COOKIES])
        try:
            code = json.loads(body)["code"]
        except (ValueError, TypeError, LookupError):
            code = None
        # Whatever else answers under this address opens nothing.
        if not isinstance(code, str) or status not in (401, 403, 429, 503):
            self.client.warn(f"status {status} is no answer of a Gatehouse")
            raise _unavailable()
        if status == 401:
            return _Caller()
        if status == 403:
            raise Refused(403, code)
        after = headers.get("Retry-After", "")
        seconds = int(after) if re.fullmatch(r"[0-9]{1,9}", after) else _USUAL_RETRY_SECONDS
        raise Refused(status, code, max(1, min(seconds, _MOST_RETRY_SECONDS)))

    def identify(self, request: _Request) -> _Caller:
        question = self.question(request)
        caller = _Caller() if question is None else self.ask(question, time.monotonic() + self.client.timeout)
        return self.admit(caller)

    def admit(self, caller: _Caller) -> _Caller:
        if caller.user is None and not self.optional:
            raise Refused(401, "unauthorized")
        return caller

    def refuse(self, request: _Request, refused: Refused) -> _Answer:
        headers = [("Cache-Control", _NO_STORE)]
        if refused.status == 401:
            if self.sign_in and _is_navigation(request):
                back = urllib.parse.quote(self._address_of(request), safe="")
                return _Answer(303, [*headers, ("Location", f"{self.public_url}/login?next={back}")])
            parts = ['error="invalid_token"'] if _token_of(request) else []
            if self.resource is not None:
                parts.append(f'resource_metadata="{self._metadata_url}"')
            headers.append(("WWW-Authenticate", f"Bearer {', '.join(parts)}".strip()))
        if refused.retry_seconds is not None:
            headers.append(("Retry-After", str(refused.retry_seconds)))
        headers.append(("Content-Type", "application/json"))
        told = {"ok": False, "error": refused.code.replace("_", " "), "code": refused.code}
        return _Answer(refused.status, headers, json.dumps(told).encode())

    def _is_cross_site(self, request: _Request) -> bool:
        """Whether a page of another site may have sent what changes something, or opens a socket. Browsers always tell the origin of such a
        request, in Sec-Fetch-Site or Origin: a client that sends neither is no browser."""
        is_socket = request.header("upgrade").lower() == "websocket"
        if request.method in ("GET", "HEAD", "OPTIONS") and not is_socket:
            return False
        site, origin = request.header("sec-fetch-site"), request.header("origin")
        if site in ("same-origin", "none") or origin in self.origins:
            return False
        if site or not origin:
            return bool(site)
        scheme, _, host = origin.partition("://")
        return scheme not in ("http", "https") or host.lower() != request.header("host").lower()

    def _address_of(self, request: _Request) -> str:
        """Returns what the client has asked for, at the origin of that host where it is a listed one."""
        host = request.header("host")
        listed = (origin for origin in self.origins if origin.partition("://")[2].lower() == host.lower())
        return next(listed, f"{request.scheme}://{host}") + request.target


def _unavailable() -> Refused:
    return Refused(503, "unavailable", _USUAL_RETRY_SECONDS)


def _token_of(request: _Request) -> str:
    """Returns the token with its scheme, without what browsers add by themselves, such as Basic."""
    authorization = request.header("authorization")
    return authorization if _TOKEN.fullmatch(authorization) else ""


def _is_navigation(request: _Request) -> bool:
    mode = request.header("sec-fetch-mode") or "navigate"
    return request.method == "GET" and mode == "navigate" and "text/html" in request.header("accept")


def _user_in(headers: http.client.HTTPMessage) -> User:
    def told(name: str) -> str:
        return headers.get(f"X-Auth-{name}", "")

    try:
        claims = json.loads(base64.urlsafe_b64decode(told("Claims") + "==") or b"{}")
        org = Organization(told("Org-Id"), told("Org-Slug"), _listed(told("Org-Roles")))
        if not told("User-Id") or not isinstance(claims, dict):
            raise ValueError
    except ValueError:
        raise _unavailable() from None
    return User(
        id=told("User-Id"),
        username=urllib.parse.unquote(told("Username")),
        email=urllib.parse.unquote(told("Email")),
        email_verified=told("Email-Verified") == "true",
        roles=_listed(told("Roles")),
        session_id=told("Session-Id") or None,
        organization=org if org.id else None,
        program=Program(told("Client-Id"), tuple(told("Scope").split())) if told("Client-Id") else None,
        claims=claims,
        acr=told("Acr") or None,
        auth_time=int(told("Time")) if re.fullmatch(r"[0-9]{1,15}", told("Time")) else None,
    )


def _stale_headers(names: Iterable[str], caller: _Caller) -> Optional[list[str]]:
    """Returns the headers that must go from an answer before it says that no cache may keep it; None where the answer may stay as it is."""
    lower = [name.lower() for name in names]
    if caller.cookies:
        keeping = ("cache-control", "expires", "surrogate-control")
        return [name for name in lower if name in keeping or name.endswith("cdn-cache-control")]
    return [] if caller.user is not None and "cache-control" not in lower else None


# --- ASGI: Starlette, FastAPI ---

_Scope = MutableMapping[str, Any]
_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
_App = Callable[[_Scope, _Receive, _Send], Awaitable[None]]


@dataclass(frozen=True)
class _Scopes:
    """What Starlette's ``@requires`` looks at: ``authenticated``, and the roles."""

    scopes: list[str] = field(default_factory=list)


class GatehouseMiddleware:
    """Lets requests through where somebody is signed in, who is ``request.user``.

    ``app.add_middleware(GatehouseMiddleware, base_url="http://127.0.0.1:3000")``. It asks in threads of its own, so that the event loop goes on
    meanwhile.
    """

    def __init__(
        self,
        app: _App,
        base_url: str,
        *,
        public_url: Optional[str] = None,
        origins: Iterable[str] = (),
        optional: bool = False,
        sign_in: bool = False,
        resource: Optional[str] = None,
        timeout: float = 3.0,
    ) -> None:
        self.app = app
        self._gate = _Gate(base_url, public_url, origins, optional, sign_in, resource, timeout)
        self._threads = ThreadPoolExecutor(_MOST_CONNECTIONS, thread_name_prefix="gatehouse")
        self._waiting = 0

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        request, caller, has_begun = _asgi_request(scope), _Caller(), False

        async def hand_on(message: _Message) -> None:
            nonlocal has_begun
            if message["type"] in ("http.response.start", "websocket.accept"):
                has_begun = True
                message = {**message, "headers": _asgi_headers(message.get("headers", ()), caller)}
            await send(message)

        try:
            described = self._gate.metadata(request) if scope["type"] == "http" else None
            if described is not None:
                await _asgi_send(described, hand_on)
                return
            caller = await self._identify(request)
            self._gate.admit(caller)
            user = caller.user
            scopes = [] if user is None else ["authenticated", *user.roles]
            inner = {**scope, "user": user or _NOBODY, "auth": _Scopes(scopes)}
            await self.app(inner, receive, hand_on)
        except Refused as refused:
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            elif has_begun:
                raise
            else:
                await _asgi_send(self._gate.refuse(request, refused), hand_on)

    async def _identify(self, request: _Request) -> _Caller:
        question = self._gate.question(request)
        if question is None:
            return _Caller()
        if self._waiting >= _MOST_WAITING:
            raise _unavailable()
        deadline = time.monotonic() + self._gate.client.timeout
        asking = asyncio.get_running_loop().run_in_executor(self._threads, self._gate.ask, question, deadline)
        self._waiting += 1
        try:
            return await asyncio.wait_for(asking, self._gate.client.timeout)
        except asyncio.TimeoutError:
            raise _unavailable() from None
        finally:
            self._waiting -= 1


def _asgi_request(scope: _Scope) -> _Request:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))

    def header(name: str) -> str:
        return ("; " if name == "cookie" else ", ").join(found.get(name, ()))

    path = scope.get("raw_path") or urllib.parse.quote(scope["path"]).encode()
    query = scope.get("query_string", b"")
    target = (path + b"?" + query if query else path).decode("latin-1")
    client = scope.get("client")
    is_socket = scope["type"] == "websocket"
    return _Request(
        method="GET" if is_socket else scope["method"],
        scheme=scope.get("scheme", "http"),
        target=target,
        path=scope["path"],
        address=client[0] if client else "",
        header=lambda name: "websocket" if is_socket and name == "upgrade" else header(name),
    )


def _asgi_headers(sent: Iterable[tuple[bytes, bytes]], caller: _Caller) -> list[tuple[bytes, bytes]]:
    headers = [(bytes(name), bytes(value)) for name, value in sent]
    stale = _stale_headers((name.decode("latin-1") for name, _ in headers), caller)
    if stale is None:
        return headers
    left = [(name, value) for name, value in headers if name.decode("latin-1").lower() not in stale]
    cookies = [(b"set-cookie", cookie.encode("latin-1")) for cookie in caller.cookies]
    return [*left, (b"cache-control", _NO_STORE.encode()), *cookies]


async def _asgi_send(answer: _Answer, send: _Send) -> None:
    headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in answer.headers]
    headers.append((b"content-length", str(len(answer.body)).encode()))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})


# --- Django and Flask ---


def _wsgi_request(environ: Mapping[str, Any], scheme: str, target: str, path: str) -> _Request:
    return _Request(
        method=environ["REQUEST_METHOD"],
        scheme=scheme,
        target=target,
        path=path,
        address=environ.get("REMOTE_ADDR") or "",
        header=lambda name: environ.get("HTTP_" + name.upper().replace("-", "_")) or "",
    )


class _Line(Morsel):  # type: ignore[type-arg]
    """A cookie as it came: two of one name may go to two domains."""

    def __init__(self, line: str) -> None:
        super().__init__()
        self._line = line

    def OutputString(self, attrs: Any = None) -> str:
        return self._line


class GatehouseDjangoMiddleware:
    """Lets requests through where somebody is signed in, who is ``request.gatehouse_user``; ``request.user`` stays Django's own.

    ``GATEHOUSE = {"base_url": "http://127.0.0.1:3000"}`` in the settings, with the options of the other middlewares, and
    ``"gatehouse_auth.GatehouseDjangoMiddleware"`` in ``MIDDLEWARE``.
    """

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[Any], Any]) -> None:
        from django.conf import settings  # type: ignore[import-untyped,import-not-found,unused-ignore]

        self._get_response = get_response
        self._gate = _Gate(**settings.GATEHOUSE)

    def __call__(self, request: Any) -> Any:
        asked = _wsgi_request(request.META, request.scheme, request.get_full_path(), request.path)
        request.gatehouse_user, caller = _NOBODY, _Caller()
        described = self._gate.metadata(asked)
        if described is not None:
            return _django_answer(described)
        try:
            caller = self._gate.identify(asked)
            request.gatehouse_user = caller.user or _NOBODY
            response = self._get_response(request)
        except Refused as refused:
            response = _django_answer(self._gate.refuse(asked, refused))
        stale = _stale_headers(response.headers, caller)
        if stale is not None:
            for name in stale:
                del response.headers[name]
            response.headers["Cache-Control"] = _NO_STORE
            for index, cookie in enumerate(caller.cookies):
                response.cookies[f"gatehouse {index}"] = _Line(cookie)
        return response

    def process_exception(self, request: Any, exception: Exception) -> Any:
        if not isinstance(exception, Refused):
            return None
        asked = _wsgi_request(request.META, request.scheme, request.get_full_path(), request.path)
        return _django_answer(self._gate.refuse(asked, exception))


def _django_answer(answer: _Answer) -> Any:
    from django.http import HttpResponse  # type: ignore[import-untyped,import-not-found,unused-ignore]

    return HttpResponse(answer.body, status=answer.status, headers=dict(answer.headers))


_View = Callable[..., Any]


def gatehouse_required(*roles: str, **demands: Any) -> Callable[[_View], _View]:
    """Opens a view of Django to users with every one of these roles; ``org``, ``org_role`` and ``verified`` are those of ``User.require``."""

    def decorate(view: _View) -> _View:
        if asyncio.iscoroutinefunction(view):

            @functools.wraps(view)
            async def awaited(request: Any, *args: Any, **named: Any) -> Any:
                request.gatehouse_user.require(*roles, **demands)
                return await view(request, *args, **named)

            return awaited

        @functools.wraps(view)
        def called(request: Any, *args: Any, **named: Any) -> Any:
            request.gatehouse_user.require(*roles, **demands)
            return view(request, *args, **named)

        return called

    return decorate


class Gatehouse:
    """Lets requests to a Flask app through where somebody is signed in, who is ``g.user``.

    ``Gatehouse(app, base_url="http://127.0.0.1:3000")``, or ``init_app`` where the app is made later.
    """

    def __init__(
        self,
        app: Any = None,
        *,
        base_url: str,
        public_url: Optional[str] = None,
        origins: Iterable[str] = (),
        optional: bool = False,
        sign_in: bool = False,
        resource: Optional[str] = None,
        timeout: float = 3.0,
    ) -> None:
        self._gate = _Gate(base_url, public_url, origins, optional, sign_in, resource, timeout)
        if app is not None:
            self.init_app(app)

    def init_app(self, app: Any) -> None:
        app.extensions["gatehouse"] = self
        app.before_request(self._before)
        app.after_request(self._after)
        app.register_error_handler(Refused, lambda refused: self._answer(self._gate.refuse(_flask_request(), refused)))

    @staticmethod
    def login_required(*roles: str, **demands: Any) -> Callable[[_View], _View]:
        """Opens a view to users with every one of these roles; ``org``, ``org_role`` and ``verified`` are those of ``User.require``."""

        def decorate(view: _View) -> _View:
            @functools.wraps(view)
            def called(*args: Any, **named: Any) -> Any:
                from flask import current_app, g

                g.user.require(*roles, **demands)
                return current_app.ensure_sync(view)(*args, **named)

            return called

        return decorate

    def _before(self) -> Any:
        from flask import g

        g.user, g.gatehouse_caller = _NOBODY, _Caller()
        described = self._gate.metadata(_flask_request())
        if described is not None:
            return self._answer(described)
        g.gatehouse_caller = self._gate.identify(_flask_request())
        g.user = g.gatehouse_caller.user or _NOBODY
        return None

    @staticmethod
    def _after(response: Any) -> Any:
        from flask import g

        caller = g.get("gatehouse_caller", _Caller())
        stale = _stale_headers(response.headers.keys(), caller)
        if stale is not None:
            for name in stale:
                del response.headers[name]
            response.headers["Cache-Control"] = _NO_STORE
            for cookie in caller.cookies:
                response.headers.add("Set-Cookie", cookie)
        return response

    @staticmethod
    def _answer(answer: _Answer) -> Any:
        from flask import Response

        return Response(answer.body, status=answer.status, headers=list(answer.headers))


def _flask_request() -> _Request:
    from flask import request

    query = request.query_string.decode("latin-1")
    target = urllib.parse.quote(request.root_path + request.path) + (f"?{query}" if query else "")
    return _wsgi_request(request.environ, request.scheme, target, request.path)
