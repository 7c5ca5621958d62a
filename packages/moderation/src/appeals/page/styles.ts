/** The styles of the page, inside it: it loads no other file. */
export const styles = `
:root { color-scheme: light dark; --line: #c5cdc8; --muted: #56615b; --accent: #1d6b52; --bad: #a62b2b; --panel: #fff; --page: #f6f7f5; --text: #1b211e; }
@media (prefers-color-scheme: dark) { :root { --line: #3b4540; --muted: #a5b0aa; --accent: #62c9a2; --bad: #ff9a94; --panel: #1d2320; --page: #141816; --text: #eef2ef; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 40rem; margin: 0 auto; padding: 1.25rem 1rem 3rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0.5rem 0 1rem; }
h3 { font-size: 1rem; margin: 0 0 0.5rem; }
h2 { font-size: 1.15rem; margin: 0 0 0.5rem; }
section { background: var(--panel); border: 1px solid var(--line); border-radius: 0.5rem; padding: 1rem; margin: 0 0 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; margin: 0; }
dt { color: var(--muted); }
dd { margin: 0; white-space: pre-wrap; }
p { margin: 0 0 0.75rem; }
.text { white-space: pre-wrap; }
label { display: block; font-weight: 600; margin: 0 0 0.25rem; }
.hint, .time { color: var(--muted); font-size: 0.9rem; font-weight: 400; }
input, textarea { width: 100%; font: inherit; color: inherit; background: var(--page); border: 1px solid var(--muted); border-radius: 0.375rem; padding: 0.6rem; margin: 0 0 0.75rem; }
input.code { font: 1.25rem/1.5 ui-monospace, monospace; letter-spacing: 0.1em; text-transform: uppercase; }
textarea { min-height: 8rem; resize: vertical; }
form + form { margin-top: 1.25rem; }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0.5rem 1.1rem; border-radius: 0.375rem; border: 1px solid var(--accent); background: var(--accent); color: var(--page); cursor: pointer; }
button.plain { background: transparent; color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.problem { border-color: var(--bad); color: var(--bad); }
.problem p:last-child { margin: 0; }
ol { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: 0.75rem; }
li { border-left: 3px solid var(--line); padding-left: 0.75rem; }
li.staff { border-color: var(--accent); }
li p { margin: 0; }
`
