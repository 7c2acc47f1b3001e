/** @jsxImportSource #html */
import { Form, Hidden } from "../../../http/pages/parts/form.tsx";
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import { rolesFor, isStaff, staffRoles, type StaffAct } from "../../../core/people/staff.ts";
import { around } from "../../../words/index.ts";
import { listed } from "../../frame/parts.tsx";
import { acts, type ActName } from "../acts.ts";
import { remediesFor } from "../help.ts";
import type { AboutPerson } from "../parts.tsx";

interface ActProps extends AboutPerson {
  readonly act: ActName;
  readonly label: string;
  readonly isDanger?: boolean;
  readonly children: Children;
}

const Act = ({ context: { href, token, mayTo }, person, act, label, isDanger = false, children }: ActProps) =>
  !mayTo(acts[act].may, person.roles) ? null : (
    <li>
      <Form action={href(`/people/${person.id}/${act}`)} token={token}>
        <button class={isDanger ? "danger" : undefined}>{label}</button>
      </Form>
      <p class="hint">{children}</p>
    </li>
  );

interface AskingProps extends AboutPerson {
  readonly to: "impersonate" | "export" | "delete";
}

/** An act that a page of its own asks about first. */
const Asking = ({ context: { href, words }, person, to }: AskingProps) => (
  <li>
    <a class={to === "delete" ? "danger" : "button"} href={href(`/people/${person.id}/${to}`)}>
      {words.acts.buttons[to]}
    </a>
    <p class="hint">{words.acts.section[to]}</p>
  </li>
);

const Roles = ({ context: { href, token, words }, person: { id, roles } }: AboutPerson) => {
  const action = href(`/people/${id}/roles`);
  const { title, take, takeOf, label, give, hint } = words.acts.roles;
  return (
    <li>
      <h3>{title}</h3>
      {roles.map((role) => (
        <Form key={role} action={action} token={token} class="role">
          <Hidden fields={[["remove", role]]} />
          <span>{role}</span>
          <button aria-label={takeOf({ role })}>{take}</button>
        </Form>
      ))}
      <Form action={action} token={token} class="role">
        <label class="unseen" for="add">
          {label}
        </label>
        <input
          id="add"
          name="add"
          required
          maxlength={32}
          pattern="[a-z][a-z0-9\-]*"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          aria-describedby="add-below"
        />
        <button>{give}</button>
      </Form>
      <p id="add-below" class="hint">
        {around(hint, {
          admin: <code>admin</code>,
          support: <code>support</code>,
          auditor: <code>auditor</code>,
        })}
      </p>
    </li>
  );
};

const Ending = (props: AboutPerson) => {
  const { context, person } = props;
  const { buttons, section } = context.words.acts;
  if (person.id === context.viewer.session.userId)
    return (
      <li>
        <a class="button" href={context.href("/two-step")}>
          {buttons.twoStep}
        </a>
        <p class="hint">{section.own}</p>
      </li>
    );
  return (
    <>
      {person.active && (
        <Act {...props} act="disable" label={buttons.disable} isDanger>
          {section.disable}
        </Act>
      )}
      {context.mayTo("people.delete", person.roles) && <Asking {...props} to="delete" />}
    </>
  );
};

/** Says why there are few buttons, or none. */
function Bounds({ context, person: { roles } }: AboutPerson) {
  const { viewer, mayTo, words } = context;
  if (mayTo("people.roles", roles)) return null;
  const { reads, ofStaff, helps } = words.acts.section.bounds;
  const own = staffRoles.filter((each) => viewer.roles.includes(each));
  const role = <strong>{listed(context, own, "conjunction")}</strong>;
  if (!mayTo("people.unlock", [])) return <p class="hint">{around(reads, { role })}</p>;
  if (!isStaff(roles)) return <p class="hint">{around(helps, { role })}</p>;
  const needed = listed(context, rolesFor("people.roles"), "disjunction");
  return <p class="hint">{around(ofStaff, { role, needed })}</p>;
}

/** The act of looking at an account in its person's name; undefined where none of the staff may. */
export type Impersonation = StaffAct | undefined;

/** The mails with a link that no reason offers beside it, and what can be done about the address without one. */
const Links = ({ offered, ...props }: AboutPerson & { readonly offered: ReadonlySet<ActName> }) => {
  const { active, hasPassword, emailVerified } = props.person;
  const { buttons, section } = props.context.words.acts;
  const which = hasPassword ? "reset" : "firstPassword";
  return (
    <>
      {active && !offered.has("send-reset") && (
        <Act {...props} act="send-reset" label={buttons[which]}>
          {section[which]}
        </Act>
      )}
      {active && !emailVerified && !offered.has("send-verification") && (
        <Act {...props} act="send-verification" label={buttons.proof}>
          {section.proof}
        </Act>
      )}
      {!emailVerified && !offered.has("verify") && (
        <Act {...props} act="verify" label={buttons.verify}>
          {section.verify}
        </Act>
      )}
    </>
  );
};

/** Acts that have no button beside a hindrance. */
export const ActsSection = ({ impersonation, ...props }: AboutPerson & { readonly impersonation: Impersonation }) => {
  const { context, person } = props;
  const { buttons, section } = context.words.acts;
  const offered = new Set(
    [...person.standing, ...person.troubles].flatMap((reason) => remediesFor(reason, person).map(({ act }) => act)),
  );
  return (
    <section class="card" id="acts">
      <h2>{section.title}</h2>
      <Bounds context={context} person={person} />
      <ul class="acts">
        <Links {...props} offered={offered} />
        {person.factors.length > 0 && !offered.has("reset-factors") && person.id !== context.viewer.session.userId && (
          <Act {...props} act="reset-factors" label={buttons.resetFactors} isDanger>
            {section.resetFactors}
          </Act>
        )}
        {impersonation && context.may(impersonation) && person.active && !isStaff(person.roles) && (
          <Asking {...props} to="impersonate" />
        )}
        <Act {...props} act="end-sessions" label={buttons.endSessions}>
          {section.endSessions}
        </Act>
        {context.mayTo("people.export", person.roles) && <Asking {...props} to="export" />}
        {context.mayTo("people.roles", person.roles) && <Roles {...props} />}
        <Ending {...props} />
      </ul>
    </section>
  );
};
