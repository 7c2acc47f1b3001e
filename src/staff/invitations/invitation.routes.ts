import { Elysia } from "elysia";
import type { Invitation, Invitations } from "../../auth/index.ts";
import { faultInWords } from "../../account/shared/in.words.ts";
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

interface Faults {
  readonly errors: Readonly<Record<string, string>>;
  readonly refusal: string | undefined;
}

/** Returns the faults of the form in the words of its page; undefined where the form is not at fault. */
function faultsOf(error: AppError, { speech, words }: StaffContext): Faults | undefined {
  const { faults, form } = words.invitations;
  const labels: Readonly<Partial<Record<string, string>>> = { email: form.email, display_name: form.name };
  const errors = Object.fromEntries(
    Object.entries(error.fields ?? {}).map(([field, { code }]) => [
      field,
      field === "roles" ? words.frame.refusals.fields.roles : faultInWords(speech.words, code, labels[field] ?? field),
    ]),
  );
  switch (error.reason) {
    case "invalid_payload":
      return { errors, refusal: undefined };
    case "email_taken":
      return { errors: { email: error.flaw === "inactive" ? faults.takenDisabled : faults.taken }, refusal: undefined };
    case "rate_limited": {
      const count = Math.max(1, Math.ceil(((error.retryAfterSeconds ?? 0) * second) / minute));
      return { errors, refusal: faults.tooMany({ count }) };
    }
    default:
      return undefined;
  }
}

const sent = ({ email, expiresAt }: Invitation, isRenewed: boolean, { times, words }: StaffContext): Notice => {
  const { sent: first, sentAgain } = words.invitations;
  return { kind: "good", text: (isRenewed ? sentAgain : first)({ email, moment: times.at(expiresAt) }) };
};

/** Serves the page on which staff invite people. */
export function invitationRoutes({ staff, invitations }: InvitationRouteOptions) {
  async function list(context: StaffContext, fields: InviteFields, faults?: Faults) {
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
      const faults = error instanceof AppError ? faultsOf(error, context) : undefined;
      if (!(error instanceof AppError) || faults === undefined) throw error;
      return { page: await list(context, fields, faults), refusal: error };
    }
  }

  return new Elysia({ name: "staff/invitations" })
    .use(staff.page(listed, "invitations.see", (context) => list(context, emptyFields(context.speech.language))))
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
        const { withdrawn, inviteAgain } = context.words.invitations;
        return {
          to: listed,
          notice: {
            kind: "good",
            text: withdrawn({ email }),
            undo: { action: listed, label: inviteAgain, fields },
          },
        };
      }),
    );
}
