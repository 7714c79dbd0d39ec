export const STYLE = `:root {
  color-scheme: light dark;
  --ground: #f6f6f9; --card: #fff; --ink: #1c1c28; --soft: #5d5d70; --line: #e2e2ea;
  --accent: #4338ca; --amber: #92400e; --amber-ground: #fef3c7; --green: #166534; --green-ground: #dcfce7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12121a; --card: #1c1c27; --ink: #ececf4; --soft: #a3a3b8; --line: #2f2f3f;
    --accent: #a5b4fc; --amber: #fcd34d; --amber-ground: #3b2a08; --green: #86efac; --green-ground: #0f2e1b;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; padding: .75rem 1rem; background: var(--card); border-bottom: 1px solid var(--line); }
header img { border-radius: 8px; }
h1 { margin: 0; font-size: 1.1rem; }
header p { margin: 0; color: var(--soft); font-size: .875rem; }
#link { margin-left: auto; }
main { max-width: 44rem; margin: 0 auto; padding: 1rem; }
h2 { margin: 1.5rem 0 .5rem; font-size: .95rem; color: var(--soft); font-weight: 600; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .5rem; }
li { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: .75rem 1rem; overflow-wrap: anywhere; }
li.empty { color: var(--soft); border-style: dashed; background: none; }
li.waiting { border-left: 4px solid var(--amber); }
.row { display: flex; flex-wrap: wrap; gap: .25rem .5rem; align-items: baseline; }
.name { font-weight: 600; }
.text { margin: .25rem 0 0; white-space: pre-wrap; }
.soft { color: var(--soft); font-size: .875rem; }
.badge { margin-left: auto; padding: 0 .6rem; border-radius: 99px; font-size: .8rem; border: 1px solid var(--line); color: var(--soft); }
.badge.waiting { color: var(--amber); background: var(--amber-ground); border-color: transparent; }
.badge.running { color: var(--green); background: var(--green-ground); border-color: transparent; }
code { padding: .1rem .35rem; border-radius: 6px; background: var(--card); border: 1px solid var(--line); color: var(--accent); }
`;
