/** A place in a text that a program which shows it could make a link of. */
const kinds: readonly RegExp[] = [
  // A scheme that programs for mail, phones and desks know. Others need two slashes to be taken for one: "Nutzer:innen" is a word.
  /(?<![\p{L}\p{N}])https?\s*:\S*/giu,
  /(?<![\p{L}\p{N}])(?:about|bitcoin|blob|callto|data|ethereum|facetime|file|ftps?|geo|intent|irc|itms(?:-[a-z]+)?|javascript|ldaps?|magnet|mailto|maps|market|ms-[a-z-]+|msteams|news|nntp|s?ftp|sgnl|sips?|skype|smb|sms|ssh|tel|tg|urn|vbscript|view-source|webcal|whatsapp|xmpp|zoommtg):\S+/giu,
  /\S*\/\/\S*/gu,
  /\\\\\S*/gu,
  /(?<![\p{L}\p{N}])www\d{0,3}\.\S*/giu,
  // A name with a dot before letters, or before what stands for them.
  /[\p{L}\p{N}}-]+\.(?:\p{L}{2}|\p{L}?\{)[^\s,;]*/gu,
  // The address of a mailbox. In other letters it has a dot as well.
  /[A-Za-z\d._%+}-]+@[A-Za-z\d{][^\s,;]*/g,
  // The number of a host.
  /(?<!\p{N})\d{1,3}(?:\.\d{1,3}){3}(?!\p{N})/gu,
  // The number of a phone: phones dial it at a touch.
  /\p{Nd}(?:[\s()./+-]{0,3}\p{Nd}){6,}/gu,
];

/** Signs that browsers take for a dot in the name of a host. In sentences of Chinese and Japanese they stand between letters, which are no host. */
const otherDots = /[\u3002\uff0e\uff61\u2024\ufe52]/gu;
const plainHost = /[a-z\d-]+\.[a-z]{2}[^\s,;]*/giu;

/** What every link has. Most texts have none of it, and are not looked at any closer. */
const sign = /[.:@\\]\S|\/\/|https?\s*:|\p{Nd}/iu;

const withoutEnd = (found: string): string => found.replace(/[.,;:!?)\]"'»“”’]+$/u, "");

/**
 * Returns what a program for mail or a browser could make a link of: an address with a scheme, with two slashes, with `www.`, the name of a
 * host such as `example.com`, a mailbox, the number of a host or of a phone. Wide and other forms of letters count as the plain ones.
 */
function linksIn(text: string): readonly string[] {
  const dotted = text.replaceAll(otherDots, ".").normalize("NFKC");
  if (!sign.test(dotted)) return [];
  const plain = text.normalize("NFKC");
  const found = [text, plain].flatMap((each) => kinds.flatMap((kind) => each.match(kind) ?? []));
  return [...new Set([...found, ...(dotted.match(plainHost) ?? [])].map(withoutEnd))];
}

/** An address in plain letters, or the beginning of one, as pages show what one looks like. */
const example = /[\w.%+@:/-]*(?:\/\/|[A-Za-z\d]\.[A-Za-z]{2}|@[A-Za-z\d])[\w.%+@:/-]*/g;

/** Takes an example out of a text where it stands by itself, and is no part of another address. */
const without = (text: string, address: string): string =>
  text.replace(
    new RegExp(
      String.raw`(?<![A-Za-z\d._%+@/-])${RegExp.escape(address)}(?![\p{L}\p{N}/_~%@:?#&=+{-]|\.[\p{L}\p{N}{])`,
      "gu",
    ),
    " ",
  );

/** Returns the links in a text, but for the examples that ours have in its place. */
export function linksBeside(text: string, ours: readonly string[]): readonly string[] {
  const found = linksIn(text);
  if (found.length === 0) return found;
  return linksIn(
    ours
      .flatMap((each) => each.match(example) ?? [])
      .map(withoutEnd)
      .reduce(without, text),
  );
}
