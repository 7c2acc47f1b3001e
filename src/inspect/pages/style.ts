/** Colours are named by their use; the dark ones are chosen for the same contrast (WCAG 2.2, 1.4.3). */
export const style = `
:root { color-scheme: light dark;
  --back: #f5f6f8; --card: #fff; --line: #d9dde3; --front: #1b2230; --soft: #566072; --link: #0b57b8; --focus: #b45309;
  --fine: #17663a; --fine-back: #def3e4; --refused: #84500a; --refused-back: #fdeccb; --broken: #a11622; --broken-back: #fde0e1;
  --query: #3568c4; --cache: #0e7c86; --queue: #7c4dc4; --mail: #b3487e; --event: #8a6a0a; --http: #2b7d4b; --log: #667080;
  --auth: #b3560b; --error: #c0202d; }
@media (prefers-color-scheme: dark) { :root {
  --back: #11151c; --card: #1a2029; --line: #313a47; --front: #e6eaf0; --soft: #a0aabb; --link: #82b4ff; --focus: #f0b35a;
  --fine: #86dba3; --fine-back: #173524; --refused: #f2c26b; --refused-back: #3b2c10; --broken: #ff9aa0; --broken-back: #431a1e;
  --query: #6d9bf2; --cache: #4cc0ca; --queue: #ae8af0; --mail: #e588b7; --event: #d3b04a; --http: #68c48c; --log: #8b95a6;
  --auth: #f09a4e; --error: #ff7079; } }
* { box-sizing: border-box; margin: 0; }
body { background: var(--back); color: var(--front); font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
header, main { max-width: 76rem; margin: 0 auto; padding: 0.75rem 1rem; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; justify-content: space-between;
  border-bottom: 1px solid var(--line); }
main { padding-bottom: 4rem; outline: none; }
main > * + *, section > * + * { margin-top: 1rem; }
section { margin-top: 1.75rem !important; }
h1 { font-size: 1.375rem; line-height: 1.3; overflow-wrap: anywhere; }
h2 { font-size: 1.0625rem; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 2px; }
code, pre, .offset, td.number, .took, time { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 0.875em; }
.skip { position: absolute; left: -100vw; } .skip:focus { left: 1rem; top: 0.5rem; background: var(--card); padding: 0.5rem; z-index: 1; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.brand { font-weight: 650; } .brand a { color: inherit; text-decoration: none; } .where, .soft { color: var(--soft); font-weight: 400; }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: center; }
nav a { text-decoration: none; padding: 0.375rem 0; } nav a[aria-current] { box-shadow: inset 0 -2px currentColor; font-weight: 600; }
.title { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; } .title .live { margin-left: auto; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.875rem 1rem; }
.reason { border-left: 0.3rem solid var(--focus); font-size: 1rem; }
.sign-in { max-width: 26rem; margin: 8vh auto 0; display: grid; gap: 0.875rem; }
.complaint { color: var(--broken); background: var(--broken-back); border-radius: 0.375rem; padding: 0.5rem 0.75rem; overflow-wrap: anywhere; }
label { display: grid; gap: 0.25rem; font-size: 0.8125rem; color: var(--soft); }
label.live { display: flex; gap: 0.375rem; align-items: center; font-size: 0.9375rem; } label.live[hidden] { display: none; }
label.live.silent { color: var(--broken); }
input, select, button { font: inherit; color: var(--front); background: var(--card); border: 1px solid var(--soft); border-radius: 0.375rem;
  padding: 0.375rem 0.625rem; min-height: 2.25rem; max-width: 100%; }
input[type=checkbox] { min-height: 0; width: 1.125rem; height: 1.125rem; }
::placeholder { color: var(--soft); opacity: 1; }
button { background: var(--link); border-color: var(--link); color: var(--card); font-weight: 600; cursor: pointer; }
button.quiet { background: none; border-color: var(--line); color: var(--front); font-weight: 400; }
.filters { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: end; } .filters .wide { flex: 1 1 12rem; }
.actions { display: flex; gap: 0.75rem; align-items: center; }
table { border-collapse: collapse; width: 100%; background: var(--card); border: 1px solid var(--line); }
th, td { text-align: left; vertical-align: top; padding: 0.4375rem 0.75rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-size: 0.8125rem; color: var(--soft); font-weight: 600; white-space: nowrap; }
.number { text-align: right; white-space: nowrap; } .when { white-space: nowrap; } .day { display: block; color: var(--soft); font-size: 0.8125rem; }
tr.current td { background: var(--back); } .scroll { overflow-x: auto; } .scroll td { overflow-wrap: break-word; }
.what a { font-weight: 600; text-decoration: none; } .what a:hover { text-decoration: underline; }
.path { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; } .sql { color: var(--soft); }
.why { display: block; color: var(--soft); font-size: 0.875rem; }
.status, .source, .kind { display: inline-block; border-radius: 0.3125rem; padding: 0 0.4375rem; font-size: 0.8125rem; font-weight: 600; white-space: nowrap; }
.status.fine { color: var(--fine); background: var(--fine-back); } .status.refused { color: var(--refused); background: var(--refused-back); }
.status.broken { color: var(--broken); background: var(--broken-back); }
.source { color: var(--soft); border: 1px solid var(--line); font-weight: 500; }
.waterfall { list-style: none; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; }
.step { display: grid; grid-template-columns: 5.5rem 4rem minmax(0, 1fr) 4.5rem minmax(8rem, 28%); gap: 0 0.75rem; align-items: start;
  padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line); } .step:last-child { border-bottom: 0; }
.step.warn strong { color: var(--refused); } .step.error > .told > strong { color: var(--broken); }
.offset, .took { color: var(--soft); white-space: nowrap; padding-top: 0.125rem; } .took { text-align: right; }
.kind { color: var(--card); background: var(--log); text-align: center; }
.told { overflow-wrap: anywhere; } .bar { width: 100%; height: 1.25rem; }
.track { fill: var(--line); } .span { fill: var(--log); }
.kind.query { background: var(--query); } .bar.query .span { fill: var(--query); } .kind.cache { background: var(--cache); } .bar.cache .span { fill: var(--cache); }
.kind.queue { background: var(--queue); } .bar.queue .span { fill: var(--queue); } .kind.mail { background: var(--mail); } .bar.mail .span { fill: var(--mail); }
.kind.event { background: var(--event); } .bar.event .span { fill: var(--event); } .kind.http { background: var(--http); } .bar.http .span { fill: var(--http); }
.kind.auth { background: var(--auth); } .bar.auth .span { fill: var(--auth); } .kind.error { background: var(--error); } .bar.error .span { fill: var(--error); }
details { margin-top: 0.25rem; } summary { cursor: pointer; color: var(--link); font-size: 0.8125rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.facts { display: grid; gap: 0.625rem 1.5rem; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); }
@media (min-width: 44rem) { .facts .long { grid-column: span 2; } }
.attributes > div { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 0.75rem; padding: 0.125rem 0; }
dt { color: var(--soft); font-size: 0.8125rem; } dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 44rem) {
  .records thead, .stacked thead { display: block; position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .records tr { display: grid; grid-template-columns: auto auto auto 1fr; gap: 0.125rem 0.625rem; padding: 0.625rem 0.75rem; border-bottom: 1px solid var(--line); }
  .records td { border: 0; padding: 0; } .records .what { grid-column: 1 / -1; order: 1; } .records .number:last-child { display: none; }
  .stacked tr { display: flex; flex-wrap: wrap; gap: 0.125rem 1rem; align-items: baseline; padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line); }
  .stacked td { border: 0; padding: 0; } .stacked td:first-child { flex-basis: 100%; font-weight: 600; }
  .stacked td:not(:first-child)::before { content: attr(data-column) " "; color: var(--soft); font-size: 0.8125rem; }
  .filters { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); } .filters .wide, .filters .actions { grid-column: 1 / -1; } .filters input, .filters select { width: 100%; }
  .step { grid-template-columns: auto auto 1fr; } .step .told { grid-column: 1 / -1; order: 1; } .step .bar { grid-column: 1 / -1; order: 2; }
  .attributes > div { grid-template-columns: 1fr; gap: 0; } button, input, select, nav a { min-height: 2.75rem; } nav a { padding: 0.625rem 0; } }
@media (prefers-reduced-motion: no-preference) { .records tr.fresh { animation: fresh 1.2s; } @keyframes fresh { from { background: var(--refused-back); } } }
`;
