// Looks at each view of reports with everything in them; COPSE_SCREENS=FOLDER keeps the pictures.
import { test } from 'node:test';
import { withPage } from './harness.mjs';
import { rich } from './layout_tests.mjs';
import { queries } from './samples.mjs';
import { look } from './screens.mjs';

for (const [name, report] of [
  ['report', rich()],
  ['comparison', queries()],
]) {
  for (const scheme of ['light', 'dark']) {
    test(`can be seen: a ${name}, ${scheme}, at every size`, () =>
      withPage(`screens-${name}`, report, (page) => look(page, name, scheme, process.env.COPSE_SCREENS ?? null)));
  }
}
