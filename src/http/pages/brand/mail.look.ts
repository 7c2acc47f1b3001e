import type { MailImage } from "../../../drivers/mail/index.ts";
import { cornersOf, inWords, schemesOf, type Theme } from "./look.ts";
import type { Picture } from "./logo.ts";
import type { Palette } from "./palette.ts";

/** A picture in a mail, and how large it is shown. */
interface MailPicture {
  readonly image: MailImage;
  readonly width: number;
  readonly height: number;
}

/** What an operator has chosen of the looks of mails. */
export type MailLook = ReturnType<typeof mailLookOf>;

interface MailLookOptions {
  readonly palette: Palette;
  readonly theme: Theme;
  readonly radius: number;
  readonly logo: Picture | undefined;
  readonly dark: Picture | undefined;
  readonly hasName: boolean;
  /** The host of APP_URL, which makes the names of the pictures our own. */
  readonly host: string;
}

const shownHeight = 40;
const mostWidth = 280;

/** Mail programs show no SVG, and load no picture by themselves: only a PNG is shown, and is part of the mail. */
function pictureIn(picture: Picture | undefined, name: string, host: string): MailPicture | undefined {
  if (picture?.type !== "image/png" || picture.size === undefined) return undefined;
  const { width, height } = picture.size;
  const scale = Math.min(shownHeight / height, mostWidth / width);
  return {
    image: { cid: `${name}@${host}`, name: `${name}.png`, type: picture.type, body: picture.body },
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

export function mailLookOf({ palette, theme, radius, logo, dark, hasName, host }: MailLookOptions) {
  const { control, card } = cornersOf(radius);
  const [first, second] = schemesOf(theme);
  const light = pictureIn(logo, "logo", host);
  const onDark = pictureIn(dark, "logo-dark", host);
  const [shown, other] = first === "dark" ? [onDark ?? light, undefined] : [light, second && onDark];
  return {
    /** The colours that a mail has, and those that it has in the dark where it has both. */
    colours: palette[first],
    dark: second && palette[second],
    schemes: inWords(theme),
    corners: { control, card },
    logo: shown && { shown, dark: other, hasName },
  };
}
