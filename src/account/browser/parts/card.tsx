import type { ComponentChildren } from "preact";

interface CardProps {
  readonly title: string;
  /** One line about the current state, before the card offers any act. */
  readonly state?: ComponentChildren;
  readonly id?: string;
  readonly children?: ComponentChildren;
}

/** A section of a page, with its heading. */
export const Card = ({ title, state, id, children }: CardProps) => (
  <section class="card" id={id} aria-labelledby={id && `${id}-title`}>
    <h2 id={id && `${id}-title`} tabIndex={-1}>
      {title}
    </h2>
    {state !== undefined && <p class="state">{state}</p>}
    {children}
  </section>
);
