// Package gatehouse asks a Gatehouse who sends a request to a server in Go. Each request with a credential is one question, and
// nothing of the answer is kept: who signs out, or loses a role, is refused with the next request.
package gatehouse

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	mostConnections     = 64
	mostCredentialBytes = 12 << 10
	mostAnswerBytes     = 16 << 10
	mostWayBytes        = 2 << 10
	usualTimeout        = 3 * time.Second
	usualRetrySeconds   = 5
	mostRetrySeconds    = 3600
	quietTime           = time.Minute
	metadataPath        = "/.well-known/oauth-protected-resource"
)

// User is who sends a request, as Gatehouse has just said.
type User struct {
	// ID never changes. Username and Email may.
	ID            string
	Username      string
	Email         string
	EmailVerified bool
	Roles         []string
	// SessionID is empty for a personal token.
	SessionID string
	// Organization is the one that the session acts for, nil where there is none.
	Organization *Organization
	// Program calls for the user with a token for the Resource of the gate, nil where the user calls.
	Program *Program
	// Claims are those of AUTH_TOKEN_CLAIMS.
	Claims map[string]any
	// ACR is "aal2" where the session has shown a second factor, and empty for a personal token.
	ACR string
	// AuthTime is when the user was last proven, in seconds since 1970, and 0 for a personal token.
	AuthTime int64
}

// Program is what calls for a user. What its scopes mean here is yours to say.
type Program struct {
	ClientID string
	Scopes   []string
}

// Organization is what a session acts for, with the roles that its user has there.
type Organization struct {
	ID    string
	Slug  string
	Roles []string
}

// HasRole tells whether the user has a role.
func (u *User) HasRole(role string) bool { return u != nil && slices.Contains(u.Roles, role) }

// Gate stands before handlers. It is made by New, and many goroutines may use one.
type Gate struct {
	base        string
	verify      string
	publicURL   string
	signIn      bool
	origins     []string
	resource    *url.URL
	client      *http.Client
	nextWarning atomic.Int64
}

// Option is a setting of a Gate.
type Option func(*Gate) error

// PublicURL is the address at which browsers and programs reach Gatehouse: its APP_URL. Without it that is the base URL.
func PublicURL(address string) Option {
	return func(g *Gate) (err error) {
		g.publicURL, err = baseOf(address)
		return err
	}
}

// SignIn sends people who open a page to the sign-in page, which leads them back. The origin of the page has to be one of
// Gatehouse's AUTH_ALLOWED_ORIGINS. Calls of scripts and programs are refused with 401 all the same.
func SignIn() Option {
	return func(g *Gate) error {
		g.signIn = true
		return nil
	}
}

// Origins are those of your pages, such as https://app.example.com. They may send what changes something, with the cookies of a
// person; so may pages of the host that the request is for.
func Origins(origins ...string) Option {
	return func(g *Gate) error {
		for _, origin := range origins {
			parsed, err := url.Parse(origin)
			if err != nil || !isHTTP(parsed) || origin != parsed.Scheme+"://"+parsed.Host {
				return fmt.Errorf("gatehouse: %q is no origin", origin)
			}
		}
		g.origins = origins
		return nil
	}
}

// Resource is the address that programs know this server by, and that their tokens have to name (RFC 8707). The gate says at
// /.well-known/oauth-protected-resource where they get such tokens (RFC 9728), and refers to it with each 401.
func Resource(address string) Option {
	return func(g *Gate) error {
		parsed, err := url.Parse(address)
		if err != nil || !isHTTP(parsed) || parsed.RawQuery != "" || parsed.Fragment != "" {
			return fmt.Errorf("gatehouse: %q is no address of a resource", address)
		}
		g.resource = parsed
		g.verify += "?resource=" + url.QueryEscape(address)
		return nil
	}
}

// Timeout is how long Gatehouse may take to answer, 3 s without it. What takes longer is answered with 503.
func Timeout(limit time.Duration) Option {
	return func(g *Gate) error {
		if limit <= 0 {
			return errors.New("gatehouse: the timeout must be more than nothing")
		}
		g.client.Timeout = limit
		return nil
	}
}

