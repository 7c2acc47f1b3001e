/** @jsxImportSource #html */
import type { Children } from "../../http/pages/jsx-runtime.ts";

interface SectionProps {
  readonly id: string;
  readonly title: string;
  /** One line about the current state, before the section offers any act. */
  readonly state: Children;
  /** The one act of the section, beside its state. */
  readonly act?: Children;
  readonly children?: Children;
}

/** A section of the account, with its heading. */
export const Section = ({ id, title, state, act, children }: SectionProps) => (
  <section class="card" id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    {act === undefined ? (
      <p class="state">{state}</p>
    ) : (
      <div class="acting">
        <p class="state">{state}</p>
        {act}
      </div>
    )}
    {children}
  </section>
);

/** A value of the account with its name. */
export const Fact = ({ name, children }: { readonly name: string; readonly children: Children }) => (
  <div>
    <dt>{name}</dt>
    <dd dir="auto">{children}</dd>
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
