import { describe, expect, test } from "bun:test";
import type {
  PeoplePage,
  PeopleQuery,
  Person,
  PersonEvent,
  PersonIdentity,
  PersonSession,
  PersonSummary,
} from "../../../src/auth/index.ts";
import { newId } from "../../../src/core/ids.ts";
import { hindranceInWords, inEnglish } from "../../../src/words/standing.ts";
import { auth, hour } from "../../support/auth.ts";
import { eventually } from "../../support/log.ts";
import { office } from "../../support/office.ts";
import { refusalOf } from "../../support/refusal.ts";
import { stage } from "../../support/stage.ts";

const { target, rows, people: persons, browser } = await stage();
const { people, accounts } = await office(target);

const list = (query: Partial<PeopleQuery>): Promise<PeoplePage> => people.list({ limit: 100, ...query });
const namesOf = (page: { readonly people: readonly PersonSummary[] }): string[] =>
  page.people.map(({ username }) => username);
const words = ({ standing }: Person): string[] =>
  standing.map((hindrance) =>
    hindranceInWords(
      hindrance,
      inEnglish(() => "14:05"),
    ),
  );

/** Resolves to the names on all pages of `limit` people each. */
async function pages(query: Partial<PeopleQuery>, limit: number): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ ...query, limit, cursor });
    expect(page.people.length).toBeLessThanOrEqual(limit);
    names.push(...namesOf(page));
    cursor = page.next;
  } while (cursor !== undefined);
  return names;
}

/** Inserts an account that nobody registered, without a usable password. */
function insert(
  username: string,
  displayName: string,
  fields: { readonly id?: string; readonly key?: string | null } = {},
) {
  const { id = newId(), key = null } = fields;
  rows.run(
    `insert into users (id, username, username_key, email, email_key, display_name, display_name_key, created_at, updated_at)
     values (?1, ?2, ?2, ?2 || '@example.org', ?2 || '@example.org', ?3, ?4, 0, 0)`,
    id,
    username,
    displayName,
    key,
  );
  return id;
}

const fail = async (login: string, times: number): Promise<void> => {
  for (let wrong = 0; wrong < times; wrong += 1)
    await browser().post(auth("login"), { login, password: "not the one" });
};

describe("what keeps a person out", () => {
  test("R-10 a lock: until when, after how many wrong passwords, from where the last one came", async () => {
    const ada = await persons.register("ada");
    expect((await people.show(ada.email)).standing).toEqual([]);
    await fail(ada.username, 5);
    await eventually("the failures are in the audit log", async () => (await people.show(ada.id)).events.length >= 7);
    const person = await people.show(ada.id);
    expect(words(person)).toEqual(["locked until 14:05 after 5 wrong passwords, the last one from 127.0.0.1"]);
    const until = Number(rows.get("select expires_at from auth_attempts where locks_user = ?", ada.id)["expires_at"]);
    expect(person.standing).toMatchObject([{ why: "locked", until }]);
    expect(person.lockedUntil).toBe(until);
    expect(await list({ state: "locked", search: ada.username })).toMatchObject({ people: [{ lockedUntil: until }] });
    rows.letPass(hour);
    expect((await people.show(ada.id)).standing).toEqual([]);
    expect(await list({ state: "locked", search: ada.username })).toEqual({ people: [], next: undefined });
  });

  test("R-10 a lock of the name that the account had before keeps nobody out", async () => {
    const ada = await persons.register("ada");
    await fail(ada.username, 5);
    expect(namesOf(await list({ state: "locked", search: ada.username }))).toEqual([ada.username]);
    const renamed = `other.${ada.username}`;
    expect((await ada.client.post(auth("profile"), { username: renamed })).status).toBe(200);
    expect((await people.show(ada.id)).standing).toEqual([]);
    expect(namesOf(await list({ state: "locked", search: renamed }))).toEqual([]);
    expect((await browser().post(auth("login"), { login: renamed, password: ada.password })).status).toBe(200);
  });

  test("R-10 too many sign-ins from one address", async () => {
    const ada = await persons.register("ada");
    await fail(ada.email, 1);
    await eventually("the failure is in the audit log", async () => (await people.show(ada.id)).events.length >= 2);
    rows.run(
      "update auth_attempts set attempts = 10 where failures = 0 and attempts = 1 and expires_at < ?",
      Date.now() + hour,
    );
    expect((await browser().post(auth("login"), { login: ada.email, password: ada.password })).status).toBe(429);
    expect(words(await people.show(ada.id))).toEqual([
      "no more sign-ins from 127.0.0.1 until 14:05: 10 were tried there",
    ]);
  });

  test("R-10 a disabled account, one without a password, and one that only a provider opens", async () => {
    const grace = insert(`grace${newId()}`, "Grace");
    expect(words(await people.show(grace))).toEqual([
      "no password and no linked provider: the person chooses a first password by a mailed link",
    ]);
    rows.run(
      `insert into auth_identities (id, user_id, provider, issuer, subject, linked_at) values (?, ?, 'github', 'i', ?, 0)`,
      newId(),
      grace,
      newId(),
    );
    await accounts.disable(grace);
    expect(words(await people.show(grace))).toEqual([
      "disabled: every session is ended and no sign-in is let in until somebody enables the account",
      "no password: signs in with github",
    ]);
  });
});

