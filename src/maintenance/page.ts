const style = `
:root { color-scheme: light dark; --back: #f6f7f9; --front: #1c2330; --soft: #5b6575; --mark: #b45309; }
@media (prefers-color-scheme: dark) {
  :root { --back: #12161d; --front: #e8ebf0; --soft: #9aa5b5; --mark: #f0b35a; }
}
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; display: grid; place-items: center; padding: 2rem; background: var(--back);
  color: var(--front); font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 32rem; padding-left: 1.5rem; border-left: 0.25rem solid var(--mark); }
h1 { font-size: 1.75rem; line-height: 1.25; letter-spacing: -0.01em; margin-bottom: 0.75rem; }
p + p { margin-top: 0.75rem; }
.app { color: var(--soft); font-size: 0.9375rem; }
`;

/** What its policy allows: this one style sheet and an empty icon, so that nothing is loaded from anywhere. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${new Bun.CryptoHasher("sha256").update(style).digest("base64")}'`,
  "img-src data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The one page that people see during maintenance. */
export const maintenancePage = (app: string): { readonly html: string; readonly policy: string } => ({
  policy,
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Down for maintenance</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>Down for maintenance</h1>
<p>We are working on this service and will be back shortly. Please try again in a moment.</p>
<p class="app">Gatehouse · ${Bun.escapeHTML(app)}</p>
</main>
</body>
</html>
`,
});
