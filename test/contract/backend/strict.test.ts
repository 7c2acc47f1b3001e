import { expect, test } from "bun:test";
import { auth, expectRefusal } from "../../support/auth.ts";
import { stage } from "../../support/stage.ts";
import { serviceKit } from "./service.fixture.ts";

const { target, rows, people } = await stage();
const kit = serviceKit(target);
const backend = await kit.backend("keeper", "users:read,users:write");

test("H-03 a parameter that a route for services does not have is refused there, before anything is done", async () => {
  const ada = await people.register("ada");
  const before = rows.get("select * from users where id = ?", ada.id);
  const strange = { fields: { dry_run: { code: "invalid_value" } } };
  for (const answer of [
    await backend.get(`/${ada.id}?dry_run=true`),
    await backend.patch(`${ada.id}?dry_run=true`, { display_name: "Mallory" }),
    await backend.post("?dry_run=true", { email: "new@example.test" }),
    await backend.post("/invite?dry_run=true", { email: "new@example.test" }),
    ...(await Promise.all(
      ["disable", "enable", "unlock", "verify", "mfa-reset", "revoke-sessions", "send-password-reset", "delete"].map(
        (act) => backend.post(`/${ada.id}/${act}?dry_run=true`),
      ),
    )),
  ]) {
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
    expect(answer.json).toMatchObject(strange);
  }
  expect(rows.get("select * from users where id = ?", ada.id)).toEqual(before);
  expect(rows.count("users where email = 'new@example.test'")).toBe(0);
});

test("H-03 an act that takes nothing refuses what it is sent", async () => {
  const ada = await people.register("ada");
  for (const act of ["disable", "verify", "delete"])
    expectRefusal(await backend.post(`/${ada.id}/${act}`, { force: true }), 400, "invalid payload", "invalid_payload");
  expect((await backend.post(`/${ada.id}/verify`, {})).status).toBe(200);
  expect((await backend.post(`/${ada.id}/disable`)).status).toBe(200);
});

test("H-01 a person is not told that private metadata was changed", async () => {
  const ada = await people.register("ada");
  const patch = { private_metadata: { note: "x" }, display_name: "Countess" };
  expect((await backend.patch(ada.id, patch)).status).toBe(200);
  const exported = await ada.client.get(auth("account/export"));
  expect(exported.text).toContain("display_name");
  expect(exported.text).not.toContain("private_metadata");
});
