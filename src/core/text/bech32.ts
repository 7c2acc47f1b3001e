const letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** Whether a text of letters and digits, such as an age key, has a valid Bech32 checksum (BIP 173), which catches typing errors. */
export function hasBech32Checksum(text: string): boolean {
  const split = text.lastIndexOf("1");
  const prefix = Array.from(text.slice(0, split), (character) => character.charCodeAt(0));
  const values = Array.from(text.slice(split + 1), (character) => letters.indexOf(character));
  if (split < 1 || values.length < 6 || values.includes(-1)) return false;
  let sum = 1;
  for (const value of [...prefix.map((each) => each >> 5), 0, ...prefix.map((each) => each & 31), ...values]) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of generators.entries()) if (((top >> bit) & 1) === 1) sum ^= generator;
  }
  return sum === 1;
}
