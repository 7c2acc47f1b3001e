import { Elysia } from "elysia";
import { timestamp } from "../../../core/clock.ts";
import { answers, Ok, operation, grouped } from "../../../http/index.ts";
import { cookieWords } from "../session/cookies.ts";
import { Exported } from "./export.schema.ts";
import { presentExport } from "./export.view.ts";
import { DeleteAccountBody, ExportQuery, passwordRefusals } from "../schemas.ts";
import type { Parts } from "../parts.ts";

type PersonalDataParts = Parts<"exports" | "deletion" | "cookies" | "guard" | "clientOf" | "clock">;

export const personalDataRoutes = ({ exports, deletion, cookies, guard, clientOf, clock }: PersonalDataParts) =>
  new Elysia(grouped("Account"))
    .use(guard)
    .get(
      "/account/export",
      async ({ query, set, session }) => {
        const exported = presentExport(await exports.gather(session, query.events_before));
        const exportedAt = timestamp(clock.now());
        set.headers["content-disposition"] = `attachment; filename="account-${exportedAt.slice(0, 10)}.json"`;
        return { ok: true as const, exported_at: exportedAt, ...exported };
      },
      {
        requireAuth: true,
        query: ExportQuery,
        response: answers(Exported, "invalid_payload", "reauthentication_required", "rate_limited"),
        detail: operation("exportAccount", {
          summary: "Everything that is kept about you, as one document; takes a fresh proof of identity",
        }),
      },
    )
    .post(
      "/account/delete",
      async ({ body, request, set, session }) => {
        const user = await deletion.deleteOwn(session, body.current_password, clientOf(request));
        cookies.forget(set, request, user);
        return { ok: true as const };
      },
      {
        requireAuth: true,
        body: DeleteAccountBody,
        response: answers(Ok, "invalid_credentials", "reauthentication_required", ...passwordRefusals),
        detail: operation("deleteAccount", {
          summary: "Delete your account for good; takes the password, or a fresh proof where there is none",
          cookies: { 200: cookieWords.clear },
        }),
      },
    );
