/** Reads the query without the URL class: the URL of a request by HTTP/1.0 may be relative. */
export const queryOf = ({ url }: Request): URLSearchParams => {
  const mark = url.indexOf("?");
  return new URLSearchParams(mark === -1 ? "" : url.slice(mark + 1));
};
