/** @jsxImportSource #html */
import type { Children } from "../../http/pages/jsx-runtime.ts";

interface SectionProps {
  readonly id: string;
  readonly title: string;
  /** One line about the current state, before the section offers any act. */
  readonly state: Children;
  readonly children: Children;
}

/** A section of the account, with its heading. */
export const Section = ({ id, title, state, children }: SectionProps) => (
  <section class="card" id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    <p class="state">{state}</p>
    {children}
  </section>
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
