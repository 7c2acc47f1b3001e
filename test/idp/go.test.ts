import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sharedFolder } from "../support/folder.ts";
import { issuerStage, speak, travel } from "./counterpart.fixture.ts";

const buildLimitMs = 300_000;
const goMissing = Bun.which("go") === null ? "go is not installed" : undefined;
const { issuer, kit, people } = await issuerStage();

describe.skipIf(goMissing !== undefined)(`Go${goMissing === undefined ? "" : ` (${goMissing})`}`, () => {
  const program = join(sharedFolder(), "program");
  beforeAll(async () => {
    const caches = join(import.meta.dir, "..", "..", "node_modules", ".cache");
    const built = Bun.spawn(["go", "build", "-mod=readonly", "-gcflags=all=-N -l", "-o", program, "."], {
      cwd: join(import.meta.dir, "programs", "go"),
      env: { ...process.env, CGO_ENABLED: "0", GOCACHE: join(caches, "gatehouse-go") },
      stderr: "pipe",
      timeout: buildLimitMs,
    });
    const [stderr, code] = await Promise.all([built.stderr.text(), built.exited]);
    if (code !== 0) throw new Error(`the program was not built: ${stderr}`);
  }, buildLimitMs + 10_000);

  test("go-oidc finds the service, signs a person in with PKCE, verifies the ID token, refreshes, and asks who it is", async () => {
    const ada = await people.register("ada");
    const redirectUri = "http://127.0.0.1:9/callback";
    const shop = await kit.register("Shop", "--redirect-uri", redirectUri);
    const facts = { Issuer: issuer, ID: shop.client_id, Secret: shop.client_secret, RedirectURI: redirectUri };
    const { url, ...kept } = await speak([program], { ...facts, Do: "begin" });
    const { at } = await travel([ada.client], String(url));
    const answer = await speak([program], { ...facts, ...kept, Do: "finish", Callback: at.href });
    expect(answer).toMatchObject({
      claims: { iss: issuer, aud: shop.client_id, sub: ada.id, email: ada.email },
      refusedElsewhere: true,
      isNew: true,
      userinfo: { sub: ada.id, email: ada.email, verified: false },
    });
  });
});
