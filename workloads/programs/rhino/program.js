// Random expressions: grown, printed, parsed again, derived twice, simplified and evaluated.
var state = seed;
function random(n) {
  state = (state * 69069 + 12345) % 4294967296;
  return Math.floor(state / 65536) % n;
}

function grow(depth) {
  if (depth === 0 || random(8) === 0) {
    return random(3) === 0 ? { kind: 'x' } : { kind: 'number', value: random(100) };
  }
  var kind = ['+', '-', '*', 'minus'][random(4)];
  return kind === 'minus' ? { kind: kind, left: grow(depth - 1) }
                          : { kind: kind, left: grow(depth - 1), right: grow(depth - 1) };
}

function print(tree) {
  switch (tree.kind) {
    case 'x': return 'x';
    case 'number': return String(tree.value);
    case 'minus': return '(-' + print(tree.left) + ')';
    default: return '(' + print(tree.left) + tree.kind + print(tree.right) + ')';
  }
}

function Parser(text) {
  this.text = text;
  this.at = 0;
}
Parser.prototype = {
  next: function () { return this.text.charAt(this.at); },
  sum: function () {
    var left = this.product();
    while (this.next() === '+' || this.next() === '-') {
      left = { kind: this.text.charAt(this.at++), left: left, right: this.product() };
    }
    return left;
  },
  product: function () {
    var left = this.factor();
    while (this.next() === '*') {
      this.at++;
      left = { kind: '*', left: left, right: this.factor() };
    }
    return left;
  },
  factor: function () {
    if (this.next() === '(') {
      this.at++;
      var inner = this.sum();
      this.at++;
      return inner;
    }
    if (this.next() === '-') {
      this.at++;
      return { kind: 'minus', left: this.factor() };
    }
    if (this.next() === 'x') {
      this.at++;
      return { kind: 'x' };
    }
    var digits = /^\d+/.exec(this.text.substr(this.at, 4))[0];
    this.at += digits.length;
    return { kind: 'number', value: Number(digits) };
  }
};

function derived(tree) {
  switch (tree.kind) {
    case 'x': return { kind: 'number', value: 1 };
    case 'number': return { kind: 'number', value: 0 };
    case 'minus': return { kind: 'minus', left: derived(tree.left) };
    case '*':
      return {
        kind: '+',
        left: { kind: '*', left: derived(tree.left), right: tree.right },
        right: { kind: '*', left: tree.left, right: derived(tree.right) }
      };
    default: return { kind: tree.kind, left: derived(tree.left), right: derived(tree.right) };
  }
}

function isNumber(tree, value) { return tree.kind === 'number' && tree.value === value; }
function simplified(tree) {
  if (!tree.left) return tree;
  var left = simplified(tree.left);
  if (tree.kind === 'minus') return isNumber(left, 0) ? left : { kind: 'minus', left: left };
  var right = simplified(tree.right);
  if (tree.kind === '*') {
    if (isNumber(left, 0) || isNumber(right, 1)) return left;
    if (isNumber(right, 0) || isNumber(left, 1)) return right;
  } else if (isNumber(right, 0)) {
    return left;
  }
  return { kind: tree.kind, left: left, right: right };
}

function value(tree, x) {
  switch (tree.kind) {
    case 'x': return x;
    case 'number': return tree.value;
    case 'minus': return -value(tree.left, x);
    case '+': return (value(tree.left, x) + value(tree.right, x)) % 1000003;
    case '-': return (value(tree.left, x) - value(tree.right, x)) % 1000003;
    default: return (value(tree.left, x) * value(tree.right, x)) % 1000003;
  }
}

var total = 0;
for (var round = 0; round < 12; ++round) {
  var text = print(grow(12));
  var tree = new Parser(text).sum();
  total += text.length + value(tree, 3) + value(simplified(derived(derived(tree))), 5);
}
total;
