import { afterAll, expect, test } from "bun:test";
import { UnauthorizedError, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { createRemoteJWKSet, jwtVerify } from "jose";
import type { Registered } from "../contract/idp/idp.fixture.ts";
import type { Client as Browser } from "../support/client.ts";
import { freePort } from "../support/proxy.ts";
import { issuerStage, travel } from "./counterpart.fixture.ts";

// An agent finds out by itself who signs people in for a tool server (RFC 9728, RFC 8414), as the Model Context Protocol has it.
const { issuer, kit, people } = await issuerStage();
const redirectUri = "http://127.0.0.1:9/callback";
const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));

/** Says who shows an access token for this server; undefined where nobody does. */
async function callerOf(request: Request): Promise<string | undefined> {
  const [, token = ""] = (request.headers.get("authorization") ?? "").split(" ");
  const checked = await jwtVerify(token, keys, { issuer, audience: resource, typ: "at+jwt" }).catch(() => undefined);
  return checked?.payload.sub;
}

const port = freePort();
const resource = `http://127.0.0.1:${port}/mcp`;
const server = Bun.serve({
  port,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { pathname, origin } = new URL(request.url);
    if (pathname === "/.well-known/oauth-protected-resource/mcp")
      return Response.json({ resource, authorization_servers: [issuer] });
    const caller = await callerOf(request);
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    if (caller === undefined)
      return new Response(null, {
        status: 401,
        headers: { "www-authenticate": `Bearer resource_metadata="${metadata}"` },
      });
    const tools = new McpServer({ name: "tools of the tests", version: "1.0.0" });
    tools.registerTool("whoami", {}, () => ({ content: [{ type: "text", text: caller }] }));
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await tools.connect(transport);
    return transport.handleRequest(request);
  },
});
afterAll(() => server.stop(true));

/** An agent that its operator has registered beforehand, with a person's browser. */
function agentOf({ client_id }: Registered, browser: Browser) {
  let verifier = "";
  const kept: { tokens?: OAuthTokens; back?: URL; asked?: URL } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: { redirect_uris: [redirectUri], scope: "openid offline_access" },
    clientInformation: () => ({ client_id, issuer }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    saveCodeVerifier: (text) => void (verifier = text),
    codeVerifier: () => verifier,
    async redirectToAuthorization(address) {
      kept.asked = address;
      kept.back = (await travel([browser], address)).at;
    },
  };
  const transport = () => new StreamableHTTPClientTransport(new URL(resource), { authProvider: provider });
  async function whoami(): Promise<unknown> {
    const client = new Client({ name: "agent of the tests", version: "1.0.0" });
    await client.connect(transport());
    const { content } = await client.callTool({ name: "whoami" });
    await client.close();
    return content;
  }
  return { kept, transport, whoami };
}

test("an agent of the MCP SDK finds the issuer, signs its person in for one tool server, and goes on by refreshing", async () => {
  const ada = await people.register("ada");
  const { kept, transport, whoami } = agentOf(
    await kit.register("Agent", "--type", "native", "--redirect-uri", redirectUri),
    ada.client,
  );
  expect(await whoami().catch((error: unknown) => error)).toBeInstanceOf(UnauthorizedError);
  expect(kept.asked?.origin).toBe(issuer);
  expect(kept.asked?.searchParams.get("resource")).toBe(resource);
  expect(kept.back?.href).toStartWith(`${redirectUri}?`);
  await transport().finishAuth(kept.back?.searchParams.get("code") ?? "");
  const own = [{ type: "text", text: ada.id }];
  expect(await whoami()).toEqual(own);

  const first = kept.tokens;
  kept.tokens = { ...first, access_token: "one that has run out", token_type: "Bearer" };
  expect(await whoami()).toEqual(own);
  expect(kept.tokens.refresh_token).not.toBe(first?.refresh_token);
});
