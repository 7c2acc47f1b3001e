import { expect, test } from "bun:test";
import { createFoldNames } from "../../src/auth/people/fold.names.ts";
import { createPeopleRepository } from "../../src/auth/people/people.repository.ts";
import { cursorOf } from "../../src/core/text/place.ts";
import { searchedFields } from "../../src/auth/people/search.ts";
import { foldedName } from "../../src/auth/user/identifiers.ts";
import { newId } from "../../src/core/ids.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/observe/log.ts";
import { temporaryDatabase } from "../support/database.ts";

const log = createLog({ format: "json", level: "error", clock: systemClock });

test("R-11 names that an earlier release has stored are found once auth:fold-names has run, in any script", async () => {
  await using temporary = await temporaryDatabase();
  const { database } = temporary;
  const people = createPeopleRepository(database);
  const names = ["Émilie", "Straßer", "ΟΔΥΣΣΕΥΣ", "Ольга", "花子", "łukasz", "", "\u0301"];
  const store = (displayName: string, username: string) => ({
    sql: `insert into users (id, username, username_key, email, email_key, display_name, created_at, updated_at)
          values ($username, $username, $username, $username, $username, $displayName, 0, 0)`,
    params: { username, displayName },
  });
  await database.batch(names.map((name, index) => store(name, `name${index}`)));
  // One step takes fewer names than these.
  await database.batch(Array.from({ length: 250 }, (_, index) => store("Crowd", `crowd${index}`)));
  const found = async (search: string): Promise<string[]> =>
    (await people.matching(searchedFields(search), undefined, 300)).map(({ displayName }) => displayName);
  expect(await found("emilie")).toEqual([]);

  const schedule = createFoldNames({ database, people, log });
  await schedule.run(AbortSignal.timeout(60_000));
  for (const [search, name] of [
    ["EMILIE", "Émilie"],
    ["strass", "Straßer"],
    ["οδυσσευς", "ΟΔΥΣΣΕΥΣ"],
    ["ОЛЬГА", "Ольга"],
    ["花", "花子"],
    ["LUK", "łukasz"],
  ] as const)
    expect({ search, found: await found(search) }).toEqual({ search, found: [name] });
  expect(new Set(await found("crowd"))).toEqual(new Set(["Crowd"]));
  expect(await people.unfolded(1)).toEqual([]);
});

test("the place of the longest name is a cursor that the routes of services take", () => {
  // The first of these letters becomes eighteen when it is taken apart for the search.
  for (const letter of ["\ufdfa", "\u{1f600}", '"', "\u0390"])
    expect(cursorOf({ key: foldedName(letter.repeat(200)), id: newId() }).length).toBeLessThanOrEqual(2_048);
});
