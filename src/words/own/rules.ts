import { placeholdersOf } from "../message.ts";
import { linksBeside } from "./links.ts";
import { quoted } from "./quoted.ts";
import type { Slot } from "./slots.ts";

const lineBreak = /[\n\r\u0085\p{Zl}\p{Zp}]/u;
/** What is not seen, turns the letters behind it around, or stands for no character. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\ufffd]/u;
const joining = [
  "Arabic Syriac Nko Mandaic Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam",
  "Sinhala Myanmar Khmer",
]
  .join(" ")
  .split(" ")
  .map((script) => String.raw`\p{Script=${script}}`)
  .join("");
/** Scripts whose letters join need signs between them that are not seen; pictures are put together and coloured by some. */
const allowedUnseen = new RegExp(
  [
    `(?<=[${joining}])[\\u200c\\u200d](?=[${joining}])`,
    String.raw`(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})`,
    String.raw`(?<=[\p{Emoji}\p{Extended_Pictographic}])[\ufe0e\ufe0f]`,
  ].join("|"),
  "gu",
);
const entity = /&(?:#\d+|#x[\dA-F]+|[A-Z][A-Z\d]*);/i;
const placeholder = /\{\w+\}/g;

const spare = 60;
/** The most characters of a text: it has to fit where ours does. */
const mostCharacters = ({ english, ours }: Slot): number => spare + 2 * Math.max(english.length, ours.length);

const inBraces = (names: readonly string[]): string => names.map((name) => `{${name}}`).join(" and ");

/** Says what is wrong with the names in braces. */
function placeholderComplaints(text: string, { names, counted }: Slot): readonly string[] {
  const own = placeholdersOf(text);
  const unknown = own.filter((name) => !names.includes(name));
  // A category may name its number in words: "one hour". That of all other numbers can't.
  const missing = names.filter(
    (name) => !own.includes(name) && !(name === "count" && counted !== undefined && counted.category !== "other"),
  );
  const here = names.length === 0 ? "nothing does" : `${inBraces(names)} ${names.length === 1 ? "does" : "do"}`;
  const rest = text.replaceAll(placeholder, "");
  return [
    ...(unknown.length > 0
      ? [`has ${quoted(inBraces(unknown))}, which stands for nothing here: of what is in braces, ${here}`]
      : []),
    ...(missing.length > 0 ? [`must have ${inBraces(missing)}, as ours has`] : []),
    ...(/[{}]/.test(rest) || /[{}]{2}/.test(text) ? ["has a brace that belongs to no name such as {product}"] : []),
  ];
}

function characterComplaints(text: string): readonly string[] {
  if (lineBreak.test(text)) return ["has a line break: a text is one line"];
  if (!unseen.test(text)) return [];
  const [found] = unseen.exec(text.replaceAll(allowedUnseen, "")) ?? [];
  if (found === undefined) return [];
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return [`has the character U+${code}, which is not seen, or changes how others are`];
}

/** Says why a text can't stand in the place of ours; empty where it can. */
export function complaintsAbout(text: string, slot: Slot): readonly string[] {
  if (text === slot.ours) return [];
  if (text.trim() === "") return ["is empty"];
  const most = mostCharacters(slot);
  if (text.length > most) return [`has ${text.length} characters, and at most ${most} fit there`];
  if (!text.isWellFormed()) return ["has half of a character, a lone surrogate"];
  const links = linksBeside(text, [slot.ours, slot.english]);
  return [
    ...(text.trim() === text ? [] : ["begins or ends with a space"]),
    ...characterComplaints(text),
    ...(/[<>]/.test(text) ? ["has < or >: words are plain text, not HTML"] : []),
    ...(entity.test(text) ? ["has an entity of HTML: words are plain text, so write the character itself"] : []),
    ...(text.includes("=?") ? ["has =?, by which subjects of mails begin an encoded word"] : []),
    ...placeholderComplaints(text, slot),
    ...(links[0] === undefined
      ? []
      : [`has ${quoted(links[0])}, of which programs could make a link: words lead nowhere`]),
  ];
}
