/** @jsxImportSource #html */
import { Form, Hidden } from "../http/pages/form.tsx";
import type { Children } from "../http/pages/jsx-runtime.ts";
import type { StaffContext } from "./context.ts";
import { StaffPage } from "./page.tsx";

interface ConfirmPageProps {
  readonly context: StaffContext;
  /** A question, such as "Delete the account of Ada?" */
  readonly title: string;
  /** The path of the entry of the navigation that the page belongs to. */
  readonly at?: string;
  /** The act, and what it is to be sent. */
  readonly action: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** What has to be typed for it. */
  readonly input?: Children;
  /** A verb with what it is done to: "Delete the account". */
  readonly label: string;
  readonly cancel: string;
  /** What will happen, and whether it can be taken back. */
  readonly children: Children;
}

/** Asks once before something that can't be taken back, on a page of its own, so that it works without JavaScript. */
export const ConfirmPage = ({
  context,
  title,
  at,
  action,
  fields = {},
  input,
  label,
  cancel,
  children,
}: ConfirmPageProps) => (
  <StaffPage context={context} title={title} {...(at !== undefined && { at })}>
    <div class="card sign-in confirm">
      <h1>{title}</h1>
      {children}
      <Form action={context.href(action)} token={context.token}>
        <Hidden fields={Object.entries(fields)} />
        {input}
        <button class="danger">{label}</button>
      </Form>
      <p class="aside">
        <a href={context.href(cancel)}>Cancel</a>
      </p>
    </div>
  </StaffPage>
);
