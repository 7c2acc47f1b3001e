import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { auth, createPeople, mailedToken, mailTo, secretsOf } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { createApp, tokensIn } from "../../support/native.ts";
import { startMailbox } from "../../support/smtp.ts";
import { noteSecret, refuseLeaks } from "../../support/seen.ts";
import { asOperator, lighthouseSecret, startRecording } from "./lighthouse.fixture.ts";

const patient = { AUTH_LOGIN_LOCKOUT_ATTEMPTS: "100", AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "100" };

test("X-11 X-85 no secret that a run has seen is in logs, inspects, metrics, mail headers or error bodies", async () => {
  const mailbox = await startMailbox();
  const { target, operator } = await startRecording({ env: { ...mailTo(mailbox), APP_DEBUG: "3", ...patient } });
  const secrets = new Set(
    ["APP_KEY", "APP_DIAG_TOKEN", "API_JWT_SECRET_KEY", "LIGHTHOUSE_SECRET"].map((name) => target.env[name] ?? ""),
  );
  const bodies: string[] = [];
  const tell = async (asked: Promise<{ readonly status: number; readonly text: string }>): Promise<void> => {
    const { status, text } = await asked;
    if (status >= 400) bodies.push(text);
  };
  const people = createPeople(target.url);
  for (let turn = 0; turn < 5; turn += 1) {
    const ada = await people.register("ada");
    const plant = (value: string): string => {
      secrets.add(value);
      return value;
    };
    plant(ada.password);
    const issued = secretsOf(ada.client);
    const { access, refresh } = { access: plant(issued.access), refresh: plant(issued.refresh) };
    await ada.client.post(auth("refresh"));
    const second = secretsOf(ada.client);
    plant(second.access);
    plant(second.refresh);
    const app = createApp(target.url);
    const delivered = tokensIn(await app.login(ada.email, ada.password));
    const rotated = tokensIn(await app.refresh(delivered));
    for (const { access, refresh, device } of [delivered, rotated])
      for (const token of [access, refresh, device]) plant(token ?? "");
    for (const { access, refresh, device } of [delivered, rotated]) {
      await tell(app.refresh({ refresh: access }));
      await tell(app.refresh({ refresh: device ?? refresh }));
      await tell(app.login(refresh, access, { device_token: device ?? refresh }));
      const fromBrowser = { headers: { "sec-fetch-site": "same-origin" } };
      await tell(createClient(target.url).post(auth("refresh"), { refresh_token: refresh }, fromBrowser));
      await tell(createClient(target.url).post(auth("refresh"), { refresh_token: [refresh], tokens: { refresh } }));
    }
    // The requests put secrets where they come by mistake: into a header, a path, a query, a user agent, a body, a login, a name.
    const client = createClient(target.url);
    const misplaced = [access, refresh, second.refresh, target.env["APP_KEY"] ?? "", lighthouseSecret];
    for (const secret of misplaced) {
      await tell(client.get(`/api/v1/${encodeURIComponent(secret)}`, { headers: { "user-agent": `bot ${secret}` } }));
      await tell(
        client.get(`/api/v1/hello?token=${secret}&next=${secret}`, { headers: { authorization: `Bearer ${secret}` } }),
      );
      await tell(client.get("/api/v1/hello", { headers: { cookie: `auth_access=${secret}; auth_refresh=${secret}` } }));
      await tell(
        client.get("/api/v1/hello", { headers: { "x-request-id": secret.slice(0, 128), traceparent: secret } }),
      );
      await tell(client.post(auth("login"), { login: secret, password: secret }));
      await tell(client.post(auth("register"), { email: secret, password: secret, username: secret }));
      await tell(client.post(auth("password-reset/confirm"), { token: secret, new_password: secret }));
      await tell(client.post(auth("email-verification/confirm"), { token: secret }));
      await tell(
        client.post("/lighthouse/api/jobs/x/retry", undefined, { headers: { authorization: `Bearer ${secret}x` } }),
      );
    }
    await tell(client.post(auth("login"), { login: ada.email, password: plant(`not ${ada.password}`) }));
    await client.post(auth("password-reset/request"), { login: ada.email });
    const token = plant(await mailedToken(mailbox, ada.email, "Reset your password"));
    await tell(client.post(auth("password-reset/confirm"), { token, new_password: "short" }));
    await client.post(auth("password-reset/confirm"), {
      token,
      new_password: plant(`another walk by the sea ${turn}`),
    });
    await tell(client.post(auth("password-reset/confirm"), { token, new_password: "a third walk by the sea" }));
    await tell(ada.client.get("/api/v1/hello"));
  }
  const metrics = (await createClient(target.url).get("/metrics")).text;
  await createClient(target.url).get("/the-last-of-all");
  await operator.find("text=the-last-of-all");
  const listed = (await createClient(target.url).get("/lighthouse/api/inspects?limit=200", asOperator)).text;
  // The link in a mail's body may hold the token, so only the heads of mails are searched.
  const mails = mailbox.all().map(({ raw }) => raw.slice(0, raw.indexOf("\r\n\r\n")));
  const logs = target.logs();
  const { folder } = target;
  const files = ["lighthouse-app.db", "lighthouse-app.db-wal"].map((name) => `${folder}/data/${name}`);
  const inspects = files.filter((path) => existsSync(path)).map((path) => readFileSync(path, "latin1"));
  await target.stop();
  await mailbox.stop();

  expect(inspects.join("").length).toBeGreaterThan(100_000);
  expect(bodies.length).toBeGreaterThan(100);
  // The mask shows that the secrets did pass here.
  expect(inspects.join("")).toContain("bot [redacted]");
  const surfaces = {
    logs,
    inspects: inspects.join("\n"),
    listed,
    metrics,
    mails: mails.join("\n"),
    bodies: bodies.join("\n"),
  };
  const found = Object.entries(surfaces).flatMap(([name, text]) =>
    [...secrets].filter((secret) => secret !== "" && text.includes(secret)).map((secret) => `${name}: ${secret}`),
  );
  expect(found).toEqual([]);
});

