import { afterAll, expect, test } from "bun:test";
import { follow } from "../../examples/chapters.fixture.ts";
import { startTarget, type Target } from "../../support/target.ts";

const returnTokens = { AUTH_PASSWORD_RESET_RETURN_TOKEN: "true", AUTH_EMAIL_VERIFICATION_RETURN_TOKEN: "true" };

let target: Target | undefined;
afterAll(async () => {
  await target?.stop();
});

test("the walk through the API does what it says, word for word", async () => {
  target = await startTarget({ env: returnTokens });
  const chapter = await follow(target);
  const walk = async (step: number): Promise<readonly string[]> => {
    const { code, lines } = await chapter.run("A walk through the API", step);
    expect(code).toBe(0);
    return lines;
  };

  const [registered, hello] = await walk(0);
  expect(registered).toStartWith('{"ok":true,"user":{');
  expect(hello).toBe("Hello, ada@example.test!");

  const [loggedOut, loggedIn] = await walk(1);
  expect(loggedOut).toBe('{"ok":true}');
  expect(loggedIn).toStartWith('{"ok":true,"user":{');

  const [refreshed, listed] = await walk(2);
  expect(refreshed).toStartWith('{"ok":true,"user":{');
  expect(listed).toContain('"current":true');

  const [confirmed, refused, again] = await walk(3);
  expect(confirmed).toBe('{"ok":true}');
  expect(refused).toContain('"code":"unauthorized"');
  expect(again).toStartWith('{"ok":true,"user":{');

  const [health, ready, command] = await walk(4);
  expect(health).toBe('{"status":"ok"}');
  expect(ready).toBe('{"status":"ready","app":"app"}');
  expect(command).toContain("ready");
});
