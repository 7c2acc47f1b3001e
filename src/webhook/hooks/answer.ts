import { Type } from "@sinclair/typebox";
import { jsonAs } from "../../core/text/json.ts";
import { Undelivered, type Answer } from "../undelivered.ts";

const Claims = Type.Record(Type.String(), Type.Unknown());
const AnswerBody = Type.Object({
  decision: Type.Union([Type.Literal("allow"), Type.Literal("deny")]),
  message: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  claims: Type.Optional(Type.Union([Claims, Type.Null()])),
});

/** The answer of a hook. `message` is one line of plain text for the person. */
export interface HookAnswer {
  readonly decision: "allow" | "deny";
  readonly message: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
}

const longestMessage = 300;

/** Returns a text of others as one line that can be shown anywhere as plain text. */
const lineOf = (text: string): string | undefined => {
  const line = text
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .trim();
  return [...line].slice(0, longestMessage).join("") || undefined;
};

/** Reads the answer of a hook. Throws Undelivered for anything but an answer of the form that is asked for. */
export function readAnswer({ body }: Answer): HookAnswer {
  if (!body.isWhole) throw new Undelivered("refused", "its answer was too long, or broke off");
  const answer = jsonAs(AnswerBody, body.text);
  if (answer === undefined) throw new Undelivered("refused", "its answer was none that can be read");
  return {
    decision: answer.decision,
    message: typeof answer.message === "string" ? lineOf(answer.message) : undefined,
    claims: answer.claims ?? {},
  };
}
