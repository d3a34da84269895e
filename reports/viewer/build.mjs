// Bundles the viewer into one page: node build.mjs MODULES OUT
//
// MODULES is the folder whose node_modules npm has filled. The page carries its script and style
// in itself, allows only these two by their hashes, and has one marker left, where the report goes.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [modules, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const esbuild = createRequire(join(modules, 'package.json'))('esbuild');

const bundle = await esbuild.build({
  entryPoints: [join(here, 'src/main.js')],
  nodePaths: [join(modules, 'node_modules')],
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'ascii',
  write: false,
  metafile: true,
  logLevel: 'warning',
});
const style = await esbuild.build({
  entryPoints: [join(here, 'src/style.css')], minify: true, write: false, logLevel: 'warning',
});

// The licences of what is inside ask to be kept with it.
const packages = new Set();
for (const input of Object.keys(bundle.metafile.inputs)) {
  const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
  if (name !== undefined) packages.add(name);
}
const licences = [...packages].sort().map((name) => {
  const folder = join(modules, 'node_modules', name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name} ${version}\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`;
});

const script = `/*! Contains:\n\n${licences.join('\n').replaceAll('*/', '* /')}*/\n${bundle.outputFiles[0].text.trim()}`;
const css = style.outputFiles[0].text.trim();
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(css)) {
  throw new Error('the bundle would end its own element');
}
const hash = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const parts = {
  '@SCRIPT_HASH@': hash(script), '@STYLE_HASH@': hash(css), '@STYLE@': css, '@SCRIPT@': script,
};
const template = readFileSync(join(here, 'src/page.html'), 'utf8');
const page = template.replaceAll(/@(?:SCRIPT|STYLE)(?:_HASH)?@/g, (marker) => parts[marker]);
if (page.split('@COPSE_REPORT@').length !== 2) throw new Error('the page needs one place for the report');
writeFileSync(out, page);
