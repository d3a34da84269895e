// The pages of a server that was recorded with every measure, and of two such runs compared. The pictures of all views are
// kept in the folder SCREENS: node server_test.mjs COPSE MODULES CHROMIUM SCREENS
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cells, folder, text, texts, withFile } from './harness.mjs';
import { look } from './screens.mjs';

const [copse, , , screens] = process.argv.slice(2);
const HERE = dirname(fileURLToPath(import.meta.url));
const MAIN = 'com.example.shop.checkout.ShopServer';
const MEASURES = ['--measure', 'calls,cpu=corrected,wall,alloc,exceptions,locks'];
const SLICES = ['--slice', 'com.example.shop.checkout.AbstractShopHandler.handle'];
const at = (name) => join(folder, name);
const run = (...words) => execFileSync(words[0], words.slice(1), { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const record = (name, options, ...words) => run(copse, 'run', '-q', ...options, '-o', at(`${name}.json`), '--', 'java', '-cp', folder, MAIN, ...words);

before(() => {
  rmSync(screens, { recursive: true, force: true });
  run('javac', '-d', folder, join(HERE, 'ShopServer.java'));
  for (const kind of ['plain', 'cache']) {
    const printed = record(kind, [...MEASURES, ...SLICES, '--by-thread', 'group'], '300', kind);
    assert.equal(printed, 'served 900\n');
  }
  run(copse, 'report', at('plain.json'), '-o', at('plain.html'));
  run(copse, 'diff', at('plain.json'), at('cache.json'), '-o', at('both.html'));
});

for (const [name, file] of [['server', 'plain.html'], ['servers', 'both.html']]) {
  for (const scheme of ['light', 'dark']) {
    test(`shows every view of the ${name}, ${scheme}, at every size`, () =>
      withFile(at(file), (page) => look(page, name, scheme, screens)));
  }
}

test('calls threads by their whole names', () =>
  withFile(at('plain.html'), async (page) => {
    const pool = '[http-*.*.*.*:*-worker@*.pool]';
    await page.selectOption('#measure', { label: 'calls' });
    const box = await page.locator('#chart').boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 19 + 9);
    assert.equal(await text(page, '#tip strong'), pool);
    await page.mouse.click(box.x + box.width / 2, box.y + 19 + 9);
    assert.equal(await text(page, '#path strong'), pool);
    await page.locator('#detail .actions button', { hasText: 'Set as root' }).click();
    assert.equal(await text(page, '#steps strong'), `${pool} as root`);
    await page.locator('#steps button', { hasText: 'everything' }).click();
    await page.fill('#search', '10.0');
    await page.waitForFunction(() => document.getElementById('matches').textContent === 'no method matches');
    await page.fill('#search', 'acceptor');
    await page.waitForSelector('#found:not([hidden])');
    assert.equal((await texts(page, '#found-list .name'))[0], '[Acceptor tcp://*.*.*.*:*]');
    await page.fill('#search', '');
    await page.click('#tab-tree');
    await page.locator('.tree-lines .name', { hasText: pool }).waitFor();
    await page.click('#tab-methods');
    assert.ok((await cells(page, '#method-table tbody tr')).some(([name]) => name === pool));
    await page.click('#tab-threads');
    assert.ok((await cells(page, '#thread-table tbody tr')).some(([name]) => name === 'Acceptor tcp://10.0.0.1:8080'));
  }));

test('says what options were given, in the words of the command line', async () => {
  const facts = async (page) => {
    await page.click('#tab-run');
    return page.locator('#run-table tr').evaluateAll((rows) => rows.map(({ cells: [name, value] }) => [name.textContent, value.textContent]));
  };
  const optionsIn = (rows) => {
    const first = rows.findIndex(([name]) => name === 'options');
    return rows.slice(first).filter(([name], i) => i === 0 || name === '').map(([, value]) => value);
  };
  await withFile(at('plain.html'), async (page) => {
    const rows = await facts(page);
    assert.deepEqual(optionsIn(rows), ['--by-thread group', '--measure calls,cpu,cpu=corrected,wall,alloc,exceptions,locks', SLICES.join(' ')]);
    assert.match(rows.find(([name]) => name === 'memory for contexts')[1], /^at most \d\.?\d* GiB$/);
  });
  const given = ['--jdk', '--engine', 'parallel:workers=1:packet=1024', '--include', 'com.example.**', '--include', 'java.util.*', '--memory', '64M'];
  for (const [name, options, told] of [
    ['default', [], ['none']],
    ['given', [...given, '--no-sites', '--recursion', 'merge', '--keep-stack-size'], [
      '--engine parallel:workers=1:packet=1024', "--include 'com.example.**'", "--include 'java.util.*'", '--jdk', '--recursion merge',
      '--no-sites', '--keep-stack-size',
    ]],
  ]) {
    record(name, options, '1', 'plain');
    run(copse, 'report', at(`${name}.json`), '-o', at(`${name}.html`));
    await withFile(at(`${name}.html`), async (page) => {
      const rows = await facts(page);
      assert.deepEqual(optionsIn(rows), told);
      if (name === 'given') assert.deepEqual(rows.find(([key]) => key === 'memory for contexts'), ['memory for contexts', 'at most 64.0 MiB']);
    });
  }
});
