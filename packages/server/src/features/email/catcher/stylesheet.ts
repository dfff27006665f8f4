export const stylesheet = `
:root {
  color-scheme: light dark;
  --page: #f4f4f5; --panel: #fff; --ink: #18181b; --quiet: #5f6169; --line: #e4e4e7; --chosen: #eef2ff; --accent: #4338ca;
  --on-accent: #fff; --hover: #fafafa;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0c0c0e; --panel: #161619; --ink: #f4f4f5; --quiet: #a1a1aa; --line: #2a2a2f; --chosen: #25264a; --accent: #a5b4fc;
    --on-accent: #16172e; --hover: #1d1d21;
  }
}
* { box-sizing: border-box; }
html, body { height: 100%; }
body { margin: 0; display: flex; flex-direction: column; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); }
a { color: inherit; text-decoration: none; }
a:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
header { display: flex; align-items: baseline; gap: .75rem; padding: .75rem 1.25rem; background: var(--panel); border-bottom: 1px solid var(--line); }
header h1 { font-size: 1rem; margin: 0; font-weight: 600; }
header h1::before { content: '/'; color: var(--quiet); font-weight: 400; margin-right: .75rem; }
header p { margin: 0 0 0 auto; color: var(--quiet); font-size: .875rem; }
.home { font-weight: 600; }
.mark { display: inline-block; width: .8em; height: .8em; margin-right: .45em; border-radius: .2em; background: linear-gradient(135deg, var(--accent) 48%, transparent 48% 56%, var(--accent) 56%); }
main { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(17rem, 23rem) minmax(0, 1fr); }
#emails { overflow-y: auto; background: var(--panel); border-right: 1px solid var(--line); }
#emails ol { list-style: none; margin: 0; padding: 0; }
#emails li a { display: grid; grid-template-columns: minmax(0, 1fr); padding: .8rem 1.25rem; border-bottom: 1px solid var(--line); border-left: 3px solid transparent; }
#emails li a:focus-visible { outline-offset: -3px; }
#emails li a:hover { background: var(--hover); }
#emails li a[aria-current] { background: var(--chosen); border-left-color: var(--accent); }
#emails .subject { font-weight: 600; overflow: hidden; text-overflow: ellipsis; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow-wrap: anywhere; }
#emails .to { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#emails time { color: var(--quiet); font-size: .8125rem; font-variant-numeric: tabular-nums; }
#email { display: flex; flex-direction: column; min-height: 0; overflow-y: auto; padding: 1.5rem 2rem 2rem; }
#email h2 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.3; letter-spacing: -.01em; overflow-wrap: anywhere; }
.back { display: none; }
dl { margin: 0 0 1rem; display: grid; gap: .15rem; font-size: .875rem; }
dl div { display: grid; grid-template-columns: 3.5rem minmax(0, 1fr); }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; margin: 0 0 1.25rem; }
.otp { font: 600 1.25rem/1 ui-monospace, monospace; letter-spacing: .12em; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--panel); -webkit-user-select: all; user-select: all; }
.button { padding: .55rem .95rem; border-radius: .5rem; font-weight: 600; background: var(--accent); color: var(--on-accent); }
.button:hover { opacity: .9; }
.parts { display: flex; gap: 1.25rem; border-bottom: 1px solid var(--line); }
.parts a { padding: .5rem 0; color: var(--quiet); border-bottom: 2px solid transparent; margin-bottom: -1px; font-weight: 500; }
.parts a[aria-current] { color: var(--ink); border-bottom-color: var(--accent); }
iframe { flex: 1; width: 100%; min-height: 30rem; margin-top: 1rem; border: 1px solid var(--line); border-radius: .75rem; background: #fff; }
pre { margin: 1rem 0 0; padding: 1rem 1.25rem; font: .875rem/1.6 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: .75rem; background: var(--panel); }
.empty, .missing { grid-column: 1 / -1; }
#emails.empty, #email.missing { border: 0; background: none; display: grid; justify-items: center; align-content: center; text-align: center; color: var(--quiet); padding: 2rem; }
.empty h2, .missing h2 { color: var(--ink); font-size: 1.125rem; margin: .75rem 0 .25rem; }
.empty p, .missing p { max-width: 30rem; margin: 0; }
.missing { grid-column: auto; }
.missing a { color: var(--accent); text-decoration: underline; }
@media (max-width: 46rem) {
  header p { display: none; }
  main { display: block; }
  #emails { border-right: 0; height: 100%; }
  .list #email, .one #emails { display: none; }
  #emails li a[aria-current]:not(:hover) { background: none; border-left-color: transparent; }
  #email { padding: 1rem 1rem 1.5rem; min-height: 100%; }
  .back { display: inline-block; margin-bottom: .75rem; color: var(--accent); font-weight: 500; }
  #email h2 { font-size: 1.2rem; }
}
`;
