/** Light modules around the code, without which readers don't find it (ISO/IEC 18004). */
const quietZone = 4;

/**
 * Returns the text as a QR code in SVG. The code has its own white ground, so that a reader finds it on a dark page, and no inline style,
 * so that a Content-Security-Policy without those shows it. Its page gives it its size.
 */
export async function qrSvg(text: string): Promise<string> {
  const { encode } = await import("uqr");
  const { data, size } = encode(text, { ecc: "M", border: quietZone });
  const rows = data.map((row) => row.map((isDark) => (isDark ? "#" : " ")).join(""));
  const dark = rows.flatMap((row, y) =>
    [...row.matchAll(/#+/g)].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code for an authenticator app" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${dark.join("")}"/></svg>`,
  ].join("");
}