test("a person is shown with sessions of both apps, identities, mails and what the audit log has, and without a secret", async () => {
  const ada = await persons.register("ada");
  await ada.login();
  rows.run("update auth_sessions set app = 'admin' where id = (select max(id) from auth_sessions)");
  await ada.client.post(auth("logout"));
  const person = await people.show(ada.username);
  const sessions: readonly PersonSession[] = person.sessions;
  expect(sessions.map(({ app, isLive }) => ({ app, isLive }))).toEqual([
    { app: "admin", isLive: true },
    { app: "app", isLive: false },
  ]);
  const [identities, events]: [readonly PersonIdentity[], readonly PersonEvent[]] = [person.identities, person.events];
  expect(identities).toEqual([]);
  expect(events.map(({ action }) => action)).toEqual(["auth.logged-out", "auth.logged-in", "auth.registered"]);
  const { password_hash: hash } = rows.get("select password_hash from users where id = ?", ada.id);
  expect(JSON.stringify(person)).not.toContain(String(hash));
  expect(await refusalOf(people.show("nobody"))).toBe("not_found");
});

describe("searching", () => {
  test("R-11 finds people by the beginning of address, user name and display name, whatever the case, accents and script", async () => {
    const found: readonly [displayName: string, searches: readonly string[]][] = [
      ["Émilie Żółw", ["emilie", "ÉMILIE Z", "Emilie Zolw", "e\u0301milie"]],
      ["Straßer GmbH", ["strasser", "STRASSER", "Straße"]],
      ["Ǆorđe Ørsted", ["džorđe", "DZORDE ORS", "ǆ"]],
      ["ΟΔΥΣΣΕΥΣ", ["οδυσσευς", "Οδυσσεύ", "οδυς"]],
      ["İpek Işık", ["ipek", "IPEK ISIK", "İPEK"]],
      ["ｆｕｌｌ　ｗｉｄｔｈ", ["full width", "Full  W"]],
      ["Ольга Петрова", ["ОЛЬГА", "ольга п"]],
      ["山田 花子", ["山", "山田 花"]],
    ];
    for (const [displayName, searches] of found) {
      const { username } = await persons.register("sought", { display_name: displayName });
      for (const search of searches)
        expect({ search, found: namesOf(await list({ search })) }).toMatchObject({ search, found: [username] });
    }
    const ada = await persons.register("zebra");
    for (const search of [ada.id, ada.email.toUpperCase(), "ZEBRA", ` ${ada.username} `])
      expect(namesOf(await list({ search }))).toEqual([ada.username]);
    for (const search of ["ebra", "%", "zebra_", "\u0301", "x".repeat(10_000), newId()])
      expect(namesOf(await list({ search }))).toEqual([]);
  });

  test("R-11 finds who has changed their display name by the new one alone", async () => {
    const { client, username } = await persons.register("changed", { display_name: "Beforehand" });
    await client.post(auth("profile"), { display_name: "Afterwards" });
    expect(namesOf(await list({ search: "afterw" }))).toEqual([username]);
    expect(namesOf(await list({ search: "beforeh" }))).toEqual([]);
  });
});

describe("pages", () => {
  test("R-12 show each person once and in one order, by age or by what was found, while others come and go", async () => {
    const names = Array.from({ length: 23 }, (_, index) => `paged${String(index).padStart(2, "0")}`);
    for (const [index, name] of names.entries())
      // Several fields of one person begin with the search, and many people share a display name.
      insert(name, index % 2 === 0 ? "Paged" : `Paged ${23 - index}`, {
        key: index % 2 === 0 ? "paged" : `paged ${23 - index}`,
      });
    for (const limit of [1, 2, 7, 100]) {
      const found = await pages({ search: "paged" }, limit);
      expect(found.toSorted()).toEqual(names);
      expect(found).toEqual(await pages({ search: "PAGED" }, 5));
      expect((await pages({}, limit)).slice(0, names.length)).toEqual(names.toReversed());
    }
    const first = await list({ search: "paged", limit: 10 });
    rows.run("delete from users where username = ?", namesOf(first).at(-1) ?? "");
    insert("paged.newcomer", "Paged", { key: "paged" });
    const rest = namesOf(await list({ search: "paged", cursor: first.next }));
    expect(rest.filter((name) => namesOf(first).includes(name))).toEqual([]);
    expect(new Set([...rest, ...namesOf(first)]).isSupersetOf(new Set(names))).toBe(true);
    expect(await refusalOf(list({ cursor: "bm9uZQ" }))).toBe("invalid_payload");
  });

  test("R-12 filter by state and role, with a search and without", async () => {
    const kinds = ["plain", "disabled", "unverified", "editor"] as const;
    for (const kind of kinds)
      for (let index = 0; index < 3; index += 1) {
        const id = insert(`filtered.${kind}${index}`, "Filtered", { key: "filtered" });
        rows.run("update users set email_verified_at = 1 where id = ?", kind === "unverified" ? "" : id);
        if (kind === "disabled") rows.run("update users set active = 0 where id = ?", id);
        if (kind === "editor")
          await accounts.changeRoles(id, { add: index === 1 ? ["editor", "a"] : ["editor"], remove: [] });
      }
    const of = (kind: string): string[] => [2, 1, 0].map((index) => `filtered.${kind}${index}`);
    for (const search of [undefined, "filtered"]) {
      const mine = async (query: Partial<PeopleQuery>): Promise<string[]> =>
        (await pages({ search, ...query }, 2)).filter((name) => name.startsWith("filtered")).toSorted();
      expect(await mine({ state: "disabled" })).toEqual(of("disabled").toSorted());
      expect(await mine({ state: "unverified" })).toEqual(of("unverified").toSorted());
      expect(await mine({ role: "editor" })).toEqual(of("editor").toSorted());
      expect(await mine({ role: "editor", state: "disabled" })).toEqual([]);
      expect(await mine({ role: "edit" })).toEqual([]);
    }
    expect((await pages({ role: "editor" }, 2)).filter((name) => name.startsWith("filtered"))).toEqual(of("editor"));
  });
});
