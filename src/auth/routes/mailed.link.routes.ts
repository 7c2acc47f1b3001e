import { Elysia, t } from "elysia";
import { answers, operation, grouped } from "../../http/index.ts";
import type { LimitedRequest } from "../pressure/limits.ts";
import type { LinkKinds, LinkName } from "../flow/mailed.links.ts";
import type { Parts } from "./parts.ts";
import { TokenBody } from "./schemas.ts";

/** The answer of each route: what its links can be for. */
const inspected = <const Kinds extends readonly [LinkKinds[LinkName], ...LinkKinds[LinkName][]]>(...kinds: Kinds) =>
  t.Object({
    ok: t.Literal(true),
    good: t.Boolean({ description: "Whether redeeming the token would do something now" }),
    kind: t.Union([t.UnionEnum(kinds), t.Null()], {
      description: "What the link is for; null where it is not good",
    }),
  });

const summary = "Look at a mailed link, redeeming nothing";

/** Looks at mailed links, so that a page can say that one is dead before a person does anything. */
export function mailedLinkRoutes({
  links,
  emailSignIn,
  pressure,
  clientOf,
}: Parts<"links" | "emailSignIn" | "pressure" | "clientOf">) {
  /** Looks at a link under the limit of those who redeem such links. */
  const lookerAt =
    <Name extends LinkName>(name: Name, limit: LimitedRequest) =>
    async (request: Request, token: string) => {
      await pressure.limitAddress(limit, clientOf(request), { token });
      const kind = (await links.inspect(name, token)) ?? null;
      return { ok: true as const, good: kind !== null, kind };
    };
  const verification = lookerAt("verification", "email-verification-confirm");
  const change = lookerAt("change", "email-verification-confirm");
  const login = lookerAt("login", "email-login-confirm");

  return new Elysia()
    .use(
      new Elysia(grouped("Email verification"))
        .post("/email-verification/inspect", ({ body, request }) => verification(request, body.token), {
          body: TokenBody,
          response: answers(inspected("address", "new_address"), "rate_limited"),
          detail: operation("inspectEmailVerification", {
            summary,
            description: "`address` proves the address of the account, `new_address` moves the account to another one.",
          }),
        })
        .post("/email-change/inspect", ({ body, request }) => change(request, body.token), {
          body: TokenBody,
          response: answers(inspected("waiting_change", "change"), "rate_limited"),
          detail: operation("inspectEmailChange", {
            summary,
            description:
              "`waiting_change` gives up a change of address that is not confirmed yet, `change` undoes one.",
          }),
        }),
    )
    .use(
      new Elysia(grouped("Sign-in by mail")).post(
        "/email-login/inspect",
        ({ body, request }) => login(request, body.token),
        {
          transform: () => emailSignIn.requireEnabled(),
          body: TokenBody,
          response: answers(inspected("sign_in"), "email_login_disabled", "rate_limited"),
          detail: operation("inspectEmailLogin", { summary }),
        },
      ),
    );
}
