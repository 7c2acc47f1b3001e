import type { Accounts } from "../../auth/index.ts";
import type { By } from "../../core/audit.ts";
import { invalidFields } from "../../core/errors.ts";
import { missingField } from "../../core/fields.ts";
import type { StaffAct } from "../../core/people/staff.ts";
import type { Notice } from "../../kit/index.ts";

interface Request {
  readonly id: string;
  readonly by: By;
  readonly form: URLSearchParams;
}

/** An act of staff on a person. Resolves to a notice of the result, with a way to undo it where there is one. */
export interface Act {
  readonly may: StaffAct;
  /** Whether the act would hurt in other hands. It then needs a new proof where the last one is more than ten minutes old. */
  readonly isDangerous: boolean;
  perform(accounts: Accounts, request: Request): Promise<Notice>;
}

const good = (text: string, undo?: Notice["undo"]): Notice => ({ kind: "good", text, ...(undo && { undo }) });
const unchanged = (text: string): Notice => ({ kind: "warning", text });
const pathOf = (id: string, act: string): string => `/people/${id}/${act}`;

const countOf = (sessions: number): string => (sessions === 1 ? "One session has" : `${sessions} sessions have`);

/** `none`: what is said where there was nothing to end. */
const endedSessions = (count: number, none: string): Notice =>
  count === 0
    ? unchanged(none)
    : good(`${countOf(count)} ended, and can't be brought back: whoever used it signs in again.`);

/** The acts by the last part of the path that their forms are posted to. */
export const acts = {
  unlock: {
    may: "people.unlock",
    isDangerous: false,
    perform: async (accounts, { id, by }) =>
      (await accounts.unlock(id, by))
        ? good("Unlocked: the wrong passwords until now are forgotten. A new lock needs as many again.")
        : unchanged("There was nothing to unlock."),
  },
  disable: {
    may: "people.disable",
    isDangerous: true,
    perform: async (accounts, { id, by }) =>
      (await accounts.disable(id, by))
        ? good("Disabled: every session has ended, and nobody signs in to the account until it is enabled.", {
            action: pathOf(id, "enable"),
            label: "Enable again",
          })
        : unchanged("The account was disabled already."),
  },
  enable: {
    may: "people.enable",
    isDangerous: false,
    perform: async (accounts, { id, by }) =>
      (await accounts.enable(id, by))
        ? good("Enabled: the account can be signed in to again. The sessions that had ended stay ended.", {
            action: pathOf(id, "disable"),
            label: "Disable again",
          })
        : unchanged("The account was enabled already."),
  },
  verify: {
    may: "people.verify",
    isDangerous: true,
    perform: async (accounts, { id, by }) =>
      (await accounts.verify(id, by))
        ? good("The address counts as proven. That is not taken back: if it was a slip, disable the account.", {
            action: pathOf(id, "disable"),
            label: "Disable",
          })
        : unchanged("The address was proven already."),
  },
  "send-reset": {
    may: "people.send-reset",
    isDangerous: false,
    async perform(accounts, { id, by }) {
      const which = await accounts.sendPasswordReset(id, by);
      return good(
        `A mail with a link for ${which === "first" ? "the first" : "a new"} password is on its way. What became of it stands under Mails.`,
      );
    },
  },
  "send-verification": {
    may: "people.send-verification",
    isDangerous: false,
    perform: async (accounts, { id, by }) =>
      (await accounts.sendVerification(id, by))
        ? good(
            "A mail with the link is on its way, unless one of the last minutes has brought a good one. What became of it stands under Mails.",
          )
        : unchanged("The address was proven already."),
  },
  "reset-factors": {
    may: "people.reset-factors",
    isDangerous: true,
    perform: async (accounts, { id, by }) =>
      (await accounts.resetFactors(id, by))
        ? good(
            "The second step is gone, with its recovery codes, and every session has ended. A mail tells the person.",
          )
        : unchanged("The account had no second step."),
  },
  "end-sessions": {
    may: "people.end-sessions",
    isDangerous: true,
    perform: async (accounts, { id, by, form }) => {
      const session = form.get("session");
      return endedSessions(
        await accounts.revokeSessions(id, by, session ?? undefined),
        session === null
          ? "There was no session to end. Personal tokens, if there were any, have ended."
          : "That session had ended already.",
      );
    },
  },
  roles: {
    may: "people.roles",
    isDangerous: true,
    async perform(accounts, { id, by, form }) {
      const [add, remove] = [form.get("add")?.trim() ?? "", form.get("remove")?.trim() ?? ""];
      if (add === "" && remove === "") throw invalidFields({ role: missingField });
      const { isChanged } = await accounts.changeRoles(
        id,
        { add: add === "" ? [] : [add], remove: remove === "" ? [] : [remove] },
        by,
      );
      if (!isChanged)
        return unchanged(
          add === "" ? `The account did not have the role ${remove}.` : `The account has the role ${add} already.`,
        );
      const undo = {
        action: pathOf(id, "roles"),
        fields: { ...(add && { remove: add }), ...(remove && { add: remove }) },
      };
      return add === ""
        ? good(`The role ${remove} is taken, from the next request on.`, { ...undo, label: "Give it again" })
        : good(`The role ${add} is given, from the next request on.`, { ...undo, label: "Take it again" });
    },
  },
} as const satisfies Readonly<Record<string, Act>>;

export type ActName = keyof typeof acts;
