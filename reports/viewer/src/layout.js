// Which frames to draw, and where, for one zoom position.
//
// Level by level, only frames at least half a pixel wide are made, up to a budget of frames and
// levels; a frame whose children fell to the budget is marked `cut`, and thinner children are one
// frame together, an item with `rest`, their number. So the work depends on the screen, not on the
// size of the report, and a chain of 50,000 calls is shown a window at a time.
import { hierarchy, partition } from 'd3-hierarchy';

const LEAST_PIXELS = 0.5;
const MOST_FRAMES = 40_000;
const MOST_LEVELS = 400;

export function layOut(direction, item, width) {
  const least = (item.value * LEAST_PIXELS) / width;
  const top = { item, children: null, cut: false };
  let level = [top];
  let frames = 1;
  let cut = 0;
  for (let depth = 0; level.length > 0; ++depth) {
    const below = [];
    const full = depth + 1 >= MOST_LEVELS || frames >= MOST_FRAMES;
    for (const frame of level) {
      if (frame.item.rest !== undefined) continue;
      const { items, hidden, hiddenValue } = direction.children(frame.item, least);
      if (hiddenValue >= least) items.push({ method: -1, value: hiddenValue, rest: hidden });
      if (items.length === 0) continue;
      if (full) {
        frame.cut = true;
        ++cut;
        continue;
      }
      frame.children = items.map((child) => ({ item: child, children: null, cut: false }));
      for (const child of frame.children) below.push(child);
    }
    frames += below.length;
    level = below;
  }

  const root = hierarchy(top, (frame) => frame.children);
  root.each((node) => {
    node.value = node.data.item.value;
  });
  partition()(root);  // x0..x1 within 0..1
  const levels = [];
  root.each((node) => {
    (levels[node.depth] ??= []).push(node);
  });
  return { levels, frames, cut };
}

// The node at a place of a level, or null. Levels are ordered by x.
export function nodeAt(layout, depth, x) {
  const level = layout.levels[depth];
  if (level === undefined) return null;
  let low = 0;
  let high = level.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (level[middle].x1 <= x) low = middle + 1;
    else high = middle;
  }
  return low < level.length && level[low].x0 <= x ? level[low] : null;
}
