import { describe, expect, test } from "bun:test";
import type { Answer } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { serviceKit } from "./service.fixture.ts";

const { target, rows, people } = await stage();
const keeper = await serviceKit(target).backend("keeper", "users:read,users:write");

describe("GET /api/v1/users by exact filters", () => {
  const idsOf = (answer: Answer): unknown[] => {
    const users = answer.at("users");
    if (!Array.isArray(users)) throw new Error(answer.text);
    return users.map((user: unknown) => new Map<string, unknown>(Object.entries(Object(user))).get("id"));
  };

  test("finds one account by its address, name or external id, and nobody by what nobody has", async () => {
    const [ada, grace] = [await people.register("exact"), await people.register("exact")];
    await keeper.patch(ada.id, { external_id: `ext-${ada.id}` });
    const by = (name: string, value: string) => keeper.get(`?${name}=${encodeURIComponent(value)}`);
    expect(idsOf(await by("email", ada.email.toUpperCase()))).toEqual([ada.id]);
    expect(idsOf(await by("username", ada.username))).toEqual([ada.id]);
    expect(idsOf(await by("external_id", `ext-${ada.id}`))).toEqual([ada.id]);
    for (const name of ["email", "username", "external_id"]) {
      expect(idsOf(await by(name, "nosuch"))).toEqual([]);
      expect(idsOf(await by(name, ada.email.slice(0, 5)))).toEqual([]);
      expect((await keeper.get(`?${name}=`)).status).toBe(400);
    }
    const both = `?email=${encodeURIComponent(ada.email)}&username=${encodeURIComponent(grace.username)}`;
    expect(idsOf(await keeper.get(both))).toEqual([]);
    expect(idsOf(await keeper.get(`?email=${encodeURIComponent(ada.email)}&state=disabled`))).toEqual([]);
    expect(idsOf(await keeper.get(`?email=${encodeURIComponent(ada.email)}&state=active`))).toEqual([ada.id]);
  });

  test("finds by time, provider and state together, page by page, as the database would", async () => {
    const made = [];
    for (let at = 0; at < 12; at += 1) made.push(await people.register("timed"));
    const start = Date.parse("2020-01-01T00:00:00Z");
    for (const [at, { id }] of made.entries()) {
      rows.run(
        "update users set created_at = ?, active = ? where id = ?",
        start + (at % 6) * 1_000,
        at % 4 === 0 ? 0 : 1,
        id,
      );
      if (at % 3 === 0)
        rows.run(
          "insert into auth_identities (id, user_id, provider, issuer, subject, linked_at) values (?, ?, 'github', 'x', ?, 1)",
          crypto.randomUUID(),
          id,
          id,
        );
    }
    // A search and filters go together: one account has to have all of it.
    const [timed] = made;
    const exact = `email=${encodeURIComponent(timed?.email ?? "")}`;
    expect(idsOf(await keeper.get(`?search=nobody&${exact}`))).toEqual([]);
    expect(idsOf(await keeper.get(`?search=timed&${exact}`))).toEqual([timed?.id]);
    expect(idsOf(await keeper.get("?search=timed&state=disabled&created_before=2020-01-01T00:00:02Z"))).toEqual([
      timed?.id,
    ]);

    const within = "created_after=2020-01-01T00:00:01Z&created_before=2020-01-01T00:00:05Z";
    const sql = "created_at >= ? and created_at < ?";
    const times = [start + 1_000, start + 5_000];
    const github = "id in (select user_id from auth_identities where provider = 'github')";
    const cases = [
      [within, sql],
      [`${within}&provider=github`, `${sql} and ${github}`],
      [`${within}&state=active`, `${sql} and active = 1`],
      [`${within}&state=disabled`, `${sql} and active = 0`],
      [`${within}&search=timed&provider=github`, `${sql} and ${github}`],
    ] as const;
    for (const [query, condition] of cases) {
      const expected = rows.all(`select id from users where ${condition} order by created_at desc, id desc`, ...times);
      const found: unknown[] = [];
      let cursor = "";
      for (let page = 0; page < 20; page += 1) {
        const answer = await keeper.get(`?${query}&limit=2${cursor}`);
        found.push(...idsOf(answer));
        if (answer.at("next") === null) break;
        cursor = `&cursor=${encodeURIComponent(answer.textAt("next"))}`;
      }
      const ids = expected.map(({ id }) => id);
      if (query.includes("search")) expect(found.toSorted()).toEqual(ids.toSorted());
      else expect(found).toEqual(ids);
    }
    expect(idsOf(await keeper.get("?provider=github&limit=100")).length).toBe(4);
    expect(idsOf(await keeper.get("?provider=nosuch"))).toEqual([]);
  });
});
