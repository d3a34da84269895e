// Uses copse mcp through the client of the official SDK, and prints what came of it as JSON.
//   node official_client.mjs MODULES COPSE FOLDER BEFORE AFTER     (the last two: class paths of the shop)
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, copse, cwd, before, after] = process.argv.slice(2);
const require = createRequire(join(modules, 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}`)).href);
const { Client } = await load('client/index.js');
const { StdioClientTransport } = await load('client/stdio.js');

const client = new Client({ name: 'copse-test', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: copse, args: ['mcp', '--allow-run'], cwd }));
const outcome = { server: client.getServerVersion(), instructions: client.getInstructions(), answers: {}, progress: [] };
outcome.tools = (await client.listTools()).tools;
outcome.resources = (await client.listResources()).resources.map((resource) => resource.uri);
outcome.templates = (await client.listResourceTemplates()).resourceTemplates.map((one) => one.uriTemplate);

async function call(step, name, args, options) {
  const result = await client.callTool({ name, arguments: args }, undefined, options);
  outcome.answers[step] = { text: result.content[0].text, failed: result.isError === true, status: result._meta?.['copse/exit_status'] };
}
const onprogress = (progress) => outcome.progress.push(progress.progress);
await call('profile', 'profile', { command: ['java', '-cp', before, 'shop.Main', 'slowly'], report: 'before.json' }, { onprogress });
await call('callers', 'callers', { report: 'before.json', method: 'Database.query' });
await call('profile again', 'profile', { command: ['java', '-cp', after, 'shop.Main'], report: 'after.json' });
await call('compare', 'compare', { old: 'before.json', new: 'after.json' });
await call('gate', 'gate', { old: 'before.json', new: 'after.json', rules: ['calls(Database.query) under OrderHandler.list > 1'] });
outcome.summary = (await client.readResource({ uri: 'copse://report/after.json' })).contents[0].text;
outcome.help = (await client.readResource({ uri: 'copse://help/query' })).contents[0].text;

// A call that is given up: the program that it started ends, and the server goes on.
const giving_up = new AbortController();
const long = client.callTool({ name: 'profile', arguments: { command: ['sleep', '100'] } }, undefined, { signal: giving_up.signal });
setTimeout(() => giving_up.abort(), 300);
outcome.given_up = await long.then(() => false, () => true);
await client.ping();
await client.close();
console.log(JSON.stringify(outcome));
