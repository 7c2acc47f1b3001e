import { Elysia } from "elysia";
import type { Impersonations, People } from "../../../auth/index.ts";
import { baseUrl } from "../../../core/address/url.parts.ts";
import { AppError } from "../../../core/errors.ts";
import type { StaffAct } from "../../../core/people/staff.ts";
import type { StaffPages } from "../../pages.ts";
import { ImpersonatePage } from "./impersonate.page.tsx";
import { reasonIn } from "./reason.ts";

export interface ActingOptions {
  readonly staff: StaffPages;
  readonly may: StaffAct;
  readonly people: Pick<People, "show">;
  readonly impersonations: Pick<Impersonations, "ask">;
  /** The address of this app, and of the one in which staff act in somebody's name. */
  readonly ownUrl: URL;
  readonly appUrl: URL;
}

const pathOf = (id: string): string => `/people/${id}`;

/** Serves the page on which staff say why they look at somebody's account, and leads them there. */
export function actingRoutes({ staff, may, people, impersonations, ownUrl, appUrl }: ActingOptions) {
  return new Elysia({ name: "staff/acting" })
    .use(
      staff.page("/people/:id/impersonate", may, async (context, id) =>
        ImpersonatePage({ context, person: await people.show(id) }),
      ),
    )
    .use(
      staff.act(
        "/people/:id/impersonate",
        (id) => ({ may, back: pathOf(id), isDangerous: true }),
        async (context, form, id) => {
          const { session } = context.viewer;
          const given = reasonIn(form, context);
          if ("error" in given) {
            const [person, typed] = [await people.show(id), form.get("reason") ?? ""];
            const page = ImpersonatePage({ context, person, typed, error: given.error });
            return { page, refusal: new AppError("invalid_payload") };
          }
          const secret = await impersonations.ask({
            userId: id,
            staffId: session.userId,
            sessionId: session.id,
            reason: given.reason,
            returnTo: `${baseUrl(ownUrl)}${pathOf(id)}`,
          });
          return { away: `${baseUrl(appUrl)}/impersonate?token=${secret}` };
        },
      ),
    );
}
