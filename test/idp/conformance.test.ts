import { afterAll, expect, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { press } from "../contract/idp/pages.fixture.ts";
import { createClient, type Client } from "../support/client.ts";
import { sharedFolder } from "../support/folder.ts";
import { freePort } from "../support/proxy.ts";
import { issuerStage, travel } from "./counterpart.fixture.ts";

// The conformance suite of the Model Context Protocol: all that it asks of an authorization server, for an agent that is known in each way
// in which the protocol has it. None of them has a secret: where the metadata names `none` among others, the suite keeps the secret of any
// client to itself, so that a client which has to show one can't be tried.
const suite = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
const resource = "https://tools.example.test/mcp";
const redirectUri = "http://127.0.0.1/callback";
const client = { client_name: "Agent", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" };
const results = sharedFolder();

const documents = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: ({ url }) => Response.json({ client_id: url, ...client }),
});
afterAll(() => documents.stop(true));

const { issuer, kit, people } = await issuerStage({
  IDP_CLIENT_METADATA_DOCUMENTS: documents.url.host,
  IDP_REGISTRATION: "open",
});

/** Opens the address at which the suite waits for a person, who lets the agent in where a page asks. */
async function visit(browser: Client, address: string): Promise<void> {
  const { at, answer } = await travel([browser], address);
  const allowed = answer && (await press(browser, answer, "Allow", { headers: { origin: issuer } }));
  expect((await fetch(allowed?.headers.get("location") ?? at)).status).toBe(200);
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** Runs the suite, which prints an address for a person. Resolves to what it has checked. */
async function checksOf(browser: Client, clientId: string): Promise<readonly Check[]> {
  const folder = await mkdtemp(join(results, "run-"));
  const flags = ["--url", issuer, "--client-id", clientId, "--resource", resource, "--port", String(freePort())];
  await using child = Bun.spawn([process.execPath, suite, "authorization", ...flags, "--output-dir", folder], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: 50_000,
    killSignal: "SIGKILL",
  });
  let [said, isVisited] = ["", false];
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += part;
    const [, address] = /^(\S+\/oauth2\/authorize\?\S+)\n[^]*Callback server started/m.exec(said) ?? [];
    if (address === undefined || isVisited) continue;
    isVisited = true;
    await visit(browser, address);
  }
  const code = await child.exited;
  if (code !== 0) throw new Error(`the suite ended with ${code}: ${said}${await child.stderr.text()}`);
  const files = [...new Bun.Glob("**/checks.json").scanSync(folder)];
  const found = await Promise.all(files.map((file): Promise<Check[]> => Bun.file(join(folder, file)).json()));
  return found.flat();
}

test.each([
  ["that an operator has registered", () => kit.register("Agent", "--type", "native", "--redirect-uri", redirectUri)],
  ["that names itself by a document", async () => ({ client_id: `${documents.url.origin}/agent.json` })],
  [
    "that has registered itself",
    async () => ({ client_id: (await createClient(issuer).post("/oauth2/register", client)).textAt("client_id") }),
  ],
])("the conformance suite of MCP finds nothing wrong with an agent %s", async (_how, known) => {
  const ada = await people.register("ada");
  const checks = await checksOf(ada.client, (await known()).client_id);
  expect(
    checks.map(({ id, status, errorMessage = "" }) => `${id} ${status} ${errorMessage}`.trim()).toSorted(),
  ).toEqual([
    "authorization-code-grant SUCCESS",
    "authorization-server-metadata SUCCESS",
    "authorization-server-metadata-cimd SUCCESS",
  ]);
});
