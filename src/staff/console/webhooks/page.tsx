/** @jsxImportSource #html */
import { Form } from "../../../http/pages/parts/form.tsx";
import { Empty, Facets, Pager, Pairs, Table, withQuery } from "../../../http/pages/parts/list.tsx";
import type { ListedDelivery, ShownDelivery } from "../../../webhook/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import { Ago, Moment } from "../../frame/parts.tsx";
import { StaffPage } from "../../frame/page.tsx";
import { Tag } from "../../people/parts.tsx";

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

const outcomeWords: Readonly<Record<string, string>> = {
  delivered: "delivered",
  under_way: "under way, or cut off",
  refused: "refused",
  gone: "not wanted any more",
  timeout: "no answer in time",
  unreachable: "not reached",
  forbidden_address: "address not allowed",
};

const tones: Readonly<Record<string, "good" | "warning">> = { delivered: "good", under_way: "warning" };

const OutcomeOf = ({ outcome, status }: Pick<ListedDelivery, "outcome" | "status">) => (
  <Tag tone={tones[outcome] ?? "danger"}>
    {`${outcomeWords[outcome] ?? outcome}${status === null ? "" : `, ${status}`}`}
  </Tag>
);

const seconds = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);

const Filters = ({ context, names, filter }: ListProps) => {
  const { href } = context;
  const { webhook, onlyFailed } = filter;
  return (
    <>
      {names.length > 1 && (
        <Facets
          write={context.count}
          label="Webhook"
          facets={[undefined, ...names].map((name) => ({
            label: name ?? "All webhooks",
            href: href(pathOf({ webhook: name, onlyFailed })),
            isCurrent: name === webhook,
          }))}
        />
      )}
      <Facets
        write={context.count}
        label="Outcome"
        facets={[false, true].map((failed) => ({
          label: failed ? "Failed" : "All attempts",
          href: href(pathOf({ webhook, onlyFailed: failed })),
          isCurrent: failed === onlyFailed,
        }))}
      />
    </>
  );
};

const nothing = ({ names, filter }: ListProps): string => {
  if (filter.onlyFailed) return "No attempt has failed in the last 30 days.";
  return names.length === 0
    ? "No webhook is configured here. One is made by WEBHOOK_<NAME>_URL; its attempts are then listed for 30 days."
    : "Nothing has been sent in the last 30 days. Every attempt will be here, with what was sent and what was answered.";
};

/** The attempts to deliver messages, the newest first. */
export const DeliveriesPage = (props: ListProps) => {
  const { context, filter, deliveries, next } = props;
  const { href, times } = context;
  return (
    <StaffPage context={context} title="Webhooks" at={path}>
      <h1 id="webhooks">Webhooks</h1>
      <Filters {...props} />
      <Table
        labelledBy="webhooks"
        columns={["When", "Event", "Webhook", "Outcome", "Attempt", "Took"]}
        rows={deliveries.map((delivery) => [
          <Ago at={delivery.at} times={times} />,
          <a href={href(`${path}/${delivery.id}`)}>{delivery.topic}</a>,
          delivery.webhook,
          <OutcomeOf {...delivery} />,
          delivery.attempt,
          seconds(delivery.durationMs),
        ])}
        empty={<Empty>{nothing(props)}</Empty>}
      />
      <Pager
        words={context.words.frame}
        label="attempts"
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

const Attempts = ({ context, delivery, attempts }: DeliveryProps) => (
  <section>
    <h2 id="attempts">Attempts at this message</h2>
    <Table
      labelledBy="attempts"
      columns={["When", "Outcome", "Attempt", "Took"]}
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
        <OutcomeOf {...each} />,
        each.attempt,
        seconds(each.durationMs),
      ])}
    />
  </section>
);

/** One attempt: what was sent, what was answered, and the other attempts at the message. */
export const DeliveryPage = (props: DeliveryProps) => {
  const { context, delivery, redact } = props;
  const { href, times, token } = context;
  const { answer, error, userId } = delivery;
  return (
    <StaffPage context={context} title={delivery.topic} at={path}>
      <p class="back">
        <a href={href(path)}>Webhooks</a>
      </p>
      <div class="heading">
        <h1>{delivery.topic}</h1>
        <OutcomeOf {...delivery} />
      </div>
      <Pairs
        class="card pairs"
        pairs={[
          ["Webhook", delivery.webhook],
          ["When", <Moment at={delivery.at} times={times} />],
          ["Took", seconds(delivery.durationMs)],
          ["Attempt", String(delivery.attempt)],
          ["Why", error === null ? "" : redact(error)],
          ["About", userId === null ? "" : <a href={href(`/people/${userId}`)}>the account</a>],
          ["Message", <code>{delivery.messageId}</code>],
        ]}
      />
      {context.may("webhooks.resend") && (
        <Form action={href(`${path}/${delivery.id}/resend`)} token={token} class="buttons">
          <button>Send again</button>
          <p class="hint">With the same id and text. A receiver that keeps ids takes it for a repetition.</p>
        </Form>
      )}
      <section>
        <h2>What was answered</h2>
        {answer === null || answer === "" ? (
          <p class="soft">{answer === null ? "Nothing." : "A status without a text."}</p>
        ) : (
          <>
            <pre class="card text">{redact(answer)}</pre>
            <p class="hint">At most the first KiB is kept.</p>
          </>
        )}
      </section>
      <section>
        <h2>What was sent</h2>
        <pre class="card text">{spread(delivery.sent)}</pre>
      </section>
      <Attempts {...props} />
    </StaffPage>
  );
};
