/** @jsxImportSource #html */
import type { AppError } from "../../core/errors.ts";
import { rolesFor, staffRoles, type StaffAct } from "../../core/people/staff.ts";
import type { StaffWords } from "../../words/staff.ts";
import type { StaffContext } from "./context.ts";
import { StaffPage } from "./page.tsx";
import { listed } from "./parts.tsx";
import { beginningUpper } from "../../account/shared/in.words.ts";

interface Said {
  readonly title: string;
  readonly lead: string;
}

/** Returns the faults of fields as sentences, such as "Roles must be names of a to z."; undefined where no field is at fault. */
function complaints({ fields = {} }: AppError, { refusals }: StaffWords["frame"]): string | undefined {
  const known: Readonly<Partial<Record<string, string>>> = refusals.fields;
  const [faulty, told] = [Object.entries(fields), Object.keys(fields).map((field) => known[field])];
  if (faulty.length === 0) return undefined;
  if (told.every((each) => each !== undefined)) return refusals.refused.faults({ faults: told.join(" ") });
  const untold = faulty.map(([field, { complaint }]) => `${beginningUpper(field.replaceAll("_", " "))} ${complaint}.`);
  return refusals.refused.untoldFaults({ faults: untold.join(" ") });
}

/** Describes a refusal in plain words, with what to do. `requestId` is the name of the request in the log. */
function inWords(refusal: AppError, requestId: string, words: StaffWords["frame"]): Said {
  const { refusals } = words;
  const { reason, message, status, retryAfterSeconds } = refusal;
  if (reason === "not_found") return refusals.absent;
  if (reason === "cross_site_request") return refusals.foreignForm;
  if (reason === "unavailable" || reason === "overloaded")
    return { title: refusals.busy.title, lead: refusals.busy.lead({ count: retryAfterSeconds ?? 5 }) };
  if (status >= 500) return { title: refusals.broken.title, lead: refusals.broken.lead({ request: requestId }) };
  const { title, reason: because, untold } = refusals.refused;
  const known: Readonly<Partial<Record<string, string>>> = refusals.reasons;
  const told = known[reason];
  const lead = told === undefined ? untold({ reason: message }) : because({ reason: told });
  return { title, lead: complaints(refusal, words) ?? lead };
}

/** Says which role it takes, and whose account it was where the reader has that one. */
function withoutRole(context: StaffContext, act: StaffAct): Said {
  const { may, words, viewer } = context;
  const { title, ofStaff, needs } = words.frame.refusals.role;
  const own = staffRoles.filter((role) => viewer.roles.includes(role));
  const roles = listed(context, own, "conjunction");
  return {
    title,
    lead: may(act) ? ofStaff({ roles }) : needs({ roles, needed: listed(context, rolesFor(act), "disjunction") }),
  };
}

interface RefusalPageProps {
  readonly context: StaffContext;
  readonly refusal: AppError;
  readonly requestId: string;
  /** The page that the reader goes on from. */
  readonly back: string;
  /** What was asked for. */
  readonly act: StaffAct;
}

export const RefusalPage = ({ context, refusal, requestId, back, act }: RefusalPageProps) => {
  const { title, lead } =
    refusal.reason === "forbidden" ? withoutRole(context, act) : inWords(refusal, requestId, context.words.frame);
  return (
    <StaffPage context={context} title={title}>
      <h1>{title}</h1>
      <p>{lead}</p>
      <p>
        <a href={context.href(back)}>{back === "/" ? context.words.frame.start : context.words.frame.back}</a>
      </p>
    </StaffPage>
  );
};
