/** Reads the address in --url: https, with a name, without a path. Returns a complaint for anything else. */
export function readAddress(text: string): URL | string {
  const url = URL.parse(text);
  if (url === null) return "is no URL";
  if (url.protocol !== "https:") return "is not https, without which browsers send no password safely";
  if (url.username !== "" || url.password !== "") return "has a user or a password";
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") return "has more than a scheme and a name";
  return url;
}
