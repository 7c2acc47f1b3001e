import { expect, test } from "bun:test";
import { mailedToken } from "../support/auth.ts";
import { createClient } from "../support/client.ts";
import { clientIn } from "../support/client.library.ts";
import { stage } from "../support/stage.ts";

const { target, mailbox, people } = await stage();

const password = "a long walk by the sea";
const newPassword = "an even longer walk by the sea";

test("an account lives its life through the functions of the client", async () => {
  const client = clientIn(createClient(target.url));
  const email = "ada@example.test";
  const registered = await client.register({ email, password, username: "ada", display_name: "Ada" });
  expect(registered).toMatchObject({ ok: true, user: { username: "ada", email, has_password: true } });
  expect(await client.getMe()).toMatchObject({ ok: true, user: { display_name: "Ada" } });
  expect(await client.hello()).toEqual({ ok: true, text: "Hello, Ada!" });
  expect(await client.updateProfile({ timezone: "Europe/Berlin", locale: null })).toMatchObject({
    user: { timezone: "Europe/Berlin", locale: null },
  });
  expect(await client.requestEmailVerification()).toEqual({ ok: true });
  const token = await mailedToken(mailbox, email, "Verify your email");
  expect(await client.confirmEmailVerification({ token })).toMatchObject({ ok: true, user: { email } });
  expect(await client.reauthenticate({ current_password: password })).toEqual({ ok: true });
  expect(await client.changePassword({ current_password: password, new_password: newPassword })).toMatchObject({
    ok: true,
    user: { username: "ada" },
  });
  expect(await client.refresh()).toMatchObject({ ok: true, user: { username: "ada" } });
  expect(await client.listIdentities()).toMatchObject({ ok: true, identities: [] });
  expect(await client.verify()).toEqual({ ok: true });
  expect(await client.verify({ role: "admin", max_age: 600 })).toMatchObject({ code: "forbidden", status: 403 });
  expect(await client.exportAccount()).toMatchObject({ ok: true, user: { username: "ada" }, next: null });
  expect(await client.logout()).toEqual({ ok: true });
  expect(await client.getMe()).toMatchObject({ ok: false, code: "unauthorized", status: 401 });
  expect(await client.login({ login: email, password: newPassword })).toMatchObject({ ok: true });
  expect(await client.deleteAccount({ current_password: newPassword })).toEqual({ ok: true });
  expect(await client.login({ login: email, password: newPassword })).toMatchObject({ code: "invalid_credentials" });
});

test("sessions are listed and ended one by one and all at once", async () => {
  const ada = await people.register("ada");
  const [here, there] = [clientIn(ada.client), clientIn(await ada.login())];
  const listed = await here.listSessions();
  const other = listed.ok ? listed.sessions.find(({ current }) => !current) : undefined;
  expect(await here.revokeSession(other?.id ?? "")).toEqual({ ok: true });
  expect(await there.getMe()).toMatchObject({ code: "unauthorized" });
  expect(await here.revokeSession("../me")).toMatchObject({ code: "session_not_found", status: 404 });
  expect(await here.logoutAll()).toEqual({ ok: true });
  expect(await here.getMe()).toMatchObject({ code: "unauthorized" });
});

test("a forgotten password is reset, and a change of the address undone", async () => {
  const ada = await people.register("ada");
  const client = clientIn(ada.client);
  expect(await client.requestPasswordReset({ login: ada.email })).toEqual({ ok: true });
  const token = await mailedToken(mailbox, ada.email, "Reset your password");
  expect(await client.confirmPasswordReset({ token, new_password: newPassword })).toEqual({ ok: true });
  expect(await client.login({ login: ada.email, password: newPassword })).toMatchObject({ user: { id: ada.id } });

  const email = `new-${ada.email}`;
  expect(await client.updateProfile({ email, current_password: newPassword })).toMatchObject({
    user: { pending_email: email },
  });
  const moving = await mailedToken(mailbox, email, "Verify your email");
  expect(await client.confirmEmailVerification({ token: moving })).toMatchObject({ user: { email } });
  const undo = await mailedToken(mailbox, ada.email, "Your email address was changed");
  expect(await client.undoEmailChange({ token: undo })).toEqual({ ok: true });
  expect(await client.rejectEmailVerification({ token: moving })).toMatchObject({ code: "invalid_verification_token" });
});

test("a refusal is a value that says what, why and for how long", async () => {
  const client = clientIn(createClient(target.url));
  expect(await client.login({ login: "nobody", password })).toEqual({
    ok: false,
    code: "invalid_credentials",
    error: "invalid credentials",
    status: 401,
    requestId: expect.stringMatching(/./),
  });
  const malformed = await client.register({ email: "no address", password: "short" });
  expect(malformed).toMatchObject({ ok: false, status: 400 });
  const attempts = await Promise.all(
    Array.from({ length: 12 }, () => client.login({ login: "grace", password: "a wrong guess" })),
  );
  expect(attempts.find((each) => !each.ok && each.code === "account_locked")).toMatchObject({
    status: 423,
    retryAfterSeconds: expect.any(Number),
  });
});

test("a program asks whether the service is there, and a backend whose token it was sent", async () => {
  const client = clientIn(createClient(target.url));
  expect(await client.getHealth()).toEqual({ ok: true, status: "ok" });
  expect(await client.getReadiness()).toMatchObject({ ok: true, status: "ready" });
  expect(await client.getJwks()).toMatchObject({ ok: false, status: 404 });
  expect(await client.introspect({ token: "x" }, "no secret")).toMatchObject({ code: "unauthorized", status: 401 });
});
