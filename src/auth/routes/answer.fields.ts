import { invalidFields } from "../../core/errors.ts";
import { FieldFault, missingField, wrongType } from "../../core/fields.ts";
import { field } from "../../http/index.ts";
import { factorNames, type FactorAnswer } from "../factor/method.ts";

const nameOf = (text: string) => factorNames.find((name) => name === text);
export const method = field.text({
  most: 32,
  rule: (value) =>
    nameOf(value) === undefined ? new FieldFault("invalid_value", `must be one of ${factorNames.join(", ")}`) : value,
  schema: { enum: [...factorNames] },
});

export const answerFields = {
  method: field.optional(method),
  code: field.optional(
    field.text({ most: 64, mayBeEmpty: true, schema: { description: "Of `totp` and `recovery_code`" } }),
  ),
  credential: field.optional({
    schema: {
      type: "object",
      description: "Of `passkey`: what `navigator.credentials.get` has answered, as JSON (WebAuthn)",
    },
    read: (value: unknown): object | FieldFault =>
      typeof value === "object" && value !== null ? value : wrongType("an object"),
  }),
};

interface Answered {
  readonly method?: string | undefined;
  readonly code?: string | undefined;
  readonly credential?: object | undefined;
}

function answerOf({ method: named, code, credential }: Answered): FactorAnswer | undefined {
  const name = nameOf(named ?? "");
  return name && { method: name, code, credential };
}

/** Returns the new proof in a body: a second factor, or the password. Throws `invalid_payload` where neither is given. */
export function proofOf(
  body: Answered & { readonly current_password?: string | undefined },
): FactorAnswer | { readonly password: string } {
  const answer = answerOf(body);
  if (answer !== undefined) return answer;
  if (body.current_password === undefined) throw invalidFields({ current_password: missingField });
  return { password: body.current_password };
}

/** Returns the answer by a second factor. Throws `invalid_payload` where no method is named. */
export function requiredAnswerOf(body: Answered): FactorAnswer {
  const answer = answerOf(body);
  if (answer === undefined) throw invalidFields({ method: missingField });
  return answer;
}
