import { afterAll, afterEach, expect, test } from "bun:test";
import type { Person } from "../../support/auth.ts";
import { eventually } from "../../support/log.ts";
import { runGatehouse } from "../../support/process.ts";
import { startReceiver, webhookSecret } from "../../support/receiver.ts";
import { noteSecret } from "../../support/seen.ts";
import { stage } from "../../support/stage.ts";
import { serviceKit } from "../backend/service.fixture.ts";

const secret = webhookSecret();
const [ledger, plain] = [startReceiver({ secret }), startReceiver({ secret })];
const topics = "auth.registered,auth.user-updated,auth.user-deleted";
const { target, rows, people } = await stage({
  env: {
    WEBHOOK_LEDGER_URL: `${ledger.url}?token=a-token-in-the-query`,
    WEBHOOK_LEDGER_SECRET: secret,
    WEBHOOK_LEDGER_TOPICS: topics,
    WEBHOOK_LEDGER_EXPAND: "user",
    WEBHOOK_PLAIN_URL: plain.url,
    WEBHOOK_PLAIN_SECRET: secret,
    WEBHOOK_PLAIN_TOPICS: topics,
  },
});
noteSecret(target.url, "a-token-in-the-query");
const kit = serviceKit(target);
const keeper = await kit.backend("keeper", "users:read,users:write");
afterAll(async () => {
  await ledger.stop();
  await plain.stop();
});
afterEach(() => ledger.reply());

const run = (...args: string[]) => runGatehouse(args, { cwd: target.folder, env: target.env });
const keptOf = ({ id }: Pick<Person, "id">, more = "") =>
  rows.all(
    `select * from webhook_deliveries where webhook = 'ledger' and outcome <> 'under_way' and message_id in
       (select message_id from webhook_deliveries where sent like ?) ${more} order by id`,
    `%${id}%`,
  );
const untilKept = (person: Pick<Person, "id">, count: number) =>
  eventually(`${count} attempts`, () => keptOf(person).length === count);
/** Makes waiting messages due at once. */
const makeDue = () => rows.run("update jobs set available_at = 0 where queue = 'webhook-ledger' and state = 'pending'");
const messagesOf = ({ id }: Pick<Person, "id">, type: string, of = ledger) =>
  of.received().filter((message) => message.type === type && message.data["user_id"] === id);

test("H-50 each attempt is kept with what was sent and what was answered, and no secret of the webhook", async () => {
  ledger.reply(() => new Response("we are\u0000 closed <b>today</b>", { status: 503 }));
  const ada = await people.register("ada");
  await untilKept(ada, 1);
  ledger.reply(() => Response.json({ taken: true }));
  await eventually("the next attempt", () => makeDue() >= 0 && keptOf(ada).length === 2);
  const [first, second] = keptOf(ada);
  expect(first).toMatchObject({
    app: "app",
    webhook: "ledger",
    topic: "auth.registered",
    user_id: ada.id,
    attempt: 1,
    outcome: "refused",
    status: 503,
    error: "it answered 503",
    answer: "we are\u{fffd} closed <b>today</b>",
  });
  expect(second).toMatchObject({
    attempt: 2,
    outcome: "delivered",
    status: 200,
    error: null,
    answer: '{"taken":true}',
  });
  expect(second?.["message_id"]).toBe(first?.["message_id"] ?? "");
  // One row has the text of the message, which can be long.
  expect([first?.["sent"], second?.["sent"]]).toEqual([messagesOf(ada, "auth.registered")[0]?.body, null]);
  expect(JSON.stringify(keptOf(ada))).not.toContain("a-token-in-the-query");
});

