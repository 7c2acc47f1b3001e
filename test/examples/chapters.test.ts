import { describe, expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serviceKit } from "../contract/backend/service.fixture.ts";
import { providerOn } from "../contract/idp/idp.fixture.ts";
import { auth } from "../support/auth.ts";
import { createClient } from "../support/client.ts";
import { manual } from "../support/manual.ts";
import { codeBlocks } from "../support/markdown.ts";
import { freePort, listens, replaceEach } from "../support/proxy.ts";
import { signingPair } from "../support/signing.pair.ts";
import { stage } from "../support/stage.ts";
import { startTarget } from "../support/target.ts";
import { follow } from "./chapters.fixture.ts";

// What the chapters print for a shell and for a program is run as it stands.
const issuer = "https://auth.example.com";
const { target, people } = await stage({
  ownProcess: true,
  env: { ORGANIZATIONS_ENABLED: "true", ...providerOn, APP_URL: issuer },
});
const kit = serviceKit(target);
const chapter = await follow(target);
const root = join(import.meta.dir, "..", "..");
const password = "a long walk by the sea";

/** Registers somebody as an app that is no browser does, and resolves to the account's id and token. */
async function tokenOf(name: string): Promise<{ readonly id: string; readonly token: string; readonly email: string }> {
  const email = `${name}.${crypto.randomUUID().slice(0, 8)}@example.test`;
  const answer = await createClient(target.url).post(auth("register"), { email, password, delivery: "body" });
  return { id: answer.textAt("user.id"), token: answer.textAt("tokens.access_token"), email };
}

async function runProgram(source: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  // Below the repository, where its packages are found.
  const file = join(root, "dist", `.example-${crypto.randomUUID()}.mjs`);
  await Bun.write(file, source);
  try {
    const program = Bun.spawn([process.execPath, file], { env: { ...process.env, ...env }, stderr: "inherit" });
    const output = await program.stdout.text();
    expect(await program.exited).toBe(0);
    return output;
  } finally {
    await Bun.file(file).delete();
  }
}

describe("services", () => {
  test("are made, listed and revoked by the three commands", async () => {
    const { code, lines } = await chapter.run("Services and introspection");
    expect(code).toBe(0);
    expect(await readFile(join(target.folder, "crm.secret"), "utf8")).toStartWith("gh_");
    expect(lines.join("\n")).toContain("crm");
  });

  test("ask whose token it is, and find, change and disable accounts", async () => {
    const { id, token } = await tokenOf("ada");
    const SECRET = await kit.create("desk", "introspect,users:read,users:write");
    const asked = await chapter.run("Services and introspection", 1, { SECRET, TOKEN: token });
    expect(asked.lines.join("")).toContain('"active":true');
    const patched = await chapter.run("What an app keeps on an account", 0, { SECRET, ID: id });
    expect(patched.lines[0]).toContain('"plan":"pro"');
    expect(patched.lines[1]).toContain(`"id":"${id}"`);
    const found = await chapter.run("Looking after users, for backends", 0, { SECRET, ID: id });
    expect(found.lines[0]).toContain(id);
    expect(found.lines[1]).toContain('"changed":true');
  });

  test("invite by the body that is printed, as operators do by their commands", async () => {
    const { code, lines } = await chapter.run("Invitations");
    expect({ code, has: lines.join("\n").includes("ada@example.com") }).toEqual({ code: 0, has: true });
    const [body = ""] = codeBlocks(manual, "Invitations", "json");
    const inviting = await kit.backend("inviter", "users:write,users:roles");
    expect(await inviting.post("/invite", JSON.parse(body))).toMatchObject({ status: 200 });
  });
});

test("a token verifies by the published keys, by the lines for jose", async () => {
  const { token, id } = await tokenOf("grace");
  const [lines = ""] = codeBlocks(manual, "Verifying access tokens elsewhere", "js");
  const here = replaceEach(lines, [[`${issuer}/.well-known`, `${target.url.replace(/\/$/, "")}/.well-known`]]);
  const source = `const token = process.env.TOKEN;\n${here}\nconsole.log(payload.sub);`;
  expect((await runProgram(source, { TOKEN: token })).trim()).toBe(id);
});

test("a program is registered by the command", async () => {
  const { code, lines } = await chapter.run("Registering a program");
  expect({ code, has: lines.join("\n").includes("client_secret") }).toEqual({ code: 0, has: true });
});

