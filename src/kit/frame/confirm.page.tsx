/** @jsxImportSource #html */
import { Form } from "../../http/pages/parts/form.tsx";
import type { Children } from "../../http/pages/jsx-runtime.ts";
import type { PersonContext } from "./context.ts";
import { CardPage } from "./parts.tsx";

interface ConfirmPageProps {
  readonly context: PersonContext;
  /** A question, such as "Delete the account of Ada?" */
  readonly title: string;
  /** The path of the navigation entry that the page belongs to. */
  readonly at?: string;
  /** The path that the form is posted to. */
  readonly action: string;
  /** Fields that have to be filled in for the act. */
  readonly input?: Children;
  /** A verb and its object: "Delete the account". */
  readonly label: string;
  /** Whether the act can hurt, which its button shows. Default true. */
  readonly isDanger?: boolean;
  readonly cancel: string;
  /** Says what will happen, and whether it can be undone. */
  readonly children: Children;
}

/** Asks once before an act that can't be undone. A page of its own works without JavaScript. */
export const ConfirmPage = ({ action, input, label, isDanger = true, children, ...page }: ConfirmPageProps) => (
  <CardPage {...page} class="confirm">
    {children}
    <Form action={page.context.href(action)} token={page.context.token}>
      {input}
      <button class={isDanger ? "danger" : "primary"}>{label}</button>
    </Form>
  </CardPage>
);
