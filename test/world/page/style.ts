/** One style sheet for all pages: light and dark as the reader's system says. */
export const style = `
:root { color-scheme: light dark;
  --bg: light-dark(#fff, #0d1117); --text: light-dark(#1f2328, #f0f6fc); --soft: light-dark(#f6f8fa, #151b23);
  --line: light-dark(#d1d9e0, #3d444d); --dim: light-dark(#59636e, #9198a1); --link: light-dark(#0969da, #4493f8);
  --good: light-dark(#1a7f37, #238636); --bad: light-dark(#cf222e, #da3633); --wait: light-dark(#9a6700, #9e6a03);
  --done: light-dark(#8250df, #8957e5); --plus: light-dark(#dafbe1, #12261e); --minus: light-dark(#ffebe9, #25171c);
  --hunk: light-dark(#ddf4ff, #121d2f); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 14px/1.5 system-ui, "Segoe UI", "Noto Sans", sans-serif; }
main { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
header { background: var(--soft); border-bottom: 1px solid var(--line); padding: .75rem 1rem; }
header p { max-width: 62rem; margin: 0 auto; color: var(--dim); display: flex; justify-content: space-between; gap: 1rem; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
h1 { font-size: 1.7rem; font-weight: 500; margin: 0 0 .5rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .75rem; }
.dim { color: var(--dim); font-weight: 400; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; padding-bottom: 1rem; margin-bottom: 1.25rem; border-bottom: 1px solid var(--line); }
.badge { border-radius: 2em; padding: .2rem .75rem; color: #fff; font-weight: 600; font-size: .85rem; white-space: nowrap; }
.good { background: var(--good); } .bad { background: var(--bad); } .wait { background: var(--wait); } .done { background: var(--done); } .gray { background: var(--dim); }
.label { border: 1px solid var(--line); background: var(--soft); border-radius: 2em; padding: 0 .6rem; font-size: .8rem; font-weight: 500; white-space: nowrap; }
.ref { background: var(--hunk); border-radius: 4px; padding: .1rem .4rem; font: .85em ui-monospace, monospace; overflow-wrap: anywhere; }
.box { border: 1px solid var(--line); border-radius: 6px; margin: 0 0 1rem; overflow: hidden; }
.box > .head { background: var(--soft); border-bottom: 1px solid var(--line); padding: .5rem 1rem; color: var(--dim); }
.box > .head b { color: var(--text); } .box > .head:last-child { border-bottom: 0; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: baseline; padding: .5rem 1rem; border-top: 1px solid var(--line); }
.row:first-child, .head + .row { border-top: 0; }
.row > .grow { flex: 1; min-width: 12rem; overflow-wrap: anywhere; }
.dot { width: .65rem; height: .65rem; border-radius: 50%; display: inline-block; }
.reactions { padding: 0 1rem .75rem; display: flex; gap: .4rem; }
.reactions span { border: 1px solid var(--line); border-radius: 2em; padding: 0 .5rem; }
.bot { border: 1px solid var(--line); border-radius: 2em; padding: 0 .4rem; font-size: .75rem; }
.md { padding: .75rem 1rem; overflow-x: auto; overflow-wrap: break-word; }
.md > :first-child { margin-top: 0; } .md > :last-child { margin-bottom: 0; }
.md h1, .md h2 { font-size: 1.3rem; font-weight: 600; border-bottom: 1px solid var(--line); padding-bottom: .3rem; margin: 1.25rem 0 .75rem; }
.md h3 { font-size: 1.1rem; margin: 1.25rem 0 .5rem; }
.md table { border-collapse: collapse; margin: .75rem 0; display: block; overflow-x: auto; }
.md th, .md td { border: 1px solid var(--line); padding: .35rem .75rem; text-align: left; }
.md th { background: var(--soft); font-weight: 600; }
.md pre { background: var(--soft); padding: .75rem 1rem; border-radius: 6px; overflow-x: auto; }
code, .mono { font: .85em/1.5 ui-monospace, "SFMono-Regular", Menlo, monospace; }
.md :not(pre) > code { background: var(--soft); padding: .15em .4em; border-radius: 6px; }
.md blockquote { margin: .75rem 0; padding: 0 1rem; color: var(--dim); border-left: .25rem solid var(--line); }
.md .alert { color: inherit; border-left-color: var(--wait); } .md .alert > strong:first-child { color: var(--wait); }
.md li:has(> input) { list-style: none; margin-left: -1.2em; }
.md details { margin: .5rem 0; } .md summary { cursor: pointer; } .md img { max-width: 100%; }
.diff { overflow-x: auto; } .diff table { border-collapse: collapse; width: 100%; }
.diff td { padding: 0 .75rem; white-space: pre; font: .8rem/1.55 ui-monospace, Menlo, monospace; }
.diff td.n { width: 1%; text-align: right; color: var(--dim); user-select: none; padding: 0 .5rem; }
.diff .plus { background: var(--plus); } .diff .minus { background: var(--minus); } .diff .at { background: var(--hunk); color: var(--dim); }
.empty { padding: 1rem; color: var(--dim); }`;
