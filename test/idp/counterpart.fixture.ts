import { idpEnvironment, idpKit } from "../contract/idp/idp.fixture.ts";
import type { Answer, Client } from "../support/client.ts";
import { freePort } from "../support/proxy.ts";
import { stage } from "../support/stage.ts";

/** Starts a Gatehouse that programs of others reach by the address of its issuer, as they do in operation. */
export async function issuerStage(env: Readonly<Record<string, string>> = {}) {
  const port = freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const staged = await stage({ env: { ...idpEnvironment, APP_URL: issuer, API_HTTP_PORT: String(port), ...env } });
  return { ...staged, issuer, kit: idpKit(staged.target) };
}

const longestJourney = 10;

/**
 * Plays one person's browser, which keeps the cookies of each host apart: `browsers` has one for each. Resolves to the first answer that
 * leads nowhere, or to the address of a host that has no browser.
 */
export async function travel(browsers: readonly Client[], from: string | URL): Promise<{ at: URL; answer?: Answer }> {
  let at = new URL(from);
  for (let step = 0; step < longestJourney; step += 1) {
    const here = browsers.find(({ url }) => new URL(url).origin === at.origin);
    if (here === undefined) return { at };
    const answer = await here.get(at.href);
    const location = answer.headers.get("location");
    if (location === null) return { at, answer };
    at = new URL(location, at);
  }
  throw new Error(`it goes round in circles at ${at.href}`);
}

/** Runs a program that reads JSON and prints JSON. */
export async function speak(command: readonly string[], said: unknown): Promise<Record<string, unknown>> {
  const child = Bun.spawn([...command], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdin: new TextEncoder().encode(JSON.stringify(said)),
    stdout: "pipe",
    stderr: "pipe",
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command[0] ?? ""} ended with ${code}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}