test("H-51 with EXPAND=user a message has the account as it was when it was first sent, the same in every attempt, and nothing private", async () => {
  const mark = "the-private-mark-of-webhooks";
  const ada = await people.register("ada");
  await untilKept(ada, 1);
  ledger.reply(() => new Response(null, { status: 500 }));
  await keeper.patch(ada.id, { app_metadata: { plan: "pro" }, private_metadata: { note: mark }, external_id: ada.id });
  noteSecret(target.url, mark);
  await untilKept(ada, 2);
  ledger.reply();
  await keeper.patch(ada.id, { app_metadata: { plan: "free" } });
  await eventually("both", () => makeDue() >= 0 && keptOf(ada).length >= 4);
  const plans = messagesOf(ada, "auth.user-updated").map(({ data }) =>
    new Map<string, unknown>(Object.entries(Object(data["user"]))).get("app_metadata"),
  );
  expect(plans).toContainEqual({ plan: "pro" });
  const updates = keptOf(ada, "and topic = 'auth.user-updated'");
  const first = updates.find(({ sent }) => String(sent).includes('"pro"'));
  const attempts = rows.all(
    "select sent from webhook_deliveries where message_id = ? order by id",
    first?.["message_id"] ?? "",
  );
  expect(attempts.map(({ sent }) => sent)).toEqual([first?.["sent"], null]);
  expect(messagesOf(ada, "auth.user-updated").map(({ body }) => body)).toContain(String(first?.["sent"]));
  expect(messagesOf(ada, "auth.user-updated")[0]?.data).toMatchObject({
    user_id: ada.id,
    user: { id: ada.id, email: ada.email, external_id: ada.id, roles: [], user_metadata: {} },
  });
  await plain.until("the plain one", () => messagesOf(ada, "auth.user-updated", plain).length === 2);
  expect(messagesOf(ada, "auth.user-updated", plain)[0]?.data).not.toHaveProperty("user");
  expect(JSON.stringify([...keptOf(ada), ...ledger.received().map(({ body }) => body)])).not.toContain(mark);
});

test("H-51 the text is kept before it is sent, so that an attempt which is cut off is repeated with the same one", async () => {
  const ada = await people.register("ada");
  await untilKept(ada, 1);
  const kept: unknown[] = [];
  ledger.reply(({ id, body }) => {
    kept.push([body, ...rows.all("select sent, outcome from webhook_deliveries where message_id = ?", id)]);
    return new Response(null, { status: 204 });
  });
  await keeper.patch(ada.id, { app_metadata: { plan: "pro" } });
  await untilKept(ada, 2);
  const [{ body } = { body: "" }] = messagesOf(ada, "auth.user-updated");
  expect(kept).toEqual([[body, { sent: body, outcome: "under_way" }]]);
});

test("H-52 an account that is deleted while its message is under way leaves nothing of it behind", async () => {
  const ada = await people.register("ada");
  await untilKept(ada, 1);
  ledger.reply(async ({ type }) => {
    if (type === "auth.user-updated") await keeper.post(`/${ada.id}/delete`);
    return new Response(null, { status: 204 });
  });
  await keeper.patch(ada.id, { app_metadata: { plan: "pro" } });
  await eventually("the end", () => messagesOf(ada, "auth.user-deleted").length === 1);
  await eventually("its row", () => keptOf(ada).length === 1);
  expect(keptOf(ada)).toMatchObject([{ topic: "auth.user-deleted" }]);
  expect(rows.count("webhook_deliveries where sent like ?", `%${ada.email}%`)).toBe(0);
});

test("H-52 deliveries are gone with the account, and the message of its end has no account in it", async () => {
  const ada = await people.register("ada");
  await untilKept(ada, 1);
  expect((await keeper.post(`/${ada.id}/delete`)).status).toBe(200);
  await eventually("the end", () => messagesOf(ada, "auth.user-deleted").length === 1);
  await untilKept(ada, 1);
  expect(keptOf(ada)).toMatchObject([{ topic: "auth.user-deleted", user_id: null }]);
  expect(messagesOf(ada, "auth.user-deleted")[0]?.data).toEqual({ user_id: ada.id, user: null });
});

test("H-53 a receiver that answers 10 MB, or hangs over its body, has taken the message, and a KiB of it is kept", async () => {
  ledger.reply(() => new Response("x".repeat(10_000_000)));
  const ada = await people.register("ada");
  await untilKept(ada, 1);
  expect(keptOf(ada)[0]).toMatchObject({ outcome: "delivered", answer: "x".repeat(1_024) });
  ledger.reply(
    () =>
      new Response(
        new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("just a moment")) }),
      ),
  );
  const grace = await people.register("grace");
  await untilKept(grace, 1);
  expect(keptOf(grace)[0]).toMatchObject({ outcome: "delivered", answer: "just a moment" });
  expect(Number(keptOf(grace)[0]?.["duration_ms"])).toBeLessThan(5_000);
});

