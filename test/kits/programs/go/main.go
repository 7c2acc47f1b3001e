// An app behind the gate in Go, as test/kits/gate.conformance.ts describes it.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"

	"gatehouse.internal/gatehouse"
)

func told(user *gatehouse.User) any {
	if user == nil {
		return nil
	}
	var session any
	if user.SessionID != "" {
		session = user.SessionID
	}
	var acr, authTime any
	if user.ACR != "" {
		acr, authTime = user.ACR, user.AuthTime
	}
	var organization any
	if acts := user.Organization; acts != nil {
		organization = map[string]any{"id": acts.ID, "slug": acts.Slug, "roles": acts.Roles}
	}
	return map[string]any{
		"id": user.ID, "username": user.Username, "email": user.Email, "email_verified": user.EmailVerified,
		"roles": user.Roles, "session_id": session, "acr": acr, "auth_time": authTime, "organization": organization, "claims": user.Claims,
	}
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(body); err != nil {
		log.Print(err)
	}
}

func who(w http.ResponseWriter, r *http.Request) { answer(w, told(gatehouse.From(r.Context()))) }

func main() {
	milliseconds, err := strconv.Atoi(os.Getenv("GATE_TIMEOUT_MS"))
	if err != nil {
		log.Fatal(err)
	}
	options := []gatehouse.Option{
		gatehouse.PublicURL(os.Getenv("GATEHOUSE_PUBLIC_URL")),
		gatehouse.Origins(os.Getenv("APP_ORIGIN")),
		gatehouse.Timeout(time.Duration(milliseconds) * time.Millisecond),
		gatehouse.SignIn(),
	}
	if resource := os.Getenv("APP_RESOURCE"); resource != "" {
		options = append(options, gatehouse.Resource(resource))
	}
	gate, err := gatehouse.New(os.Getenv("GATEHOUSE_URL"), options...)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /public", func(w http.ResponseWriter, r *http.Request) {
		answer(w, map[string]any{"user": told(gatehouse.From(r.Context()))})
	})
	mux.Handle("GET /whoami", gate.Middleware(http.HandlerFunc(who)))
	mux.Handle("GET /cached", gate.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "public, max-age=3600")
		w.Header().Set("CDN-Cache-Control", "max-age=3600")
		who(w, r)
	})))
	mux.Handle("GET /admin-only", gate.Require("admin")(http.HandlerFunc(who)))
	mux.Handle("GET /org-only", gate.RequireOrganization(gatehouse.AnyOrganization, "owner")(http.HandlerFunc(who)))
	mux.HandleFunc("GET /org-only/{id}", func(w http.ResponseWriter, r *http.Request) {
		gate.RequireOrganization(r.PathValue("id"))(http.HandlerFunc(who)).ServeHTTP(w, r)
	})
	mux.Handle("GET /org-missing", gate.RequireOrganization(os.Getenv("NO_SUCH_ORGANIZATION"))(http.HandlerFunc(who)))
	mux.Handle("POST /change", gate.Middleware(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"changed": true})
	})))
	inner, err := gatehouse.New(os.Getenv("GATEHOUSE_URL"), gatehouse.Resource("https://inner.example.test"))
	if err != nil {
		log.Fatal(err)
	}
	mux.Handle("GET /inner", inner.Middleware(http.HandlerFunc(who)))
	door := gate.Optional
	if os.Getenv("GATE_CLOSED") != "" {
		door = gate.Middleware
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), door(mux)))
}