// New returns a gate that asks the Gatehouse at an address such as http://127.0.0.1:3000.
func New(baseURL string, options ...Option) (*Gate, error) {
	base, err := baseOf(baseURL)
	if err != nil {
		return nil, err
	}
	gate := &Gate{
		base:      base,
		verify:    base + "/api/v1/auth/verify",
		publicURL: base,
		client: &http.Client{
			Timeout: usualTimeout,
			// Credentials go to Gatehouse and nowhere else.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			Transport: &http.Transport{
				MaxConnsPerHost:        mostConnections,
				MaxIdleConnsPerHost:    mostConnections,
				IdleConnTimeout:        30 * time.Second,
				MaxResponseHeaderBytes: mostAnswerBytes,
				DisableCompression:     true,
			},
		},
	}
	for _, option := range options {
		if err := option(gate); err != nil {
			return nil, err
		}
	}
	return gate, nil
}

func isHTTP(address *url.URL) bool {
	return (address.Scheme == "http" || address.Scheme == "https") && address.Host != "" && address.User == nil
}

func baseOf(address string) (string, error) {
	parsed, err := url.Parse(address)
	if err != nil || !isHTTP(parsed) || parsed.RawQuery != "" || parsed.Fragment != "" {
		return "", fmt.Errorf("gatehouse: %q is no address of a Gatehouse", address)
	}
	return strings.TrimRight(address, "/"), nil
}

type contextKey struct{}

// finding is what a gate has found out about a request. Another gate may take other tokens, and asks for itself.
type finding struct {
	by   *Gate
	user *User
}

// From returns who sends the request of a handler behind a gate, and nil for somebody who is not signed in.
func From(ctx context.Context) *User {
	known, _ := ctx.Value(contextKey{}).(finding)
	return known.user
}

// Middleware lets a request through to the handler where somebody is signed in, and answers any other with 401.
func (g *Gate) Middleware(next http.Handler) http.Handler {
	return g.guard(next, func(*User) bool { return true })
}

// Optional lets requests through whoever sends them. From returns nil where nobody is signed in.
func (g *Gate) Optional(next http.Handler) http.Handler { return g.guard(next, nil) }

// Require lets a request through where the user has every one of these roles, and answers it with 403 otherwise.
func (g *Gate) Require(roles ...string) func(http.Handler) http.Handler {
	return g.requiring(func(user *User) bool { return hasAll(user.Roles, roles) })
}

// AnyOrganization is the id for RequireOrganization where it does not matter which organization it is.
const AnyOrganization = "*"

// RequireOrganization lets a request through where the user's session acts for the organization with this id, or for any where
// the id is AnyOrganization, and the user has every one of these roles in it. Nobody acts for one whose id is empty, as that of a
// setting is that is missing.
func (g *Gate) RequireOrganization(id string, roles ...string) func(http.Handler) http.Handler {
	return g.requiring(func(user *User) bool {
		acts := user.Organization
		return acts != nil && (id == AnyOrganization || acts.ID == id) && hasAll(acts.Roles, roles)
	})
}

func hasAll(has, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(role string) bool { return !slices.Contains(has, role) })
}

func (g *Gate) requiring(allows func(*User) bool) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler { return g.guard(next, allows) }
}

// guard asks who sends a request, unless a guard around it has asked. Without allows, everybody is let through.
func (g *Gate) guard(next http.Handler, allows func(*User) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.resource != nil && r.URL.Path == g.metadataPath() {
			g.answerMetadata(w, r)
			return
		}
		known, _ := r.Context().Value(contextKey{}).(finding)
		user := known.user
		if known.by != g {
			caller, refused := g.identify(r)
			if refused != nil {
				g.refuse(w, r, refused)
				return
			}
			if user = caller.user; user != nil {
				answer := &personal{ResponseWriter: w, cookies: caller.cookies}
				defer answer.finish()
				w = answer
			}
		}
		if allows != nil && user == nil {
			g.refuse(w, r, &refusal{status: http.StatusUnauthorized, code: "unauthorized"})
			return
		}
		if allows != nil && !allows(user) {
			g.refuse(w, r, &refusal{status: http.StatusForbidden, code: "forbidden"})
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), contextKey{}, finding{by: g, user: user})))
	})
}

