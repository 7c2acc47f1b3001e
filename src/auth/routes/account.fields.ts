import { field } from "../../http/index.ts";
import { passwordRules, passwordRulesWithFactor } from "../password/password.policy.ts";
import { emailPattern } from "../user/identifiers.ts";
import { imageUrl, languageTag, profilePatterns, timeZone } from "../user/profile.fields.ts";

/** An address, which may be international (RFC 6531). */
export const email = field.text({ most: 320, schema: { format: "idn-email", pattern: emailPattern } });

export const newPassword = field.password({
  most: 4096,
  mayBeEmpty: true,
  schema: { maxLength: 256, setting: "newPassword" },
});

/** What the settings of a deployment add to fields in the API reference, by the `setting` of their schemas. */
export const documentedSettings = (auth: Parameters<typeof passwordRules>[0]) => {
  const { minLength, require } = passwordRulesWithFactor(auth);
  const alone = passwordRules(auth).minLength;
  const asked = [
    require.upper ? "an upper-case letter" : [],
    require.lower ? "a lower-case letter" : [],
    require.number ? "a digit" : [],
    require.symbol ? "a symbol" : [],
  ].flat();
  const kinds = asked.length === 0 ? "" : `, with ${asked.join(", ")}`;
  return {
    newPassword: {
      minLength,
      description: `At least ${minLength} characters${alone === minLength ? "" : ` (${alone} for an account without a second factor)`}${kinds}; none that is common, known from a breach, or the account's own name or address`,
    },
  };
};

export const displayName = field.text({ most: 200 });
export const username = field.text({
  most: 320,
  schema: {
    format: "username",
    description: "1 to 64 letters, digits, spaces or `. _ -`; or the account's own address",
  },
});
export const zone = field.text({
  most: 64,
  rule: timeZone,
  schema: { format: "timezone", pattern: profilePatterns.timeZone, description: "An IANA time zone" },
});
export const locale = field.text({
  most: 64,
  rule: languageTag,
  schema: { format: "language-tag", pattern: profilePatterns.languageTag, description: "A language tag (BCP 47)" },
});
export const avatar = field.text({
  most: 2048,
  rule: imageUrl,
  schema: { format: "uri", pattern: profilePatterns.imageUrl },
});
