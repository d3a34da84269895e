// Opens a file in the speedscope of an npm package and prints the table of its Sandwich view.
//   node speedscope.mjs MODULES CHROMIUM FILE WORK
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, executablePath, file, work] = process.argv.slice(2);
const require = createRequire(join(modules, 'package.json'));
const { chromium } = require('playwright-core');

// As its command line does it: a script beside the page hands the file over.
const script = join(work, 'profile.js');
const content = readFileSync(file).toString('base64');
writeFileSync(script, `speedscope.loadFileFromBase64(${JSON.stringify(basename(file))}, "${content}")`);
const page_file = join(dirname(require.resolve('speedscope/package.json')), 'dist/release/index.html');

const context = await chromium.launchPersistentContext(join(work, 'chromium'), {
  executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu', '--allow-file-access-from-files'],
});
try {
  const page = await context.newPage();
  await page.goto(`${pathToFileURL(page_file).href}#localProfilePath=${script}`);
  await page.getByText('Sandwich').click({ timeout: 60_000 });
  await page.getByText('Symbol Name').waitFor({ timeout: 60_000 });
  console.log(await page.evaluate(() => document.body.innerText));
} finally {
  await context.close();
}
