import { expect, test } from "bun:test";
import { auth, nextMail } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { runGatehouse } from "../../support/process.ts";
import { stageRecording } from "./lighthouse.fixture.ts";

const { target, people, mailbox, operator } = await stageRecording();

/** Waits until the inspects of an account have these names, in any order. */
async function expectNames(userId: string, names: readonly string[]): Promise<void> {
  const inspects = await operator.atLeast(names.length, `user=${userId}`);
  expect(inspects.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
}

test("X-93 an account's inspects are found by its id: requests, jobs and commands, whoever they were made by, and no others", async () => {
  const [ada, grace] = [await people.register("ada"), await people.register("grace")];
  await nextMail(mailbox, ada.email, "Verify your email");
  await ada.client.get("/api/v1/hello");
  await createClient(target.url).post(auth("login"), { login: ada.email, password: ada.password });
  await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
  await nextMail(mailbox, ada.email, "Reset your password");
  const done = await runGatehouse(["user:roles", ada.email, "--add", "editor"], {
    cwd: target.folder,
    env: target.env,
  });
  expect(done.code).toBe(0);
  await expectNames(ada.id, [
    "POST /api/v1/auth/register",
    "auth:send-email-verification",
    "GET /api/v1/hello",
    "POST /api/v1/auth/login",
    "auth:send-password-reset",
    "user:roles",
  ]);
  await nextMail(mailbox, grace.email, "Verify your email");
  await expectNames(grace.id, ["POST /api/v1/auth/register", "auth:send-email-verification"]);
  expect(await operator.list(`user=${crypto.randomUUID()}`)).toEqual([]);
});

test("X-93 they are filtered and read page by page like all others", async () => {
  const ada = await people.register("ada");
  for (let times = 0; times < 5; times += 1) await ada.client.get(times % 2 === 0 ? "/api/v1/hello" : auth("sessions"));
  await operator.atLeast(6, `user=${ada.id}&source=http`);
  const seen: string[] = [];
  let before = "";
  for (let page = 0; page < 3; page += 1) {
    const some = await operator.list(`user=${ada.id}&source=http&limit=2${before}`);
    seen.push(...some.map(({ id }) => id));
    before = `&before=${some.at(-1)?.id}`;
  }
  expect(new Set(seen).size).toBe(6);
  expect(seen.toSorted().toReversed()).toEqual(seen);
  expect(await operator.list(`user=${ada.id}&name=hello`)).toHaveLength(3);
});
