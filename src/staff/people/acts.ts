import type { Accounts } from "../../auth/index.ts";
import type { By } from "../../core/audit.ts";
import { invalidFields } from "../../core/errors.ts";
import { missingField } from "../../core/fields.ts";
import type { StaffAct } from "../../core/people/staff.ts";
import type { Notice } from "../../kit/index.ts";
import type { StaffWords } from "../../words/staff.ts";

type Words = StaffWords["acts"];

interface Request {
  readonly id: string;
  readonly by: By;
  readonly form: URLSearchParams;
  readonly words: Words;
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

/** The acts by the last part of the path that their forms are posted to. */
export const acts = {
  unlock: {
    may: "people.unlock",
    isDangerous: false,
    perform: async (accounts, { id, by, words: { done } }) =>
      (await accounts.unlock(id, by)) ? good(done.unlocked) : unchanged(done.notLocked),
  },
  disable: {
    may: "people.disable",
    isDangerous: true,
    perform: async (accounts, { id, by, words: { done } }) =>
      (await accounts.disable(id, by))
        ? good(done.disabled, { action: pathOf(id, "enable"), label: done.enableAgain })
        : unchanged(done.disabledAlready),
  },
  enable: {
    may: "people.enable",
    isDangerous: false,
    perform: async (accounts, { id, by, words: { done } }) =>
      (await accounts.enable(id, by))
        ? good(done.enabled, { action: pathOf(id, "disable"), label: done.disableAgain })
        : unchanged(done.enabledAlready),
  },
  verify: {
    may: "people.verify",
    isDangerous: true,
    perform: async (accounts, { id, by, words: { buttons, done } }) =>
      (await accounts.verify(id, by))
        ? good(done.verified, { action: pathOf(id, "disable"), label: buttons.disable })
        : unchanged(done.verifiedAlready),
  },
  "send-reset": {
    may: "people.send-reset",
    isDangerous: false,
    async perform(accounts, { id, by, words: { done } }) {
      const which = await accounts.sendPasswordReset(id, by);
      return good(which === "first" ? done.firstPasswordSent : done.resetSent);
    },
  },
  "send-verification": {
    may: "people.send-verification",
    isDangerous: false,
    perform: async (accounts, { id, by, words: { done } }) =>
      (await accounts.sendVerification(id, by)) ? good(done.proofSent) : unchanged(done.verifiedAlready),
  },
  "reset-factors": {
    may: "people.reset-factors",
    isDangerous: true,
    perform: async (accounts, { id, by, words: { done } }) =>
      (await accounts.resetFactors(id, by)) ? good(done.factorsReset) : unchanged(done.noFactors),
  },
  "end-sessions": {
    may: "people.end-sessions",
    isDangerous: true,
    perform: async (accounts, { id, by, form, words: { done } }) => {
      const session = form.get("session");
      const count = await accounts.revokeSessions(id, by, session ?? undefined);
      if (count > 0) return good(done.sessionsEnded({ count }));
      return unchanged(session === null ? done.noSessions : done.sessionEndedAlready);
    },
  },
  roles: {
    may: "people.roles",
    isDangerous: true,
    async perform(accounts, { id, by, form, words: { done } }) {
      const [add, remove] = [form.get("add")?.trim() ?? "", form.get("remove")?.trim() ?? ""];
      if (add === "" && remove === "") throw invalidFields({ role: missingField });
      const { isChanged } = await accounts.changeRoles(
        id,
        { add: add === "" ? [] : [add], remove: remove === "" ? [] : [remove] },
        by,
      );
      if (!isChanged) return unchanged(add === "" ? done.lackedRole({ role: remove }) : done.hadRole({ role: add }));
      const undo = {
        action: pathOf(id, "roles"),
        fields: { ...(add && { remove: add }), ...(remove && { add: remove }) },
      };
      return add === ""
        ? good(done.roleTaken({ role: remove }), { ...undo, label: done.giveAgain })
        : good(done.roleGiven({ role: add }), { ...undo, label: done.takeAgain });
    },
  },
} as const satisfies Readonly<Record<string, Act>>;

export type ActName = keyof typeof acts;
