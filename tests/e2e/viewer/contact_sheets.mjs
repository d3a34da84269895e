// Joins the pictures of the server's report that server_test.mjs keeps, to one for each width and colour scheme, as in the folder
// screens: node contact_sheets.mjs MODULES CHROMIUM PICTURES FOLDER
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser } from './browser.mjs';

const [modules, chromium, pictures, folder] = process.argv.slice(2);
const QUALITY = 0.2;
const SHEET = 3630; // pixels
const MOST_AS_IT_IS = 600; // pixels of width; wider pictures are made half as large

const sheets = new Map();
for (const file of readdirSync(pictures).sort()) {
  const [, view, name] = /^server-(.+)-(\d+-\w+)\.png$/.exec(file) ?? [];
  if (name === undefined) continue;
  if (!sheets.has(name)) sheets.set(name, []);
  sheets.get(name).push({ view, data: `data:image/png;base64,${readFileSync(join(pictures, file), 'base64')}` });
}

// Runs in the browser.
async function joined({ shots, quality, sheet, mostAsItIs }) {
  const title = 18;
  const gap = 6;
  const images = await Promise.all(
    shots.map(async ({ data }) => {
      const image = new Image();
      image.src = data;
      await image.decode();
      return image;
    }),
  );
  const scale = images[0].width > mostAsItIs ? 0.5 : 1;
  const [width, height] = [images[0].width * scale, images[0].height * scale];
  const across = Math.floor(sheet / (width + gap));
  const canvas = document.createElement('canvas');
  canvas.width = across * (width + gap);
  canvas.height = Math.ceil(images.length / across) * (height + title + gap);
  const context = canvas.getContext('2d');
  context.fillStyle = '#777';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#fff';
  context.font = '13px sans-serif';
  context.imageSmoothingQuality = 'high';
  images.forEach((image, i) => {
    const [x, y] = [(i % across) * (width + gap), Math.floor(i / across) * (height + title + gap)];
    context.fillText(shots[i].view, x + 4, y + 13);
    context.drawImage(image, x, y + title, width, height);
  });
  return canvas.toDataURL('image/webp', quality).split(',')[1];
}

mkdirSync(folder, { recursive: true });
const browser = await Browser.start(modules, chromium);
try {
  const page = await browser.context.newPage();
  for (const [name, shots] of sheets) {
    const data = await page.evaluate(joined, { shots, quality: QUALITY, sheet: SHEET, mostAsItIs: MOST_AS_IT_IS });
    writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
  }
} finally {
  await browser.stop();
}
