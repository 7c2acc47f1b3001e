/** @jsxImportSource #html */
import { timestamp, type Millis } from "../../core/clock.ts";
import { Aside } from "../../http/pages/parts/form.tsx";
import type { PageContent, PersonContext } from "./context.ts";
import type { Times } from "./times.ts";

interface MomentProps {
  readonly at: Millis;
  readonly times: Times;
}

/** Day and time in the reader's zone, which the foot of the page names. Pointing at it shows the seconds. */
export const Moment = ({ at, times }: MomentProps) => (
  <time datetime={timestamp(at)} title={times.exactly(at)}>
    {times.at(at)}
  </time>
);

/** The time since or until a moment, with the moment itself for those who can't point at it. */
export const Ago = ({ at, times }: MomentProps) => (
  <time datetime={timestamp(at)} title={times.exactly(at)}>
    {times.relatively(at)}
    <span class="unseen">, {times.at(at)}</span>
  </time>
);

interface CardPageProps extends PageContent {
  readonly context: PersonContext;
  /** Continues the title in smaller letters. */
  readonly subtitle?: string | undefined;
  /** A class of the card, besides its own. */
  readonly class?: string;
  /** The page that a reader goes back to who wants nothing else. */
  readonly cancel?: string;
}

/** A page with one thing to do. */
export const CardPage = ({ context, subtitle, class: name, cancel, children, ...page }: CardPageProps) =>
  context.page({
    ...page,
    children: (
      <div class={name === undefined ? "card sign-in" : `card sign-in ${name}`}>
        {subtitle === undefined ? (
          <h1>{page.title}</h1>
        ) : (
          <hgroup>
            <h1>{page.title}</h1>
            <p class="soft">{subtitle}</p>
          </hgroup>
        )}
        {children}
        {cancel !== undefined && <Aside href={context.href(cancel)}>{context.speech.words.acts.cancel}</Aside>}
      </div>
    ),
  });