type caller struct {
	user    *User
	cookies []string
}

type refusal struct {
	status       int
	code         string
	retrySeconds int
}

var unavailable = &refusal{status: http.StatusServiceUnavailable, code: "unavailable", retrySeconds: usualRetrySeconds}

// identify asks Gatehouse who sends a request. Who shows no credential is nobody: there is nothing to ask about.
func (g *Gate) identify(r *http.Request) (caller, *refusal) {
	authorization, cookies := tokenOf(r), cookiesOf(r)
	if authorization != "" {
		cookies = ""
	}
	if authorization == "" && cookies == "" {
		return caller{}, nil
	}
	if len(authorization)+len(cookies)+len(r.Header.Get("DPoP")) > mostCredentialBytes {
		return caller{}, &refusal{status: http.StatusRequestHeaderFieldsTooLarge, code: "headers_too_large"}
	}
	if authorization == "" && g.isCrossSite(r) {
		return caller{}, &refusal{status: http.StatusForbidden, code: "cross_site_request"}
	}
	question, err := http.NewRequestWithContext(r.Context(), http.MethodGet, g.verify, nil)
	if err != nil {
		return caller{}, unavailable
	}
	headers := map[string]string{
		"Accept":          "application/json",
		"Authorization":   authorization,
		"Cookie":          cookies,
		"User-Agent":      r.UserAgent(),
		"X-Forwarded-For": wayOf(r),
	}
	if proof := r.Header.Get("DPoP"); proof != "" {
		headers["DPoP"], headers["X-Forwarded-Method"], headers["X-Original-URL"] = proof, r.Method, g.addressIn(r)
	}
	for name, value := range headers {
		if value != "" {
			question.Header.Set(name, value)
		}
	}
	answer, err := g.client.Do(question)
	if err != nil {
		if r.Context().Err() == nil {
			g.warn(err.Error())
		}
		return caller{}, unavailable
	}
	defer answer.Body.Close()
	// A body that is read to its end leaves the connection to the next question.
	body, err := io.ReadAll(io.LimitReader(answer.Body, mostAnswerBytes))
	if err != nil {
		return caller{}, unavailable
	}
	who, refused := readAnswer(answer, body)
	if refused == unavailable {
		g.warn(fmt.Sprintf("status %d is no answer of a Gatehouse", answer.StatusCode))
	}
	return who, refused
}

// warn tells who runs the app why nobody is let in: once a minute, as every request fails alike.
func (g *Gate) warn(reason string) {
	now, next := time.Now().UnixNano(), g.nextWarning.Load()
	if now < next || !g.nextWarning.CompareAndSwap(next, now+int64(quietTime)) {
		return
	}
	log.Printf("gatehouse: %s does not say who is calling, so that nobody is let in (503): %s", g.base, reason)
}

// readAnswer takes an answer of Gatehouse. Whatever else answers under its address opens nothing.
func readAnswer(answer *http.Response, body []byte) (caller, *refusal) {
	if answer.StatusCode == http.StatusNoContent {
		if user := userIn(answer.Header); user != nil {
			return caller{user: user, cookies: sessionCookies(answer.Header.Values("Set-Cookie"))}, nil
		}
		return caller{}, unavailable
	}
	var told struct{ Code string }
	if json.Unmarshal(body, &told) != nil || told.Code == "" {
		return caller{}, unavailable
	}
	switch answer.StatusCode {
	case http.StatusUnauthorized:
		return caller{}, nil
	case http.StatusForbidden:
		return caller{}, &refusal{status: answer.StatusCode, code: told.Code}
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
		if err != nil {
			seconds = usualRetrySeconds
		}
		seconds = max(1, min(seconds, mostRetrySeconds))
		return caller{}, &refusal{status: answer.StatusCode, code: told.Code, retrySeconds: seconds}
	}
	return caller{}, unavailable
}