test("H-54 a delivery is sent again with its id and its text, and the log says who asked", async () => {
  const ada = await people.register("ada");
  await untilKept(ada, 1);
  await keeper.patch(ada.id, { display_name: "Another" });
  await untilKept(ada, 2);
  const [first] = keptOf(ada);
  const before = messagesOf(ada, "auth.registered");
  const { code, stdout } = await run("webhook:resend", String(first?.["id"]), "--json");
  expect([code, JSON.parse(stdout)]).toEqual([0, { ok: true, webhook: "ledger" }]);
  await eventually("again", () => messagesOf(ada, "auth.registered").length === 2);
  const [one, two] = messagesOf(ada, "auth.registered");
  expect([two?.id, two?.body]).toEqual([before[0]?.id, one?.body]);
  expect(rows.all("select reason, actor from audit_events where action = 'webhook.resent'")).toEqual([
    { reason: "ledger", actor: "operator" },
  ]);
  expect((await run("webhook:resend", crypto.randomUUID())).code).toBe(1);
  const other = Object.fromEntries(Object.entries(target.env).filter(([name]) => !name.startsWith("WEBHOOK_LEDGER")));
  const gone = await runGatehouse(["webhook:resend", String(first?.["id"])], { cwd: target.folder, env: other });
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("ledger is not configured any more")]);
  expect((await run("webhook:resend", "nosuch")).code).toBe(2);
});

test("webhook:deliveries lists the attempts, the newest first, by webhook and by outcome", async () => {
  const list = async (...args: string[]): Promise<Record<string, unknown>[]> => {
    const { code, stdout } = await run("webhook:deliveries", ...args, "--json");
    expect(code).toBe(0);
    return stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => ({ ...Object(JSON.parse(line)) }));
  };
  const stranger = await run("webhook:deliveries", "nosuch");
  expect([stranger.code, stranger.stderr]).toEqual([2, expect.stringContaining("there is ledger, plain")]);
  const all = await list("LEDGER", "--limit", "500");
  expect(all.length).toBeGreaterThan(5);
  expect(all.map(({ id }) => id)).toEqual(
    all
      .map(({ id }) => String(id))
      .toSorted()
      .toReversed(),
  );
  expect(new Set(all.map(({ webhook }) => webhook))).toEqual(new Set(["ledger"]));
  const failed = await list("ledger", "--failed");
  expect(failed.length).toBeGreaterThan(0);
  expect(failed.every(({ outcome }) => outcome !== "delivered")).toBe(true);
});

test("H-55 deliveries are removed after 30 days, in batches", async () => {
  const old = rows.count("webhook_deliveries");
  rows.run("update webhook_deliveries set at = at - 31 * cast(86400000 as bigint)");
  rows.run(
    `insert into webhook_deliveries (id, app, webhook, message_id, topic, attempt, at, duration_ms, outcome, sent)
     with recursive n (i) as (select 1 union all select i + 1 from n where i < 2500)
     select 'old-' || i, 'app', 'ledger', 'm-' || i, 'auth.registered', 1, 1700000000000, 1, 'delivered', '{}' from n`,
  );
  const ada = await people.register("ada");
  await untilKept(ada, 1);
  const { code, stdout } = await run("auth:cleanup", "--json");
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { rows: { old_webhook_deliveries: old + 2_500 } }]);
  expect(keptOf(ada).length).toBe(1);
});

test("H-53 a message whose attempt can't be written down is delivered all the same, once", async () => {
  const ada = await people.register("ada");
  await untilKept(ada, 1);
  using _refused = rows.refuseInserts("webhook_deliveries", "true");
  await keeper.patch(ada.id, { display_name: "Another" });
  await eventually("the message", () => messagesOf(ada, "auth.user-updated").length === 1);
  await eventually("no job is left", () => rows.count("jobs where queue like 'webhook-%'") === 0);
  expect([messagesOf(ada, "auth.user-updated").length, keptOf(ada).length]).toEqual([1, 1]);
});
