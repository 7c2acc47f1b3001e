/** @jsxImportSource #html */
import type { AppError } from "../core/errors.ts";
import type { StaffContext } from "./context.ts";
import { StaffPage } from "./page.tsx";

interface Said {
  readonly title: string;
  readonly lead: string;
}

/** A refusal in plain words: what it is, and what to do. `requestId` is what the log knows it by. */
function inWords({ reason, message, status, retryAfterSeconds }: AppError, requestId: string): Said {
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
  return { title: "That did not work", lead: `The reason: ${message}. Nothing was changed.` };
}

interface RefusalPageProps {
  readonly context: StaffContext;
  readonly refusal: AppError;
  readonly requestId: string;
  /** The page to go on from. */
  readonly back: string;
}

export const RefusalPage = ({ context, refusal, requestId, back }: RefusalPageProps) => {
  const { title, lead } = inWords(refusal, requestId);
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

/** For somebody who is signed in and has not the role. It has no navigation: nothing there is for them. */
export const ForbiddenPage = ({ context }: { readonly context: StaffContext }) => {
  const { frame, viewer } = context;
  return (
    <StaffPage context={{ ...context, frame: { ...frame, navigation: [] } }} title="For staff only">
      <h1>For staff only</h1>
      <p>
        You are signed in as <strong dir="auto">{viewer.session.username}</strong>, and this account is not one of the
        staff. Whoever runs {frame.product} can give it the role <code>admin</code>.
      </p>
      <p>If you have another account, sign out and use that one.</p>
    </StaffPage>
  );
};
