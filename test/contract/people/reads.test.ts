import { describe, expect, test } from "bun:test";
import type {
  PeoplePage,
  PeopleQuery,
  Person,
  PersonIdentity,
  PersonEvent,
  PersonSession,
  PersonSummary,
} from "../../../src/auth/index.ts";
import { hindranceWords } from "../../../src/core/standing.ts";
import { auth } from "../../support/auth.ts";
import { eventually } from "../../support/log.ts";
import { office } from "../../support/office.ts";
import { stage } from "../../support/stage.ts";

const { target, people: persons, browser } = await stage();
const { people, accounts } = await office(target);

const list = (query: Partial<PeopleQuery>): Promise<PeoplePage> => people.list({ limit: 100, ...query });
const namesOf = (page: { readonly people: readonly PersonSummary[] }): string[] =>
  page.people.map(({ username }) => username);
const words = ({ standing }: Person): string[] => standing.map((hindrance) => hindranceWords(hindrance, () => "14:05"));
const told = ({
  sessions,
  identities,
  events,
}: Person): [readonly PersonSession[], readonly PersonIdentity[], readonly PersonEvent[]] => [
  sessions,
  identities,
  events,
];

describe("a person", () => {
  test("R-10 is shown with what keeps them out: until when, after how many wrong passwords, and from where", async () => {
    const ada = await persons.register("ada");
    expect(words(await people.show(ada.email))).toEqual([]);
    for (let wrong = 0; wrong < 5; wrong += 1)
      await browser().post(auth("login"), { login: ada.username, password: "not the password" });
    await eventually("the failures are in the audit log", async () => (await people.show(ada.id)).events.length >= 7);
    expect(words(await people.show(ada.id))).toEqual([
      "locked until 14:05 after 5 wrong passwords, the last one from 127.0.0.1",
    ]);
    expect(namesOf(await list({ state: "locked", search: ada.username }))).toEqual([ada.username]);
    expect(await accounts.unlock(ada.id)).toBe(true);
    expect(await accounts.unlock(ada.id)).toBe(false);
    const [sessions, identities] = told(await people.show(ada.id));
    expect(sessions).toMatchObject([{ app: "app", isLive: true, ipAddress: "127.0.0.1" }]);
    expect(identities).toEqual([]);
  });
});
