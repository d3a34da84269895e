# What a small Python program does: classes, closures, generators, strings, exceptions, sorting.
class Shape(object):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side


class Cube(Shape):
    def area(self):
        return 6 * Shape.area(self)


def queens(n, row=0, columns=(), up=(), down=()):
    if row == n:
        return 1
    return sum(queens(n, row + 1, columns + (c,), up + (row + c,), down + (row - c,))
               for c in range(n) if c not in columns and row + c not in up and row - c not in down)


def words(seed, count):
    for i in range(count):
        seed = (seed * 1103515245 + 12345) % 2147483648
        yield "w%d" % (seed % 97)


def risky(n):
    if n % 7 == 0:
        raise ValueError(n)
    return n


def adder(k):
    return lambda x: x + k


counts = {}
for w in words(42, 6000):
    counts[w] = counts.get(w, 0) + 1
total = 0
for i in range(4000):
    try:
        total += risky(i)
    except ValueError:
        total -= 1
    finally:
        total += 2
shapes = [Cube(i) if i % 2 else Shape(i) for i in range(3000)]
functions = [adder(k) for k in range(50)]
print(queens(7), total, sum(s.area() for s in shapes))
print(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:9])
print(reduce(lambda x, f: f(x) % 1009, functions * 60, 1), "-".join(map(str, range(40))).upper()[::-3])
