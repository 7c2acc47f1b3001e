/** @jsxImportSource #html */
import type { AppError } from "../../core/errors.ts";
import { rolesFor, staffRoles, type StaffAct } from "../../core/people/staff.ts";
import type { StaffContext } from "./context.ts";
import { StaffPage } from "./page.tsx";
import { capitalised } from "./words.ts";

interface Said {
  readonly title: string;
  readonly lead: string;
}

/** Returns the faults of fields as sentences, such as "Roles must be names of a to z." */
const complaints = ({ fields = {} }: AppError): string =>
  Object.entries(fields)
    .map(([field, { complaint }]) => `${capitalised(field.replaceAll("_", " "))} ${complaint}.`)
    .join(" ");

/** Describes a refusal in plain words, with what to do. `requestId` is the name of the request in the log. */
function inWords(refusal: AppError, requestId: string): Said {
  const { reason, message, status, retryAfterSeconds } = refusal;
  if (reason === "not_found")
    return { title: "There is nothing here", lead: "It was deleted, or the address is wrong." };
  if (reason === "cross_site_request")
    return {
      title: "This form is not of your sign-in",
      lead: "It was open while somebody signed in or out. Go back, load the page again, and repeat it. Nothing was changed.",
    };
  if (reason === "unavailable" || reason === "overloaded")
    return {
      title: "This can't be done right now",
      lead: `The service is busy, or its database can't be reached. Try again in ${retryAfterSeconds === 1 ? "a moment" : `${retryAfterSeconds ?? 5} seconds`}.`,
    };
  if (status >= 500)
    return {
      title: "Something went wrong",
      lead: `It is in the log under the request ${requestId}. Nothing more can be said here.`,
    };
  return {
    title: "That did not work",
    lead: `${complaints(refusal) || `The reason: ${message}.`} Nothing was changed.`,
  };
}

const eitherOf = new Intl.ListFormat("en", { type: "disjunction" });

/** Says which role it takes, and whose account it was where the reader has that one. */
function withoutRole({ may, viewer: { roles } }: StaffContext, act: StaffAct): Said {
  const own = staffRoles.filter((role) => roles.includes(role));
  const title = "Your role does not allow this";
  if (may(act))
    return {
      title,
      lead: `Your role is ${own.join(" and ")}. Only an admin acts on accounts of staff. Nothing was changed.`,
    };
  return {
    title,
    lead: `Your role is ${own.join(" and ")}. This takes the role ${eitherOf.format(rolesFor(act))}. Nothing was changed.`,
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
  const { title, lead } = refusal.reason === "forbidden" ? withoutRole(context, act) : inWords(refusal, requestId);
  return (
    <StaffPage context={context} title={title}>
      <h1>{title}</h1>
      <p>{lead}</p>
      <p>
        <a href={context.href(back)}>{back === "/" ? "Go to the start page" : "Go back"}</a>
      </p>
    </StaffPage>
  );
};
