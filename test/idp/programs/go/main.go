// Signs a person in with go-oidc: reads what to do as JSON, and prints JSON. `begin` makes the address that the browser is led to; `finish`
// gets the address that it came back to.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

type said struct {
	Do, Issuer, ID, Secret, RedirectURI string
	State, Nonce, Verifier, Callback    string
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var in said
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		return err
	}
	provider, err := oidc.NewProvider(ctx, in.Issuer)
	if err != nil {
		return err
	}
	config := &oauth2.Config{
		ClientID:     in.ID,
		ClientSecret: in.Secret,
		Endpoint:     provider.Endpoint(),
		RedirectURL:  in.RedirectURI,
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email", oidc.ScopeOfflineAccess},
	}
	answer := begin(config)
	if in.Do == "finish" {
		if answer, err = finish(ctx, provider, config, in); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(answer)
}

func begin(config *oauth2.Config) map[string]any {
	state, nonce, verifier := oauth2.GenerateVerifier(), oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	return map[string]any{
		"url":      config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier)),
		"State":    state,
		"Nonce":    nonce,
		"Verifier": verifier,
	}
}

func finish(ctx context.Context, provider *oidc.Provider, config *oauth2.Config, in said) (map[string]any, error) {
	back, err := url.Parse(in.Callback)
	if err != nil {
		return nil, err
	}
	query := back.Query()
	if query.Get("state") != in.State || query.Get("iss") != in.Issuer {
		return nil, fmt.Errorf("the answer is not to this request: %s", back)
	}
	token, err := config.Exchange(ctx, query.Get("code"), oauth2.VerifierOption(in.Verifier))
	if err != nil {
		return nil, err
	}
	raw, _ := token.Extra("id_token").(string)
	idToken, err := provider.Verifier(&oidc.Config{ClientID: in.ID}).Verify(ctx, raw)
	if err != nil {
		return nil, err
	}
	if idToken.Nonce != in.Nonce {
		return nil, fmt.Errorf("the nonce is another")
	}
	// It names the access token only where the ID token comes from another place.
	if idToken.AccessTokenHash != "" {
		if err := idToken.VerifyAccessToken(token.AccessToken); err != nil {
			return nil, err
		}
	}
	var claims map[string]any
	if err := idToken.Claims(&claims); err != nil {
		return nil, err
	}
	_, elsewhere := provider.Verifier(&oidc.Config{ClientID: "another"}).Verify(ctx, raw)
	token.Expiry = time.Now().Add(-time.Minute)
	fresh, err := config.TokenSource(ctx, token).Token()
	if err != nil {
		return nil, err
	}
	info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(fresh))
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"claims":           claims,
		"refusedElsewhere": elsewhere != nil,
		"isNew":            fresh.RefreshToken != token.RefreshToken && fresh.AccessToken != token.AccessToken,
		"userinfo":         map[string]any{"sub": info.Subject, "email": info.Email, "verified": info.EmailVerified},
	}, nil
}
