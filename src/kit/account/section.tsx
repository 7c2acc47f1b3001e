/** @jsxImportSource #html */
import { Form } from "../../http/pages/parts/form.tsx";
import type { Children } from "../../http/pages/jsx-runtime.ts";
import type { AccountContext } from "./context.ts";

interface SectionProps {
  readonly id: string;
  readonly title: string;
  /** One line about the current state, before the section offers any act. */
  readonly state?: Children;
  readonly children?: Children;
}

/** A section of the account: its name, and beside it what it says. An opener that follows the state stands at the end of that line. */
export const Section = ({ id, title, state, children }: SectionProps) => (
  <section class="item" id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    <div class="content">
      {state !== undefined && <p class="state">{state}</p>}
      {children}
    </div>
  </section>
);

interface OpenerProps {
  readonly context: AccountContext;
  readonly path: string;
  readonly isDanger?: boolean;
  /** What it does and to what, where the words on it say the first alone. */
  readonly label?: string;
  readonly children: Children;
}

/** Leads to the page of a change. */
export const Opener = ({ context: { href }, path, isDanger = false, label, children }: OpenerProps) => (
  <a class={isDanger ? "button opener danger" : "button opener"} href={href(path)} aria-label={label}>
    {children}
  </a>
);

/** Does a change at once. */
export const AtOnce = ({ context: { href, token }, path, children }: OpenerProps) => (
  <Form class="opener" action={href(path)} token={token}>
    <button>{children}</button>
  </Form>
);

/** A value of the account with its name. */
export const Fact = ({ name, children }: { readonly name: string; readonly children: Children }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

interface RowProps {
  readonly title: Children;
  readonly about?: Children;
  /** The act of the row, at its other end. */
  readonly children?: Children;
}

/** A row of a list: its description, and what can be done. */
export const Row = ({ title, about, children }: RowProps) => (
  <li>
    <div class="about">
      <p>
        <strong>
          <bdi>{title}</bdi>
        </strong>
      </p>
      {about !== undefined && <p class="soft">{about}</p>}
    </div>
    {children}
  </li>
);
