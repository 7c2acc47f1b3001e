import { expect, test } from "bun:test";
import { auth, type Person } from "../support/auth.ts";
import type { Answer } from "../support/client.ts";
import { office } from "../support/office.ts";
import { stage } from "../support/stage.ts";
import { serviceKit } from "../contract/backend/service.fixture.ts";

/** How many acts the test makes; the check is content with few. */
const acts = Number(process.env["GATEHOUSE_TEST_METADATA_ACTS"] ?? 3_000);
const mostAccounts = 4;
const mark = "private-";

const { target, people } = await stage();
const { accounts } = await office(target);
const kit = serviceKit(target);

type Kept = Map<string, number>;
/** What one actor has been told is kept of what it wrote: by the name of the object and its own names in it. */
type Model = Record<"app_metadata" | "user_metadata" | "private_metadata", Kept>;
const emptyModel = (): Model => ({ app_metadata: new Map(), user_metadata: new Map(), private_metadata: new Map() });

interface Actor {
  readonly name: string;
  readonly person: Person;
  readonly model: Model;
  readonly roles: Set<string>;
  act(): Promise<void>;
}

let random = 0x2545f491;
/** A number below `most`, the same in every run (xorshift32). */
function below(most: number): number {
  random ^= random << 13;
  random ^= random >>> 17;
  random ^= random << 5;
  return (random >>> 0) % most;
}
const wrong: string[] = [];
const objectAt = (answer: Answer, field: string): Record<string, unknown> => ({
  ...Object(answer.at(`user.${field}`)),
});

/** Compares an answer with what the actor knows is kept: nobody else writes these names. */
function compare({ name, model }: Pick<Actor, "name" | "model">, answer: Answer, mayReadPrivate: boolean): void {
  if (!mayReadPrivate && answer.text.includes(mark)) wrong.push(`${name} was shown what is private`);
  for (const [field, kept] of Object.entries(model)) {
    if (field === "private_metadata" && !mayReadPrivate) continue;
    const shown = objectAt(answer, field);
    const own = Object.fromEntries(
      Object.entries(shown).filter(([key]) => key.startsWith(`${mark}${name}`) || key.startsWith(name)),
    );
    if (!Bun.deepEquals(own, Object.fromEntries(kept)))
      wrong.push(`${name} ${field}: ${JSON.stringify(own)} in place of ${JSON.stringify(Object.fromEntries(kept))}`);
  }
}

/** Makes a random patch of the actor's own names, and what the model is afterwards. */
function change(name: string, model: Model, field: keyof Model, count: number) {
  const kept = model[field];
  const key = `${field === "private_metadata" ? mark : ""}${name}-${below(5)}`;
  const removes = below(4) === 0;
  return {
    patch: { [key]: removes ? null : count },
    settle: () => (removes ? void kept.delete(key) : void kept.set(key, count)),
  };
}

let done = 0;
const unacknowledged = new Set<number>();

async function actors(): Promise<readonly Actor[]> {
  const keeper = await kit.backend("keeper", "users:read,users:write");
  const writer = await kit.backend("writer", "users:write");
  const all: Actor[] = [];
  for (let at = 0; at < mostAccounts; at += 1) {
    const person = await people.register("ada");
    for (const [kind, backend] of [
      ["keeper", keeper],
      ["second", keeper],
      ["writer", writer],
    ] as const) {
      const actor = { name: `${kind}${at}`, person, model: emptyModel(), roles: new Set<string>() };
      const act = async (): Promise<void> => {
        const fields = (["app_metadata", "user_metadata", "private_metadata"] as const).filter(() => below(2) === 0);
        const changes = fields.map((field) => ({ field, ...change(actor.name, actor.model, field, (done += 1)) }));
        const isExact = kind === "second" && below(3) === 0;
        const tag = isExact ? ((await keeper.get(`/${person.id}`)).headers.get("etag") ?? "") : undefined;
        const answer = await backend.patch(
          person.id,
          Object.fromEntries(changes.map(({ field, patch }) => [field, patch])),
          tag === undefined ? {} : { "if-match": tag },
        );
        if (answer.status === 200) for (const { settle } of changes) settle();
        else unacknowledged.add(answer.status);
        if (answer.status === 200) compare(actor, answer, kind !== "writer");
      };
      all.push({ ...actor, act });
    }
    const own = { name: `own${at}`, person, model: emptyModel(), roles: new Set<string>() };
    all.push({
      ...own,
      async act() {
        const { patch, settle } = change(own.name, own.model, "user_metadata", (done += 1));
        const answer = await person.client.post(auth("profile"), { user_metadata: patch, display_name: `Ada ${done}` });
        if (answer.status === 200) settle();
        else unacknowledged.add(answer.status);
        compare(own, answer.status === 200 ? answer : await person.client.get(auth("me")), false);
      },
    });
    const staff = { name: `staff${at}`, person, model: emptyModel(), roles: new Set<string>() };
    all.push({
      ...staff,
      async act() {
        done += 1;
        const role = `role-${below(6)}`;
        const removes = staff.roles.has(role);
        const given = await accounts.changeRoles(
          person.id,
          removes ? { add: [], remove: [role] } : { add: [role], remove: [] },
        );
        if (removes) staff.roles.delete(role);
        else staff.roles.add(role);
        if (!Bun.deepEquals(given.roles, [...staff.roles].toSorted()))
          wrong.push(`roles of ${person.id}: ${given.roles.join()}`);
      },
    });
  }
  return all;
}

test(`H-05 H-01 ${acts} random acts on metadata by people, services and staff at once: no update is lost, and nothing is shown to somebody who may not see it`, async () => {
  const all = await actors();
  await Promise.all(
    all.map(async (actor) => {
      while (done < acts && wrong.length < 10) await actor.act();
    }),
  );
  const reader = await kit.backend("reader", "users:read");
  for (const actor of all) {
    const answer = await reader.get(`/${actor.person.id}`);
    compare(actor, answer, true);
    if (actor.name.startsWith("staff")) expect(answer.at("user.roles")).toEqual([...actor.roles].toSorted());
  }
  expect(wrong).toEqual([]);
  expect([...unacknowledged].filter((status) => ![412, 503].includes(status))).toEqual([]);
}, 600_000);
