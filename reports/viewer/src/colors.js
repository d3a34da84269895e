// A colour per package, shaded per class: neighbours of one library look alike, and a method keeps
// its colour wherever it appears.
const HUES = [4, 18, 32, 46, 60, 92, 150, 176];  // neither the platform's blue nor the search's purple
const PLATFORM = /^(java|javax|jdk|sun|com\.sun)\./;

function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; ++i) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return (h ^ (h >>> 15)) >>> 0;
}

// Package names share their beginning, so the first three parts decide.
function packageOf(className) {
  const parts = className.split('.');
  return parts.slice(0, Math.min(3, parts.length - 1)).join('.');
}

export function methodColors(report, dark) {
  const classes = report.methods.class;
  return classes.map((className) => {
    // No method: a thread, an event, a state.
    if (className === '') return dark ? 'hsl(220 8% 34%)' : 'hsl(220 13% 83%)';
    const shade = hash(className) % 8;
    const platform = PLATFORM.test(className);
    const hue = platform ? 212 : HUES[hash(packageOf(className)) % HUES.length];
    const saturation = platform ? 22 : dark ? 36 : 64;
    const lightness = dark ? 29 + shade * 1.2 : 73 + shade * 1.3;
    return `hsl(${hue} ${saturation}% ${lightness}%)`;
  });
}
