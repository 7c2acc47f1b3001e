import { AppError } from "../../core/errors.ts";
import type { ResponseHead } from "../../http/index.ts";
import { credentialsOf } from "./session/guard.ts";
import type { Flows } from "./flows.ts";
import type { Parts } from "./parts.ts";

/** Where the admin app leads staff who act in somebody's name, and where a form ends that. */
export const impersonationPath = "/impersonate";

type ImpersonationParts = Parts<"impersonations" | "sessions" | "cookies" | "pressure" | "clientOf"> & {
  readonly flows: Flows;
  readonly onRefusal: ((refusal: AppError) => void) | undefined;
};

/** What the pages need by which staff come to act in somebody's name, and go. */
export const createImpersonationAuth = ({
  impersonations,
  sessions,
  cookies,
  pressure,
  clientOf,
  flows,
  onRefusal,
}: ImpersonationParts) => ({
  /** Tells the request's inspect why the request was refused: a page has no code that says so. */
  refused: (refusal: AppError): void => onRefusal?.(refusal),

  /**
   * Opens the session of a secret, and gives it to this browser in place of its own, which ends. The browser is not one that the account
   * knows from then on. Throws `forbidden` for a secret that is of no use.
   */
  begin: (request: Request, head: ResponseHead, secret: string): Promise<void> =>
    flows.watch("impersonation", async () => {
      const client = clientOf(request);
      await pressure.limitAddress("impersonation", client);
      const credentials = credentialsOf(request, cookies);
      const before = await sessions.allServing(credentials, await sessions.recognize(credentials));
      const issued = await impersonations.redeem(secret, client);
      if (issued === undefined) throw new AppError("forbidden");
      await sessions.end(before, client);
      cookies.replace(head, request, issued);
    }),

  /** Ends the session of this browser, if staff have opened it in somebody's name. Returns where that leads. */
  async end(request: Request, head: ResponseHead): Promise<string | undefined> {
    const client = clientOf(request);
    const credentials = credentialsOf(request, cookies);
    const found = await sessions.recognize(credentials);
    if ("refused" in found) return undefined;
    const behind = await impersonations.behind(found.session);
    if (behind === null) return undefined;
    await sessions.end(await sessions.allServing(credentials, found), client);
    cookies.clear(head, request);
    return behind.return_to ?? undefined;
  },
});

export type ImpersonationAuth = ReturnType<typeof createImpersonationAuth>;
