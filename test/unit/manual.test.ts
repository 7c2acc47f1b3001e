import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manualPages } from "../../src/manual/index.ts";
import { serveSite } from "./http/site.ts";

const root = await mkdtemp(join(tmpdir(), "gatehouse-manual-"));
const folder = join(root, "docs");
const { routes } = manualPages({ folder });
const site = await serveSite({ routes });
afterAll(async () => {
  await site.stop();
  await rm(root, { recursive: true });
});

const get = async (path: string) => {
  const answer = await site.get(path);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

let builds = 0;
async function build(page: string, scripts: readonly unknown[] = ["sha256-aGFzaA=="]): Promise<void> {
  await mkdir(join(folder, "apps", "client"), { recursive: true });
  await mkdir(join(folder, "_astro"), { recursive: true });
  await writeFile(join(folder, "index.html"), page);
  await writeFile(join(folder, "404.html"), "no such page");
  await writeFile(join(folder, "apps", "client", "index.html"), "the client");
  await writeFile(join(folder, "_astro", "page.abc.js"), "1");
  await writeFile(join(folder, "scripts.json"), JSON.stringify(scripts));
  // Builds take seconds: two of them never end at the same time, as these might.
  builds += 1;
  await utimes(join(folder, "scripts.json"), builds, builds);
}

beforeEach(() => rm(folder, { recursive: true, force: true }));

describe("the manual as a site", () => {
  test("until it is built, a page says how it comes, in its own style", async () => {
    const { status, text, headers } = await get("/docs/");
    expect({ status, type: headers.get("content-type") }).toEqual({ status: 404, type: "text/html; charset=utf-8" });
    expect(text).toContain("bun run docs");
    const [, style = ""] = /href="(\/docs\/missing\.css[^"]*)"/.exec(text) ?? [];
    expect((await get(style)).headers.get("content-type")).toStartWith("text/css");
  });

  test("is served with its pages, its files and a page for what is not there; a new build shows at once", async () => {
    await build("first");
    expect(await get("/docs")).toMatchObject({ status: 200, text: "first" });
    expect(await get("/docs/")).toMatchObject({ status: 200, text: "first" });
    expect(await get("/docs/apps/client/")).toMatchObject({ status: 200, text: "the client" });
    expect(await get("/docs/apps/client")).toMatchObject({ status: 200, text: "the client" });
    expect(await get("/docs/nothing/")).toMatchObject({ status: 404, text: "no such page" });
    expect((await get("/docs/_astro/page.abc.js")).headers.get("cache-control")).toContain("immutable");
    expect((await get("/docs/")).headers.get("cache-control")).toBe("no-cache");
    await build("second");
    expect((await get("/docs/")).text).toBe("second");
  });

  test("X-63 a page runs scripts of this host, and those whose hashes the build has written down; no other", async () => {
    await build("page", ["sha256-aGFzaA==", "'unsafe-inline'", "sha256-x; img-src *", 7]);
    const policy = (await get("/docs/")).headers.get("content-security-policy") ?? "";
    const directives = new Map(policy.split("; ").map((each) => [each.split(" ")[0], each]));
    expect(directives.get("script-src")).toBe("script-src 'self' 'sha256-aGFzaA=='");
    expect(directives.get("default-src")).toBe("default-src 'none'");
    expect(directives.get("frame-ancestors")).toBe("frame-ancestors 'none'");
    expect(directives.get("connect-src")).toBe("connect-src 'self'");
  });

  test("X-63 nothing outside of its folder is found, however it is asked for", async () => {
    await build("page");
    await writeFile(join(root, "secret.txt"), "a secret");
    await symlink(join(root, "secret.txt"), join(folder, "linked.txt"));
    await symlink(root, join(folder, "up"));
    const paths = ["../secret.txt", "..%2fsecret.txt", "%2e%2e/secret.txt", "..%5csecret.txt", "apps/../../secret.txt"];
    paths.push(
      "linked.txt",
      "up/secret.txt",
      "//secret.txt",
      `${root}/secret.txt`,
      "apps/client/..%2f..%2f..%2fsecret.txt",
    );
    const answers = await Promise.all(paths.map((path) => get(`/docs/${path}`)));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404));
    expect(answers.filter(({ text }) => text.includes("a secret"))).toEqual([]);
  });
});
