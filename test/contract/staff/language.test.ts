import { expect, test } from "bun:test";
import { textOf } from "../../support/staff.ts";
import { openDesk } from "./desk.fixture.ts";

const { rows, staff } = await openDesk();

test("staff read the pages in the language of their profile, and in that of their browser where it names none", async () => {
  const { person, desk } = await staff("grace");
  const read = async (acceptLanguage: string): Promise<readonly unknown[]> => {
    const page = await desk.client.get("/schedules", { headers: { "accept-language": acceptLanguage } });
    return [/<html lang="([\w-]+)"/.exec(page.text)?.[1], textOf(page).includes("Abmelden")];
  };
  expect([await read("fr, de-AT;q=0.8"), await read("fr, en;q=0.8"), await read("*")]).toEqual([
    ["de", true],
    ["en", false],
    ["en", false],
  ]);
  rows.run("update users set locale = 'de' where id = ?", person.id);
  expect(await read("en")).toEqual(["de", true]);
  rows.run("update users set locale = 'ja' where id = ?", person.id);
  expect(await read("en")).toEqual(["en", false]);
});