func userIn(told http.Header) *User {
	user := &User{
		ID:            told.Get("X-Auth-User-Id"),
		Username:      decoded(told.Get("X-Auth-Username")),
		Email:         decoded(told.Get("X-Auth-Email")),
		EmailVerified: told.Get("X-Auth-Email-Verified") == "true",
		Roles:         listed(told.Get("X-Auth-Roles")),
		SessionID:     told.Get("X-Auth-Session-Id"),
		ACR:           told.Get("X-Auth-Acr"),
	}
	user.AuthTime, _ = strconv.ParseInt(told.Get("X-Auth-Time"), 10, 64)
	if user.ID == "" {
		return nil
	}
	if id := told.Get("X-Auth-Org-Id"); id != "" {
		slug, roles := told.Get("X-Auth-Org-Slug"), told.Get("X-Auth-Org-Roles")
		user.Organization = &Organization{ID: id, Slug: slug, Roles: listed(roles)}
	}
	if client := told.Get("X-Auth-Client-Id"); client != "" {
		user.Program = &Program{ClientID: client, Scopes: strings.Fields(told.Get("X-Auth-Scope"))}
	}
	if claims := told.Get("X-Auth-Claims"); claims != "" {
		text, err := base64.RawURLEncoding.DecodeString(claims)
		if err != nil || json.Unmarshal(text, &user.Claims) != nil {
			return nil
		}
	}
	return user
}

func decoded(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

func listed(text string) []string {
	if text == "" {
		return []string{}
	}
	return strings.Split(text, ",")
}

// tokenOf returns the token of a request with its scheme, without what browsers add by themselves, such as Basic.
func tokenOf(r *http.Request) string {
	authorization := r.Header.Get("Authorization")
	scheme, token, _ := strings.Cut(authorization, " ")
	if token != "" && (strings.EqualFold(scheme, "bearer") || strings.EqualFold(scheme, "dpop")) {
		return authorization
	}
	return ""
}

// sessionCookies keeps what is about the session: other cookies of the app are no business of Gatehouse.
func sessionCookies(cookies []string) []string {
	return slices.DeleteFunc(slices.Clone(cookies), func(cookie string) bool {
		return !strings.HasPrefix(cookie, "auth_access=") && !strings.HasPrefix(cookie, "auth_refresh=")
	})
}

func cookiesOf(r *http.Request) string {
	pairs := strings.Split(strings.Join(r.Header.Values("Cookie"), ";"), ";")
	for index, pair := range pairs {
		pairs[index] = strings.TrimSpace(pair)
	}
	return strings.Join(sessionCookies(pairs), "; ")
}

// wayOf returns the addresses that a request has come by, the last one of which is known for certain.
func wayOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	way := strings.Join(append(slices.Clone(r.Header.Values("X-Forwarded-For")), host), ", ")
	if len(way) > mostWayBytes {
		return host
	}
	return way
}

// isCrossSite tells whether a page of another site may have sent what changes something, or opens a socket. Browsers always tell the
// origin of such a request, in Sec-Fetch-Site or Origin: a client that sends neither is no browser.
func (g *Gate) isCrossSite(r *http.Request) bool {
	isSocket := strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
	if slices.Contains([]string{"GET", "HEAD", "OPTIONS"}, r.Method) && !isSocket {
		return false
	}
	site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	if site == "same-origin" || site == "none" || slices.Contains(g.origins, origin) {
		return false
	}
	if site != "" || origin == "" {
		return site != ""
	}
	_, host, isAddress := strings.Cut(origin, "://")
	return !isAddress || !strings.EqualFold(host, r.Host)
}

