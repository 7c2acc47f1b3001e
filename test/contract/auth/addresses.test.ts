import { describe, expect, test } from "bun:test";
import { domainToUnicode } from "node:url";
import { auth, expectRefusal, mailedToken, nextMail } from "../../support/auth.ts";
import { hostileAddresses } from "../../support/hostile.addresses.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const password = "a long walk by the sea";
const { target, mailbox } = await stage();

describe("X-08 mail reaches the domain that the address is compared by", () => {
  test.each([
    ["full-width letters", "ada@\uff25\uff38\uff21\uff2d\uff30\uff2c\uff25.test", "ada@example.test"],
    ["an ideographic full stop", "ada@full\u3002example.test", "ada@full.example.test"],
    ["umlauts", "ada@b\u00fccher.example", "ada@xn--bcher-kva.example"],
    ["umlauts, decomposed", "grace@BU\u0308CHER.example", "grace@xn--bcher-kva.example"],
    ["capitals; the local part stays as it was typed", "Ada.L@EXAMPLE.test", "Ada.L@example.test"],
  ])("%s", async (_, typed, reached) => {
    // The mailbox reads the ASCII form back into Unicode; the header keeps the form that was sent.
    const [local = "", host = ""] = reached.split("@");
    const recipient = `${local}@${domainToUnicode(host)}`;
    const client = createClient(target.url);
    expect((await client.post(auth("register"), { email: typed, password })).status).toBe(200);
    const token = await mailedToken(mailbox, recipient, "Verify your email");
    const verified = await client.post(auth("email-verification/confirm"), { token });
    expect(verified.at("user.email")).toBe(typed.normalize("NFC"));
    await createClient(target.url).post(auth("password-reset/request"), { login: typed });
    expect((await nextMail(mailbox, recipient, "Reset your password")).raw).toContain(`\r\nTo: ${reached}\r\n`);
    const moved = { email: `new.${reached}`, current_password: password };
    expect((await client.post(auth("profile"), moved)).status).toBe(200);
    const proof = await mailedToken(mailbox, `new.${recipient}`, "Verify your email");
    expect((await createClient(target.url).post(auth("email-verification/confirm"), { token: proof })).status).toBe(
      200,
    );
    const notice = await nextMail(mailbox, recipient, "Your email address was changed");
    expect(notice.raw).toContain(`\r\nTo: ${reached}\r\n`);
  });
});

describe("X-08 an address is normalised first and judged then", () => {
  test.each(hostileAddresses)("%s is refused", async (_, email) => {
    const answer = await createClient(target.url).post(auth("register"), { email, password });
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
  });

  test("a user name holds no character that shows nothing", async () => {
    for (const invisible of ["\u3164", "\ufe0f", "\u034f"]) {
      const fields = { username: `ada${invisible}`, email: "shadow@example.test", password };
      const answer = await createClient(target.url).post(auth("register"), fields);
      expectRefusal(answer, 400, "invalid payload", "invalid_payload");
    }
  });
});
