/** @jsxImportSource #html */
import { Form, Hidden } from "../../http/pages/parts/form.tsx";
import type { Children } from "../../http/pages/jsx-runtime.ts";
import type { StaffContext } from "./context.ts";
import { StaffPage } from "./page.tsx";

interface ConfirmPageProps {
  readonly context: StaffContext;
  /** A question, such as "Delete the account of Ada?" */
  readonly title: string;
  /** The path of the navigation entry that the page belongs to. */
  readonly at?: string;
  /** The path that the form is posted to, and the fields that it sends. */
  readonly action: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** Fields that have to be filled in for the act. */
  readonly input?: Children;
  /** A verb and its object: "Delete the account". */
  readonly label: string;
  readonly cancel: string;
  /** Says what will happen, and whether it can be undone. */
  readonly children: Children;
}

/** Asks once before an act that can't be undone. A page of its own works without JavaScript. */
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
