import { expect, test } from "bun:test";
import { nextMail } from "../../support/auth.ts";
import { openDesk } from "./desk.fixture.ts";

const desk = await openDesk();
const { rows, staff, people, mailbox } = desk;

test("S-67 the person is told by mail, in their language, by whom and what can't be done", async () => {
  const [grace, ada] = [await staff.add("grace"), await people.register("ada", { locale: "de" })];
  rows.prove(ada);
  rows.run("update users set display_name = 'Grace Hopper' where id = ?", grace.id);
  await desk.open(grace, ada.id);
  const mail = await nextMail(mailbox, ada.email, "Der Support sieht sich Ihr Konto bei Gatehouse an");
  expect(mail.text).toContain("Grace Hopper betreut Gatehouse");
  expect(mail.text).not.toContain("127.0.0.1");
  rows.run(
    "update users set display_name = 'Win at prize.example', locale = 'en' where id in (?, ?)",
    grace.id,
    ada.id,
  );
  await desk.open(grace, ada.id);
  const next = await nextMail(mailbox, ada.email, "Support is looking at your account");
  expect(next.text).toContain("Our support looks after Gatehouse");
  expect(next.text).not.toContain("prize");
});
