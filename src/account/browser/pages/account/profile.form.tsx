import type { ProfileEdit, User } from "../../../../client/index.ts";
import { languageTags } from "../../../shared/words/language.ts";
import { useAccount } from "../../context.ts";
import { useForm } from "../../form.ts";
import { Field } from "../../parts/form/field.tsx";
import { Form } from "../../parts/form/form.tsx";
import { FormButtons } from "../../parts/form/form.buttons.tsx";
import { Refusal } from "../../parts/form/refusal.tsx";
import { Select } from "../../parts/form/select.tsx";
import { useWaiting } from "../../acts/waiting.ts";
import { languageName, zoneName } from "./profile.names.ts";

interface ProfileFormProps {
  readonly user: User;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

function useProfileForm({ user, onDone }: Pick<ProfileFormProps, "user" | "onDone">) {
  const { words, client, session } = useAccount();
  const { profile } = words.value.account;
  return useForm({
    id: "profile",
    fields: [
      { name: "display_name", label: profile.name },
      { name: "username", label: profile.username },
      { name: "avatar_url", label: profile.avatar, isOptional: true },
      { name: "locale", label: profile.language, isOptional: true },
      { name: "timezone", label: profile.timezone, isOptional: true },
    ],
    blame: { username_taken: "username", email_taken: "username" },
    async send(valueOf) {
      const result = await client.updateProfile(changesOf(user, valueOf));
      if (result.ok) {
        session.know(result.user);
        onDone();
      }
      return result;
    },
  });
}

/** Changes the profile by which apps know the person. */
export function ProfileForm({ user, onDone, onCancel }: ProfileFormProps) {
  const words = useAccount().words.value;
  const { profile, save } = words.account;
  const form = useProfileForm({ user, onDone });
  const waiting = useWaiting(form.refusal.value);
  const { locale, timezone } = user;
  return (
    <Form state={form}>
      <Refusal failure={form.refusal.value} waiting={waiting} />
      <Field
        form={form}
        name="display_name"
        label={profile.name}
        autocomplete="name"
        maxLength={200}
        value={user.display_name}
        isFirst
      />
      <Field form={form} name="username" label={profile.username} autocomplete="username" value={user.username} />
      <Field
        form={form}
        name="avatar_url"
        label={profile.avatarField}
        hint={profile.avatarHint}
        autocomplete="photo"
        maxLength={2048}
        value={user.avatar_url ?? ""}
        isOptional
      />
      <Select
        form={form}
        name="locale"
        label={profile.language}
        hint={profile.languageHint}
        value={locale ?? ""}
        options={optionsOf(languageTags, locale, (tag) => languageName(tag, words))}
      />
      <Select
        form={form}
        name="timezone"
        label={profile.timezone}
        hint={profile.timezoneHint}
        value={timezone ?? ""}
        options={optionsOf(Intl.supportedValuesOf("timeZone"), timezone, (zone) => zoneName(zone, words))}
      />
      <FormButtons form={form} label={save} waiting={waiting} onCancel={onCancel} />
    </Form>
  );
}

/** Returns the options: none first, and last a value that was not chosen on this page. */
const optionsOf = (values: readonly string[], chosen: string | null, labelOf: (value: string | null) => string) =>
  [null, ...values, ...(chosen === null || values.includes(chosen) ? [] : [chosen])].map((value) => ({
    value: value ?? "",
    label: labelOf(value),
  }));

/** Returns only the changed values, so that the form does not undo the changes of another tab. */
function changesOf(user: User, valueOf: (name: string) => string): ProfileEdit {
  const orNull = (name: string): string | null => valueOf(name).trim() || null;
  const [name, username] = [valueOf("display_name").trim(), valueOf("username").trim()];
  const [picture, locale, zone] = [orNull("avatar_url"), orNull("locale"), orNull("timezone")];
  return {
    ...(name !== user.display_name && { display_name: name }),
    ...(username !== user.username && { username }),
    ...(picture !== user.avatar_url && { avatar_url: picture }),
    ...(locale !== user.locale && { locale }),
    ...(zone !== user.timezone && { timezone: zone }),
  };
}
