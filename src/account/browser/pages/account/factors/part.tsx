import type { ComponentChildren } from "preact";

/** Called with the result of an act in words, and with the recovery codes that it has made. */
export type OnChange = (said: string, codes?: readonly string[]) => void;

interface PartProps {
  readonly id: string;
  readonly title: string;
  /** A word about the state, beside the title. */
  readonly tag?: ComponentChildren;
  readonly about: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a section, with a heading of its own. */
export const Part = ({ id, title, tag, about, children }: PartProps) => (
  <div class="part" role="group" aria-labelledby={id}>
    <div class="about">
      <h3 id={id} tabIndex={-1}>
        {title} {tag}
      </h3>
      <p class="soft">{about}</p>
    </div>
    {children}
  </div>
);
