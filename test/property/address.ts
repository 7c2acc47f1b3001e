/** The client of every request that a test of interleavings makes. */
export const address = {
  address: "127.0.0.1",
  bucket: "127.0.0.1",
  areas: ["127.0.0.0/24", "127.0.0.0/16"],
  path: ["127.0.0.0/16", "127.0.0.0/24", "127.0.0.1"],
  isForgottenProxy: false,
  locale: null,
  userAgent: "",
  requestId: "",
};
