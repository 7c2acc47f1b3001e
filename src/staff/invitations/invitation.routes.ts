import { Elysia } from "elysia";
import type { Invitation, Invitations } from "../../auth/index.ts";
import { AppError } from "../../core/errors.ts";
import { minute, second } from "../../core/clock.ts";
import type { StaffContext } from "../frame/context.ts";
import type { Notice } from "../../kit/index.ts";
import type { StaffPages } from "../pages.ts";
import { emptyFields, fieldsOf, invitationOf, type InviteFields } from "./invite.form.tsx";
import { InvitationsPage } from "./page.tsx";

export interface InvitationRouteOptions {
  readonly staff: StaffPages;
  readonly invitations: Invitations;
}

const listed = "/people/invitations";
const invitationsAPage = 50;

/** Returns the faults of the form in the words of its page; undefined where the form is not at fault. */
function faultsOf(error: AppError): { errors: Record<string, string>; refusal: string | undefined } | undefined {
  const errors = Object.fromEntries(
    Object.entries(error.fields ?? {}).map(([field, { complaint }]) => [field, `This ${complaint}.`]),
  );
  if (error.reason === "invalid_payload") return { errors, refusal: undefined };
  if (error.reason === "email_taken") return { errors: { email: error.detail ?? error.message }, refusal: undefined };
  if (error.reason !== "rate_limited") return undefined;
  const minutes = Math.ceil(((error.retryAfterSeconds ?? 0) * second) / minute);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return {
    errors,
    refusal: `This address, or you, had as many invitations as may be sent for now. Try again in ${wait}.`,
  };
}

const sent = ({ email, expiresAt }: Invitation, isRenewed: boolean, { times }: StaffContext): Notice => ({
  kind: "good",
  text: `${email} is invited${isRenewed ? " again" : ""}: the link works until ${times.at(expiresAt)}.`,
});

/** Serves the page on which staff invite people. */
export function invitationRoutes({ staff, invitations }: InvitationRouteOptions) {
  async function list(context: StaffContext, fields: InviteFields, faults: ReturnType<typeof faultsOf>) {
    const all = context.search.has("all");
    const cursor = context.search.get("cursor") ?? undefined;
    const page = await invitations.list({ all, cursor, limit: invitationsAPage });
    return InvitationsPage({ context, all, isFirst: cursor === undefined, fields, ...page, ...faults });
  }

  async function invite(context: StaffContext, fields: InviteFields) {
    try {
      const { invitation, isRenewed } = await invitations.invite(invitationOf(fields), context.by);
      return { to: listed, notice: sent(invitation, isRenewed, context) };
    } catch (error) {
      const faults = error instanceof AppError ? faultsOf(error) : undefined;
      if (!(error instanceof AppError) || faults === undefined) throw error;
      return { page: await list(context, fields, faults), refusal: error };
    }
  }

  return new Elysia({ name: "staff/invitations" })
    .use(staff.page(listed, "invitations.see", (context) => list(context, emptyFields("en"), undefined)))
    .use(
      staff.act(listed, { may: "invitations.invite", back: listed, isDangerous: true }, (context, form) =>
        invite(context, fieldsOf(form)),
      ),
    )
    .use(
      staff.act(
        `${listed}/:id/resend`,
        { may: "invitations.resend", back: listed, isDangerous: true },
        async (context, _form, id) => {
          const { invitation } = await invitations.resend(id, context.by);
          return { to: listed, notice: sent(invitation, true, context) };
        },
      ),
    )
    .use(
      staff.act(`${listed}/:id/withdraw`, { may: "invitations.withdraw", back: listed }, async (context, _form, id) => {
        const { email, roles, locale } = await invitations.withdraw(id, context.by);
        const fields = { email, roles: roles.join(","), ...(locale !== null && { locale }) };
        const text = `The invitation of ${email} is withdrawn: its links work no longer.`;
        return {
          to: listed,
          notice: { kind: "good", text, undo: { action: listed, label: "Invite again", fields } },
        };
      }),
    );
}
