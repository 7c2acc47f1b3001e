import { afterAll, afterEach } from "bun:test";
import { startReceiver, webhookSecret, type Received } from "../../support/receiver.ts";

type Reply = Parameters<ReturnType<typeof startReceiver>["reply"]>[0];

/** Starts a program that is asked as a hook, which allows everything unless a test says otherwise, and the settings that name it. */
export function startGate(name = "gate", settings: Readonly<Record<string, string>> = {}) {
  const secret = webhookSecret();
  const receiver = startReceiver({ secret });
  const allow = (): Response => Response.json({ decision: "allow" });
  let asked: Received[] = [];
  const answerBy = (reply: NonNullable<Reply>): void =>
    receiver.reply((message) => {
      asked.push(message);
      return reply(message);
    });
  answerBy(allow);
  afterEach(() => {
    asked = [];
    answerBy(allow);
  });
  afterAll(() => receiver.stop());
  const prefix = `HOOK_${name.toUpperCase()}`;
  const own = Object.entries(settings).map(([key, value]) => [`${prefix}_${key}`, value]);
  return {
    env: { [`${prefix}_URL`]: receiver.url, [`${prefix}_SECRET`]: secret, ...Object.fromEntries(own) },
    url: receiver.url,
    /** Returns the questions of this test. */
    asked: (): readonly Received[] => asked,
    points: (): readonly string[] => asked.map(({ type }) => type),
    refused: receiver.refused,
    answer: answerBy,
    /** Denies at this point, and allows at the others. */
    deny: (point: string, message?: string): void =>
      answerBy(({ type }) => Response.json(type === point ? { decision: "deny", message } : { decision: "allow" })),
  };
}
