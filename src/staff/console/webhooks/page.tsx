/** @jsxImportSource #html */
import { inWords } from "../../../core/text/in.words.ts";
import { Form } from "../../../http/pages/parts/form.tsx";
import { Empty, Facets, Pager, Pairs, Table, withQuery } from "../../../http/pages/parts/list.tsx";
import type { ListedDelivery, ShownDelivery } from "../../../webhook/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import { Ago, Moment } from "../../frame/parts.tsx";
import { StaffPage } from "../../frame/page.tsx";
import { Tag } from "../../people/parts.tsx";
import { lasted } from "../lasted.ts";

/** The choice of a list of deliveries. */
export interface DeliveryFilter {
  readonly webhook: string | undefined;
  readonly onlyFailed: boolean;
  readonly before: string | undefined;
}

interface ListProps {
  readonly context: StaffContext;
  readonly names: readonly string[];
  readonly filter: DeliveryFilter;
  readonly deliveries: readonly ListedDelivery[];
  /** The id of the last delivery where there are more. */
  readonly next: string | undefined;
}

const path = "/webhooks";
const pathOf = ({ webhook, onlyFailed, before }: Partial<DeliveryFilter>): string =>
  withQuery(path, { webhook, state: onlyFailed === true ? "failed" : undefined, before });

const tones: Readonly<Record<string, "good" | "warning">> = { delivered: "good", under_way: "warning" };

interface OutcomeProps extends Pick<ListProps, "context"> {
  readonly delivery: Pick<ListedDelivery, "outcome" | "status">;
}

const OutcomeOf = ({ context, delivery: { outcome, status } }: OutcomeProps) => {
  const { outcomes, withStatus } = context.words.webhooks;
  const said = inWords(outcomes, outcome);
  return (
    <Tag tone={tones[outcome] ?? "danger"}>
      {status === null ? said : withStatus({ outcome: said, status: String(status) })}
    </Tag>
  );
};

const Filters = ({ context, names, filter }: ListProps) => {
  const { href } = context;
  const words = context.words.webhooks;
  const { webhook, onlyFailed } = filter;
  return (
    <>
      {names.length > 1 && (
        <Facets
          write={context.count}
          label={words.webhook}
          facets={[undefined, ...names].map((name) => ({
            label: name ?? words.all,
            href: href(pathOf({ webhook: name, onlyFailed })),
            isCurrent: name === webhook,
          }))}
        />
      )}
      <Facets
        write={context.count}
        label={words.outcome}
        facets={[false, true].map((failed) => ({
          label: failed ? words.failed : words.allAttempts,
          href: href(pathOf({ webhook, onlyFailed: failed })),
          isCurrent: failed === onlyFailed,
        }))}
      />
    </>
  );
};

const nothing = ({ context, names, filter }: ListProps): string => {
  const { noneFailed, unconfigured, none } = context.words.webhooks;
  if (filter.onlyFailed) return noneFailed;
  return names.length === 0 ? unconfigured({ setting: "WEBHOOK_<NAME>_URL" }) : none;
};

/** The attempts to deliver messages, the newest first. */
export const DeliveriesPage = (props: ListProps) => {
  const { context, filter, deliveries, next } = props;
  const { href, times, speech } = context;
  const words = context.words.webhooks;
  return (
    <StaffPage context={context} title={words.title} at={path}>
      <h1 id="webhooks">{words.title}</h1>
      <Filters {...props} />
      <Table
        labelledBy="webhooks"
        columns={[words.when, words.event, words.webhook, words.outcome, words.attempt, words.took]}
        rows={deliveries.map((delivery) => [
          <Ago at={delivery.at} times={times} />,
          <a href={href(`${path}/${delivery.id}`)}>{delivery.topic}</a>,
          delivery.webhook,
          <OutcomeOf context={context} delivery={delivery} />,
          delivery.attempt,
          lasted(delivery.durationMs, speech.language),
        ])}
        empty={<Empty>{nothing(props)}</Empty>}
      />
      <Pager
        words={context.words.frame}
        label={words.pages}
        first={filter.before === undefined ? undefined : href(pathOf({ ...filter, before: undefined }))}
        next={next === undefined ? undefined : href(pathOf({ ...filter, before: next }))}
      />
    </StaffPage>
  );
};

interface DeliveryProps {
  readonly context: StaffContext;
  readonly delivery: ShownDelivery;
  readonly attempts: readonly ListedDelivery[];
  /** Masks secrets in what others have answered. */
  readonly redact: (text: string) => string;
}

/** Writes JSON over several lines; any other text as it is. */
function spread(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

const Attempts = ({ context, delivery, attempts }: DeliveryProps) => {
  const words = context.words.webhooks;
  return (
    <section>
      <h2 id="attempts">{words.attempts}</h2>
      <Table
        labelledBy="attempts"
        columns={[words.when, words.outcome, words.attempt, words.took]}
        rows={attempts.map((each) => [
          each.id === delivery.id ? (
            <strong>
              <Moment at={each.at} times={context.times} />
            </strong>
          ) : (
            <a href={context.href(`${path}/${each.id}`)}>
              <Moment at={each.at} times={context.times} />
            </a>
          ),
          <OutcomeOf context={context} delivery={each} />,
          each.attempt,
          lasted(each.durationMs, context.speech.language),
        ])}
      />
    </section>
  );
};

const Answered = ({ context, delivery: { answer }, redact }: DeliveryProps) => {
  const words = context.words.webhooks.answer;
  return (
    <section>
      <h2>{words.title}</h2>
      {answer === null || answer === "" ? (
        <p class="soft">{answer === null ? words.none : words.empty}</p>
      ) : (
        <>
          <pre class="card text">{redact(answer)}</pre>
          <p class="hint">{words.cut}</p>
        </>
      )}
    </section>
  );
};

/** One attempt: what was sent, what was answered, and the other attempts at the message. */
export const DeliveryPage = (props: DeliveryProps) => {
  const { context, delivery, redact } = props;
  const { href, times, token, speech } = context;
  const words = context.words.webhooks;
  const { error, userId } = delivery;
  return (
    <StaffPage context={context} title={delivery.topic} at={path}>
      <p class="back">
        <a href={href(path)}>{words.title}</a>
      </p>
      <div class="heading">
        <h1>{delivery.topic}</h1>
        <OutcomeOf context={context} delivery={delivery} />
      </div>
      <Pairs
        class="card pairs"
        pairs={[
          [words.webhook, delivery.webhook],
          [words.when, <Moment at={delivery.at} times={times} />],
          [words.took, lasted(delivery.durationMs, speech.language)],
          [words.attempt, String(delivery.attempt)],
          [words.why, error === null ? "" : redact(error)],
          [words.about, userId === null ? "" : <a href={href(`/people/${userId}`)}>{words.account}</a>],
          [words.message, <code>{delivery.messageId}</code>],
        ]}
      />
      {context.may("webhooks.resend") && (
        <Form action={href(`${path}/${delivery.id}/resend`)} token={token} class="buttons">
          <button>{words.again}</button>
          <p class="hint">{words.againHint}</p>
        </Form>
      )}
      <Answered {...props} />
      <section>
        <h2>{words.sent}</h2>
        <pre class="card text">{spread(delivery.sent)}</pre>
      </section>
      <Attempts {...props} />
    </StaffPage>
  );
};