// addressIn returns what the client has asked for, at the origin of that host where it is a listed one.
func (g *Gate) addressIn(r *http.Request) string {
	for _, origin := range g.origins {
		if _, host, _ := strings.Cut(origin, "://"); strings.EqualFold(host, r.Host) {
			return origin + r.URL.RequestURI()
		}
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host + r.URL.RequestURI()
}

func isNavigation(r *http.Request) bool {
	mode := r.Header.Get("Sec-Fetch-Mode")
	return r.Method == http.MethodGet && (mode == "" || mode == "navigate") && strings.Contains(r.Header.Get("Accept"), "text/html")
}

func (g *Gate) refuse(w http.ResponseWriter, r *http.Request, refused *refusal) {
	headers := w.Header()
	headers.Set("Cache-Control", "no-store")
	if refused.status == http.StatusUnauthorized {
		if g.signIn && isNavigation(r) {
			headers.Set("Location", g.publicURL+"/login?next="+url.QueryEscape(g.addressIn(r)))
			w.WriteHeader(http.StatusSeeOther)
			return
		}
		challenge := "Bearer"
		if tokenOf(r) != "" {
			challenge += ` error="invalid_token",`
		}
		if g.resource != nil {
			place := url.URL{Scheme: g.resource.Scheme, Host: g.resource.Host, Path: g.metadataPath()}
			challenge += fmt.Sprintf(` resource_metadata="%s"`, &place)
		}
		challenge = strings.TrimSuffix(challenge, ",")
		headers.Set("WWW-Authenticate", challenge)
	}
	if refused.retrySeconds > 0 {
		headers.Set("Retry-After", strconv.Itoa(refused.retrySeconds))
	}
	words := strings.ReplaceAll(refused.code, "_", " ")
	answerJSON(w, refused.status, map[string]any{"ok": false, "error": words, "code": refused.code})
}

func answerJSON(w http.ResponseWriter, status int, body map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// A client that has gone is not told anything.
	_ = json.NewEncoder(w).Encode(body)
}

func (g *Gate) metadataPath() string { return metadataPath + strings.TrimRight(g.resource.Path, "/") }

// answerMetadata answers programs in browsers as well, wherever they come from: it is the same for everybody.
func (g *Gate) answerMetadata(w http.ResponseWriter, r *http.Request) {
	headers := w.Header()
	headers.Set("Access-Control-Allow-Origin", "*")
	headers.Set("Access-Control-Allow-Headers", "*")
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		headers.Set("Cache-Control", "public, max-age=300")
		answerJSON(w, http.StatusOK, map[string]any{
			"resource":                 g.resource.String(),
			"authorization_servers":    []string{g.publicURL},
			"bearer_methods_supported": []string{"header"},
		})
	case http.MethodOptions:
		w.WriteHeader(http.StatusNoContent)
	default:
		headers.Set("Allow", "GET, HEAD, OPTIONS")
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

// personal is the answer to somebody who is signed in. It hands on the cookies that Gatehouse has renewed, and no cache keeps it,
// unless the handler says otherwise of an answer that has none of these cookies.
type personal struct {
	http.ResponseWriter
	cookies    []string
	isFinished bool
}

func (p *personal) finish() {
	headers := p.Header()
	if p.isFinished || (len(p.cookies) == 0 && headers.Get("Cache-Control") != "") {
		return
	}
	p.isFinished = true
	headers.Set("Cache-Control", "private, no-store")
	for _, cookie := range p.cookies {
		headers.Add("Set-Cookie", cookie)
	}
	for name := range headers {
		lower := strings.ToLower(name)
		if len(p.cookies) > 0 && (strings.HasSuffix(lower, "cdn-cache-control") || lower == "surrogate-control" || lower == "expires") {
			headers.Del(name)
		}
	}
}

func (p *personal) WriteHeader(status int) {
	// What is below 200 comes before the answer, but for a change of the protocol.
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		p.finish()
	}
	p.ResponseWriter.WriteHeader(status)
}

func (p *personal) Write(bytes []byte) (int, error) {
	p.finish()
	return p.ResponseWriter.Write(bytes)
}

// Flush and Hijack are for handlers that look for them by their types; Unwrap is for those that use a http.ResponseController.
func (p *personal) Flush() {
	p.finish()
	_ = http.NewResponseController(p.ResponseWriter).Flush()
}

func (p *personal) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(p.ResponseWriter).Hijack()
}

func (p *personal) Unwrap() http.ResponseWriter { return p.ResponseWriter }
