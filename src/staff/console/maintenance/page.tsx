/** @jsxImportSource #html */
import type { AccountName } from "../../../auth/index.ts";
import { Field, Form, Hidden } from "../../../http/pages/parts/form.tsx";
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import { around } from "../../../words/index.ts";
import { longestMessage, type MaintenanceView } from "../../../maintenance/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import { Ago, PersonLink } from "../../frame/parts.tsx";
import { StaffPage } from "../../frame/page.tsx";
import { Tag } from "../../people/parts.tsx";

interface MaintenanceProps {
  readonly context: StaffContext;
  readonly views: readonly MaintenanceView[];
  readonly names: ReadonlyMap<string, AccountName>;
}

interface ViewProps extends Omit<MaintenanceProps, "views"> {
  readonly view: MaintenanceView;
}

const binaryOf = (app: string): string => (app === "app" ? "gatehouse" : `gatehouse-${app}`);

function State({ context, view: { on } }: Pick<ViewProps, "context" | "view">) {
  const words = context.words.maintenance;
  if (on === undefined) return <Tag>{words.unknown}</Tag>;
  return on ? <Tag tone="warning">{words.on}</Tag> : <Tag tone="good">{words.off}</Tag>;
}

/** Says why maintenance is on, since when, and who switched it on. */
function Why({ context, view: { on, reason, note }, names }: ViewProps): Children {
  const words = context.words.maintenance;
  if (on !== true) return null;
  if (reason === "environment") return <p>{around(words.forced, { setting: <code>APP_MAINTENANCE_ENABLED</code> })}</p>;
  if (reason === "unreadable") return <p>{words.unreadable}</p>;
  if (note === undefined) return <p>{words.earlier}</p>;
  const ago = <Ago at={note.since} times={context.times} />;
  return (
    <p>
      {note.by === null
        ? around(words.byCommand, { ago })
        : around(words.byPerson, { ago, person: <PersonLink context={context} id={note.by} names={names} /> })}
      {note.message !== "" && [" ", around(words.because, { reason: <span dir="auto">{note.message}</span> })]}
    </p>
  );
}

/** Says why maintenance can't be switched here, and what to do instead. */
function Obstacle({ context, view: { app, obstacle } }: Pick<ViewProps, "context" | "view">) {
  const { unknown, memory, redis, commands } = context.words.maintenance.obstacles;
  if (obstacle === undefined || obstacle === "forced") return null;
  const why = {
    unknown,
    "in its memory": around(memory, {
      memory: <code>APP_MAINTENANCE_DRIVER=memory</code>,
      cache: <code>APP_MAINTENANCE_DRIVER=cache</code>,
    }),
    "out of reach": around(redis, { redis: <code>REDIS_URL</code>, cache: <code>CACHE_URL</code> }),
  };
  return (
    <p>
      {why[obstacle]}{" "}
      {around(commands, {
        enable: <code>{binaryOf(app)} maintenance:enable</code>,
        disable: <code>{binaryOf(app)} maintenance:disable</code>,
      })}
    </p>
  );
}

function Act({ context, view: { app, isOwn, on, obstacle, onlyThisProcess } }: ViewProps) {
  if (obstacle !== undefined || !context.may("maintenance.switch")) return null;
  const { href, token } = context;
  const words = context.words.maintenance;
  const action = href(`/maintenance/${app}`);
  if (on === true)
    return (
      <Form action={action} token={token} class="buttons">
        <Hidden fields={[["switch", "off"]]} />
        <button class="primary">{words.switchOff}</button>
      </Form>
    );
  return (
    <Form action={action} token={token} class="pile">
      <Hidden fields={[["switch", "on"]]} />
      <Field
        name="message"
        id={`message-${app}`}
        label={words.reason}
        type="text"
        autocomplete="off"
        maxLength={longestMessage}
        hint={words.reasonHint}
        isOptional
      />
      <p>
        {around(isOwn ? words.switchOwn : words.switchOther, {
          command: <code>{binaryOf(app)} maintenance:disable</code>,
        })}
        {onlyThisProcess && [" ", around(words.onlyHere, { setting: <code>APP_MAINTENANCE_DRIVER=memory</code> })]}
      </p>
      <div class="buttons">
        <button class="danger">{words.switchOn}</button>
      </div>
    </Form>
  );
}

/** Shows whether each app is in maintenance, since when, by whom and why, with the switch. */
export const MaintenanceStatePage = ({ context, views, names }: MaintenanceProps) => (
  <StaffPage context={context} title={context.words.maintenance.title} at="/maintenance">
    <h1>{context.words.maintenance.title}</h1>
    <div class="pair">
      {views.map((view) => (
        <section key={view.app} class="card pile" aria-labelledby={`maintenance-${view.app}`}>
          <h2 id={`maintenance-${view.app}`}>
            {view.app} <State context={context} view={view} />
          </h2>
          {view.isOwn && <p class="hint">{context.words.maintenance.own}</p>}
          {Why({ context, view, names })}
          <Obstacle context={context} view={view} />
          <Act context={context} view={view} names={names} />
        </section>
      ))}
    </div>
  </StaffPage>
);