test("a program is registered for FAPI 2.0 by the command", async () => {
  const keys = { API_JWT_PRIVATE_KEY: signingPair("ES256").privatePem };
  const { code, lines } = await chapter.run("Registering a program for FAPI 2.0", 0, keys);
  expect({ code, has: lines.join("\n").includes("client_id") }).toEqual({ code: 0, has: true });
});

test("an organization is made, invites, is chosen, claims a domain, and can't have a provider before it has proven one", async () => {
  const ada = await people.register("ada");
  const jar = ["auth_access", "auth_refresh"].map((name) =>
    ["127.0.0.1", "FALSE", "/", "FALSE", "0", name, ada.client.cookie(name)].join("\t"),
  );
  await writeFile(join(target.folder, "jar"), `# Netscape HTTP Cookie File\n${jar.join("\n")}\n`);
  const made = await chapter.run("Organizations", 0, { ID: "none" });
  const [, ID = ""] = /"id":"([\da-f-]{36})"/.exec(made.lines[0] ?? "") ?? [];
  const again = await chapter.run("Organizations", 0, { ID });
  expect(again.lines.slice(1).every((line) => line.startsWith('{"ok":true'))).toBe(true);
  const claimed = await chapter.run("Domains of an organization", 0, { ID, DOMAIN: "none" });
  expect(claimed.lines[0]).toContain('"name":"_gatehouse-challenge.example.com"');
  const provider = await chapter.run("A provider of an organization's own", 0, { ID });
  expect(provider.lines[0]).toContain('"code":"domain_required"');
});

test("operators make accounts, give roles, look after them, and read what happened", async () => {
  expect((await chapter.run("The admin app")).code).toBe(0);
  expect((await chapter.run("Commands", 1)).code).toBe(0);
  await createClient(target.url).post(auth("register"), { email: "ada@example.test", password });
  const looked = await chapter.run("Looking after accounts");
  expect({ code: looked.code, found: looked.lines.join("\n").includes("ada@example.test") }).toEqual({
    code: 0,
    found: true,
  });
  expect((await kit.run("service:create", "crm", "--scope", "introspect")).code).toBe(0);
  expect((await kit.run("org:create", "Acme", "--owner", "ada@example.test", "--slug", "acme")).code).toBe(0);
  const audit = await chapter.run("Audit");
  expect({ code: audit.code, told: audit.lines.join("\n").includes("auth.registered") }).toEqual({
    code: 0,
    told: true,
  });
  expect((await chapter.run("Jobs and schedules")).code).toBe(0);
});

test("maintenance is switched on and off by the three commands", async () => {
  const { code, lines } = await chapter.run("Maintenance");
  expect({ code, lines: lines.length > 2 }).toEqual({ code: 0, lines: true });
  expect((await createClient(target.url).get("/-/ready")).status).toBe(200);
});

test("inspects are read by the secret of a local start", async () => {
  const local = await startTarget({ ownProcess: true, env: { APP_ENV: "local" } });
  try {
    await writeFile(join(local.folder, ".env.local"), `LIGHTHOUSE_SECRET=${local.env["LIGHTHOUSE_SECRET"] ?? ""}\n`, {
      flag: "a",
    });
    await createClient(local.url).get(auth("me"));
    const { lines } = await (await follow(local)).run("Lighthouse");
    expect(lines.join("")).toContain('"ok":true');
  } finally {
    await local.stop();
  }
});

test("tests of an app start a Gatehouse of their own, and sign somebody in", async () => {
  const [start = ""] = codeBlocks(manual, "Testing against Gatehouse", "sh");
  const [program = ""] = codeBlocks(manual, "Signing somebody in", "js");
  const port = freePort();
  const database = join(target.folder, "own.db");
  const here = replaceEach(start, [
    ["/tmp/gatehouse-test.db", database],
    ["3456", String(port)],
  ]);
  const shell = Bun.spawn(
    ["bash", "-euo", "pipefail", "-c", here.replace(/\n\.\/dist\/gatehouse\n$/, "\nexec ./dist/gatehouse\n")],
    {
      cwd: target.folder,
      env: { PATH: process.env["PATH"] ?? "", METRICS_JOBS_PORT: "0", METRICS_SCHEDULER_PORT: "0" },
      stdout: "ignore",
      stderr: "inherit",
    },
  );
  try {
    const deadline = performance.now() + 60_000;
    while (!(await listens(port))) {
      if (shell.exitCode !== null || performance.now() > deadline) throw new Error("it does not start");
      await Bun.sleep(20);
    }
    expect(await runProgram(replaceEach(program, [["3456", String(port)]]))).toBe("true\n");
  } finally {
    shell.kill();
    await shell.exited;
  }
}, 120_000);
