// Colour scales whose steps look equally far apart, also without red or green: lightness alone tells the
// order. Stops are in OKLCH (lightness, chroma, hue), what lies between them in OKLab, and a label on them is black or white, whichever
// reads better.

const STEPS = 64;

function toLab([lightness, chroma, degrees]) {
  const hue = (degrees * Math.PI) / 180;
  return [lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)];
}

// https://www.w3.org/TR/css-color-4/#color-conversion-code, to linear sRGB.
function toLinear([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((part) => Math.min(1, Math.max(0, part)));
}

const gamma = (part) => Math.round(255 * (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055));

// WCAG's relative luminance.
const luminance = ([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

// Through colours of equal distance: steps of {fill, ink}.
function ramp(colors) {
  const stops = colors.map(toLab);
  return Array.from({ length: STEPS }, (_, i) => {
    const place = (i / (STEPS - 1)) * (stops.length - 1);
    const from = Math.min(Math.floor(place), stops.length - 2);
    const color = toLinear(stops[from].map((part, k) => part + (place - from) * (stops[from + 1][k] - part)));
    return { fill: `rgb(${color.map(gamma).join(', ')})`, ink: luminance(color) > 0.18 ? '#000' : '#fff' };
  });
}

// From little to much, away from the background: yellow, orange, deep red; and on a dark page the other way.
const SEQUENTIAL = {
  light: ramp([[0.96, 0.05, 100], [0.84, 0.13, 80], [0.66, 0.16, 50], [0.48, 0.16, 28], [0.3, 0.1, 15]]),
  dark: ramp([[0.33, 0.06, -50], [0.45, 0.13, -5], [0.6, 0.17, 35], [0.78, 0.15, 70], [0.95, 0.1, 100]]),
};

// From less than even to more: blue, grey, orange, the darker (on a dark page the lighter) the farther.
const DIVERGING = {
  light: ramp([[0.42, 0.13, 255], [0.7, 0.09, 250], [0.93, 0.005, 90], [0.75, 0.13, 65], [0.48, 0.13, 45]]),
  dark: ramp([[0.82, 0.1, 240], [0.57, 0.1, 250], [0.36, 0.005, 90], [0.6, 0.12, 60], [0.86, 0.13, 75]]),
};

// Away from equal: blue for less and red for more, from a tint that is no grey on. Who cannot tell red from green can tell
// these.
const CHANGES = {
  light: {
    less: ramp([[0.88, 0.06, 245], [0.7, 0.12, 250], [0.42, 0.16, 260]]),
    more: ramp([[0.88, 0.06, 30], [0.7, 0.15, 28], [0.46, 0.18, 27]]),
  },
  dark: {
    less: ramp([[0.42, 0.07, 255], [0.6, 0.13, 250], [0.86, 0.09, 235]]),
    more: ramp([[0.42, 0.08, 22], [0.6, 0.17, 26], [0.86, 0.1, 40]]),
  },
};

export const changes = (dark) => (dark ? CHANGES.dark : CHANGES.light);
export const sequential = (dark) => (dark ? SEQUENTIAL.dark : SEQUENTIAL.light);
export const diverging = (dark) => (dark ? DIVERGING.dark : DIVERGING.light);
