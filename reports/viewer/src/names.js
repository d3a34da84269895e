// Forms of a method's name: pkg.Outer$Inner.method, with (parameters) where the class has several of the name.

const withoutParameters = (name) => {
  const parameters = name.indexOf('(', 1);
  return parameters < 0 ? name : name.slice(0, parameters);
};

// Outer$Inner.method
export function shortName(name) {
  const plain = withoutParameters(name);
  const method = plain.lastIndexOf('.');
  return plain.slice(plain.lastIndexOf('.', method - 1) + 1);
}

export const methodName = (name) => withoutParameters(name).replace(/^.*\./, '');

// All forms with a class in which it may be typed, and itself.
export function wholeNames(name) {
  const plain = withoutParameters(name);
  const names = [];
  for (const full of plain === name ? [plain] : [plain, name]) {
    names.push(full);
    // Without package, and without the class around it.
    for (const mark of ['.', '$']) {
      const before = plain.lastIndexOf(mark, plain.lastIndexOf('.') - 1);
      if (before >= 0) names.push(full.slice(before + 1));
    }
  }
  return names;
}
