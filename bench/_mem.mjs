import { readFileSync } from 'node:fs';
import { openWorld, requestsOf } from './world.mjs';
import { load } from './load.mjs';
const w = await openWorld({ main: '/work/main/packages/server/dist/main.js', nodeOptions: process.argv.slice(2) });
const pid = w.server.child?.pid ?? w.server.pid;
console.log(Object.keys(w), Object.keys(w.server), pid);
function show(label){
  const text = readFileSync(`/proc/${pid}/smaps`,'utf8'); const by={}; let cur='';
  for (const l of text.split('\n')) { const m=/^[0-9a-f]+-[0-9a-f]+ (\S+) \S+ \S+ \S+\s*(.*)$/.exec(l); if(m){ cur=m[2]|| (m[1].includes('x')?'[anon x]':'[anon]'); if(cur.startsWith('/')) cur=cur.split('/').pop()+(m[1].includes('w')?' rw':m[1].includes('x')?' x':' r'); continue; } const r=/^Rss:\s+(\d+)/.exec(l); if(r) by[cur]=(by[cur]??0)+Number(r[1]); }
  const rows=Object.entries(by).filter(([,v])=>v>300).sort((a,b)=>b[1]-a[1]);
  console.log(label, Object.values(by).reduce((a,b)=>a+b)/1024, rows.map(([k,v])=>`${k} ${(v/1024).toFixed(1)}`).join(', '));
}
show('start');
const account = w.accounts[0];
const r = w.accounts.map(a=>requestsOf(a).me);
await load({ port: w.server.port, requests: r, connections: 8, seconds: 4 }); show('me');
await load({ port: w.server.port, requests: w.accounts.map(a=>requestsOf(a).signIn), connections: 8, seconds: 4 }); show('signIn');
await w.close?.(); await w.stop?.(); process.exit(0);