test("X-11 a secret that is cut off leaves no part of itself", async () => {
  const secret = "Qz9Vt4Lk2Rw8Xn5Bm7Jc3Hd6Fg1Ps0Ty";
  const { target, operator } = await startRecording({ env: { APP_DEBUG: "true", APP_KEY: secret } });
  // A cut at any place goes through one of these secrets.
  const beginnings = Array.from({ length: 50 }, (_, index) => index * 24);
  for (const length of beginnings) {
    const headers = { "user-agent": `${"n".repeat(length)} ${secret}` };
    await createClient(target.url).get(`/n${"n".repeat(length)}/${secret}`, { headers });
    await createClient(target.url).get("/api/v1/hello", { headers });
  }
  const all = await operator.atLeast(beginnings.length * 2, "source=http&limit=200");
  const whole = await Promise.all(all.map(({ id }) => operator.one(id)));
  expect(JSON.stringify(whole)).toContain("[redacted]");
  expect(JSON.stringify(whole)).not.toContain(secret.slice(0, 6));
  for (const { labels } of whole)
    expect(String(labels["user_agent"])).toMatch(/^n{0,499} ?\[redacted\]$|^n{450,500}.{0,11}…?$/u);
  await target.stop();
});

test("X-11 what the suite looks for in errors and metrics it finds", () => {
  const origin = "http://nowhere.test";
  noteSecret(origin, "a long walk by the sea");
  noteSecret(origin, "Qz9Vt4Lk2Rw8Xn5B");
  refuseLeaks(origin, "an error", '{"error":"unauthorized"}');
  for (const text of ['{"error":"not a long walk by the sea"}', 'x{token="Qz9Vt4Lk2Rw8Xn5B"} 1'])
    expect(() => refuseLeaks(origin, "an error", text)).toThrow("tells secrets");
});
