/** Colours are variables, so that light and dark differ in one place. */
export const styleSheet = `:root {
  --back: #ffffff; --text: #1a1f29; --soft: #5a6472; --line: #dfe3e8; --panel: #f6f7f9;
  --accent: #2f6fde; --on: #ffffff; --whisker: #1a1f29;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #12161d; --text: #e4e8ee; --soft: #9aa5b4; --line: #2b323d; --panel: #1a2029;
    --accent: #6ea2ff; --on: #0b1220; --whisker: #f2f5f9;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 72rem; padding: 1rem; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.6rem; margin: 0.5rem 0 0; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 0; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
h3 { font-size: 1.05rem; margin: 1.8rem 0 0.6rem; overflow-wrap: anywhere; }
a { color: var(--accent); }
nav ul { padding-left: 1.2rem; }
.note { color: var(--soft); font-size: 0.9rem; margin: 0.4rem 0; max-width: 60rem; overflow-wrap: anywhere; }
.wide { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 0.7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; font-weight: normal; }
thead th { color: var(--soft); border-bottom-width: 2px; }
.text { text-align: left; }
tbody th { white-space: pre; position: sticky; left: 0; background: var(--back); }
figure tbody th { background: var(--panel); }
td.long { white-space: normal; min-width: 16rem; }
figure { margin: 0 0 1rem; padding: 0.8rem; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; }
figcaption { color: var(--soft); font-size: 0.9rem; margin-bottom: 0.5rem; }
.bar { display: grid; grid-template-columns: minmax(8rem, 18rem) 1fr 12rem; gap: 0.8rem; align-items: center; padding: 0.15rem 0; font-size: 0.9rem; }
.bar svg { width: 100%; height: 16px; display: block; border-radius: 3px; }
.bar .value { font-variant-numeric: tabular-nums; }
.track { fill: var(--line); }
.fill { fill: var(--accent); }
.whisker { stroke: var(--whisker); stroke-width: 1.5px; fill: none; vector-effect: non-scaling-stroke; }
.heat td { text-align: center; border: 2px solid var(--panel); background: color-mix(in srgb, var(--accent) var(--share), var(--back)); min-width: 4.2rem; }
.heat td.full { color: var(--on); }
@media (prefers-color-scheme: dark) { .heat td.strong { color: var(--on); } }
.heat td.none { background: none; color: var(--soft); }
.heat b { display: block; font-weight: 600; }
.heat small { display: block; font-size: 0.75rem; opacity: 0.85; }
.heat th { border: 0; }
.heat thead th { text-align: center; }
@media (max-width: 40rem) {
  body { padding: 0.7rem; }
  tbody th { white-space: pre-wrap; min-width: 7rem; max-width: 9rem; overflow-wrap: break-word; }
  .bar { grid-template-columns: 1fr auto; gap: 0.1rem 0.6rem; padding: 0.35rem 0; }
  .bar .label { overflow-wrap: anywhere; }
  .bar .value { grid-row: 1; grid-column: 2; text-align: right; }
  .bar svg { grid-column: 1 / -1; }
}
`;
