/** @jsxImportSource #html */
import { Choice } from "../../http/pages/parts/form.tsx";
import { errorOf, TypedField } from "../sign.in/parts.tsx";
import { accountPath, type AccountContext } from "./context.ts";
import { FormCard, type FormPageProps } from "./form.tsx";
import { Fact, Opener, Section } from "./section.tsx";

/** Names a language in that language itself, for readers who are lost in another one. */
const nameOf = (tag: string): string => new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
const plainly = (zone: string): string => zone.replaceAll("_", " ");

const byBrowser = ({ tags, frame, speech }: AccountContext): string =>
  speech.account.profile.byBrowser({ name: nameOf(frame.words.pick(tags)) });

/** The profile that apps see. The first letter stands for the picture: a picture of another host tells that host who looks at it. */
export const ProfileSection = ({ context }: { readonly context: AccountContext }) => {
  const { user, speech } = context;
  const { sections, profile } = speech.account;
  const [initial] = new Intl.Segmenter().segment(user.displayName.trim());
  return (
    <Section
      id="profile"
      title={sections.profile}
      state={
        <span class="person">
          <span class="initial" aria-hidden="true">
            {initial?.segment.toUpperCase()}
          </span>
          <strong dir="auto">{user.displayName}</strong>
        </span>
      }
    >
      <Opener context={context} path={`${accountPath}/profile`}>
        {profile.change}
      </Opener>
      <dl class="facts">
        <Fact name={profile.username}>
          <bdi>{user.username === user.email ? profile.usernameIsEmail : user.username}</bdi>{" "}
          <a
            href={context.href(`${accountPath}/username`)}
            aria-label={speech.kit.changeOf({ name: profile.username })}
          >
            {speech.kit.change}
          </a>
        </Fact>
        <Fact name={profile.language}>{user.locale === null ? byBrowser(context) : nameOf(user.locale)}</Fact>
        <Fact name={profile.timezone}>{user.timezone === null ? speech.kit.noZone : plainly(user.timezone)}</Fact>
      </dl>
    </Section>
  );
};

/** Returns the options: none first, and last a value that was not chosen on this page. */
const optionsOf = (
  values: readonly string[],
  chosen: string | null,
  none: string,
  labelOf: (value: string) => string,
) => [
  ["", none] as const,
  ...[...values, ...(chosen === null || values.includes(chosen) ? [] : [chosen])].map(
    (value) => [value, labelOf(value)] as const,
  ),
];

interface ChoiceFieldProps extends FormPageProps {
  readonly name: "locale" | "timezone";
  readonly label: string;
  readonly hint: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

const ChoiceField = ({ context, view, name, label, hint, options }: ChoiceFieldProps) => (
  <Choice
    name={name}
    label={label}
    value={view.typed.get(name) ?? context.user[name] ?? ""}
    options={options}
    hint={hint}
    error={errorOf(view, name, label)}
  />
);

export const ProfilePage = ({ context, view }: FormPageProps) => {
  const { user, frame, speech } = context;
  const { profile } = speech.account;
  const zones = Intl.supportedValuesOf("timeZone");
  return (
    <FormCard
      context={context}
      view={view}
      title={profile.change}
      action={`${accountPath}/profile`}
      submit={speech.words.acts.save}
    >
      <TypedField
        view={view}
        name="display_name"
        label={profile.name}
        type="text"
        autocomplete="name"
        maxLength={200}
        suggested={user.displayName}
        autofocus
      />
      <TypedField
        view={view}
        name="avatar_url"
        label={profile.avatarField}
        type="text"
        autocomplete="photo"
        maxLength={2_048}
        suggested={user.avatarUrl}
        hint={profile.avatarHint}
        isOptional
      />
      <ChoiceField
        context={context}
        view={view}
        name="locale"
        label={profile.language}
        hint={profile.languageHint}
        options={optionsOf(frame.words.languages, user.locale, byBrowser(context), nameOf)}
      />
      <ChoiceField
        context={context}
        view={view}
        name="timezone"
        label={profile.timezone}
        hint={profile.timezoneHint}
        options={optionsOf(zones, user.timezone, speech.kit.noZone, plainly)}
      />
    </FormCard>
  );
};

/** The field of a new name. A proof has a field `username` of its own, for password managers. */
export const nameField = "new_username";

/** Refusals of a name, each of which its field tells of. */
const ofName = ["username_taken", "email_taken"] as const;

export const UsernamePage = ({ context, view }: FormPageProps) => {
  const { user, speech } = context;
  const { profile } = speech.account;
  const blamed = ofName.find((reason) => reason === view.refusal?.reason);
  return (
    <FormCard
      context={context}
      view={view}
      title={profile.username}
      action={`${accountPath}/username`}
      submit={speech.words.acts.save}
      blamed={ofName}
    >
      <TypedField
        view={view}
        name={nameField}
        label={profile.username}
        type="text"
        autocomplete="username"
        suggested={user.username}
        error={blamed === undefined ? errorOf(view, "username", profile.username) : speech.words.faults[blamed]}
        autofocus
      />
    </FormCard>
  );
};
