import { expect, test } from "bun:test";
import { hiddenFields, textOf } from "../../support/staff.ts";
import { openDesk } from "../staff/desk.fixture.ts";
import { idpEnvironment, idpKit } from "./idp.fixture.ts";

const { app, audit, people, staff } = await openDesk({ ...idpEnvironment, ADMIN_APP_URL: "https://desk.example.test" });
const kit = idpKit(app);

test("staff see the programs that sign people in, and what each may do", async () => {
  const { desk } = await staff("grace");
  expect(textOf(await desk.get("/apps"))).toContain("No app signs people in here yet");
  const shop = await kit.register("Shop", "--third-party", "--role", "editor");
  const list = await desk.get("/apps");
  expect(textOf(list)).toContain("Shop");
  expect(textOf(list)).toContain("shop.example.test");
  const one = await desk.get(`/apps/${shop.client_id}`);
  expect(textOf(one)).toContain("people with the role editor");
  expect(one.text).toContain("https://shop.example.test/callback");
  expect(one.text).not.toContain(shop.client_secret);
  const keys = ["--auth", "private_key_jwt", "--jwks-uri", "https://shop.example.test/jwks", "--id-token-alg", "EdDSA"];
  const bank = await kit.register("Bank", ...keys, "--fapi");
  expect(textOf(await desk.get(`/apps/${bank.client_id}`))).toContain("private_key_jwt, FAPI 2.0");
  expect(textOf(one)).not.toContain("FAPI");
  expect((await desk.get("/apps/nobody")).status).toBe(404);
});

test("staff remove one after being asked, which ends what it holds for people, and is in the audit log by their name", async () => {
  const { person, desk } = await staff("grace");
  const board = await kit.register("Board");
  const ada = await people.register("ada");
  const other = await kit.register("Other");
  const tokens = await kit.signIn(ada.client, board);
  expect(textOf(await desk.get(`/people/${ada.id}`))).toContain("Board as an app");
  const path = `/apps/${board.client_id}/remove`;
  const asked = await desk.get(path);
  expect(textOf(asked)).toContain("Remove Board?");
  const { csrf = "" } = hiddenFields(asked.text, path);
  expect((await desk.send(path, { csrf: "x".repeat(43) })).status).toBe(403);
  expect(await kit.isActive(other, tokens.textAt("access_token"))).toBe(true);
  const removed = await desk.send(path, { csrf });
  expect(removed.headers.get("location")).toEndWith("/apps");
  expect(await kit.isActive(other, tokens.textAt("access_token"))).toBe(false);
  expect((await kit.refresh(board, tokens.textAt("refresh_token"))).at("error")).toBe("invalid_client");
  expect(audit.all("action = 'client.revoked'")).toMatchObject([
    { service: "Board", actor: "staff", actor_user_id: person.id },
  ]);
});
