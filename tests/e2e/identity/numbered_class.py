"""Stable names of numbered classes, made of class files as docs/report-schema.md says, independently of Copse."""

import struct

import stable_ids

FIXED = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
# Bytes of operands, of instructions that have some and no constant, branch or switch.
OPERANDS = {16: 1, 17: 2, 21: 1, 22: 1, 23: 1, 24: 1, 25: 1, 54: 1, 55: 1, 56: 1, 57: 1, 58: 1, 132: 2, 169: 1, 188: 1}
BRANCHES = {op: 2 for op in [*range(153, 169), 198, 199]} | {200: 4, 201: 4}
CONSTANTS = {18: 1, 19: 2, 20: 2, 187: 2, 189: 2, 192: 2, 193: 2, 197: 3, 185: 4, 186: 4} | {op: 2 for op in range(178, 185)}


class ClassFile:
    def __init__(self, data, loader=""):
        self.data, self.at = data, 8
        self.of_groovy = loader.startswith("groovy.lang.GroovyClassLoader")
        self.bootstraps, self.enclosing = [], None
        self.read_pool()
        self.take(2)
        self.name = self.class_name(self.u2()).replace("/", ".")
        self.types = ["extends " + self.class_text(self.u2())]
        self.types += ["implements " + self.class_text(self.u2()) for _ in range(self.u2())]
        self.members()
        self.methods = sorted(self.members())
        for name, body in self.attributes():
            if name == "EnclosingMethod":
                index = struct.unpack(">H", body[2:4])[0]
                method = ("", "") if index == 0 else self.name_and_type(index)
                self.enclosing = (stable_ids.normal_method(method[0]), stable_ids.normal_descriptor(method[1]))
            elif name == "BootstrapMethods":
                numbers = list(struct.unpack(f">{len(body) // 2}H", body))
                count = numbers.pop(0)
                for _ in range(count):
                    self.bootstraps.append([numbers.pop(0)] + [numbers.pop(0) for _ in range(numbers.pop(0))])

    def take(self, count):
        self.at += count
        return self.data[self.at - count:self.at]

    def u2(self):
        return struct.unpack(">H", self.take(2))[0]

    def u4(self):
        return struct.unpack(">I", self.take(4))[0]

    def read_pool(self):
        count, index, self.pool = self.u2(), 1, {}
        while index < count:
            tag = self.take(1)[0]
            self.pool[index] = (tag, self.take(self.u2() if tag == 1 else FIXED[tag]))
            index += 2 if tag in (5, 6) else 1

    def utf8(self, index):
        return self.pool[index][1].decode("utf-8", "surrogateescape")

    def class_name(self, index):
        return "" if index == 0 else self.utf8(struct.unpack(">H", self.pool[index][1])[0])

    def attributes(self):
        return [(self.utf8(self.u2()), self.take(self.u4())) for _ in range(self.u2())]

    def members(self):
        found = []
        for _ in range(self.u2()):
            self.take(2)
            name, descriptor = self.utf8(self.u2()), self.utf8(self.u2())
            found.append((name, descriptor, dict(self.attributes()).get("Code")))
        return found

    def class_text(self, index):
        name = self.class_name(index)
        if name.startswith("["):
            return stable_ids.normal_descriptor(name)
        return stable_ids.numberless_class(name.replace("/", "."), self.of_groovy) if name else ""

    def name_and_type(self, index):
        name, descriptor = struct.unpack(">HH", self.pool[index][1])
        return self.utf8(name), self.utf8(descriptor)

    def member_text(self, index):
        name, descriptor = self.name_and_type(index)
        return stable_ids.normal_method(name) + " " + stable_ids.normal_descriptor(descriptor)

    def constant(self, index):
        tag, body = self.pool[index]
        if tag == 7:
            return "class " + self.class_text(index)
        if tag == 8:
            return "string " + self.utf8(struct.unpack(">H", body)[0])
        if tag in (3, 4, 5, 6):
            return "number " + body.hex()
        if tag in (9, 10, 11):
            owner, named = struct.unpack(">HH", body)
            return f"member {self.class_text(owner)}.{self.member_text(named)}"
        if tag == 16:
            return "type " + stable_ids.normal_descriptor(self.utf8(struct.unpack(">H", body)[0]))
        if tag == 15:
            return f"handle {body[0]} " + self.constant(struct.unpack(">H", body[1:])[0])
        bootstrap, named = struct.unpack(">HH", body)
        return ";".join(["dynamic " + self.member_text(named)] + [self.constant(part) for part in self.bootstraps[bootstrap]])

    def instructions(self, attribute):
        code, at, lines = attribute[8:8 + struct.unpack(">I", attribute[4:8])[0]], 0, []
        while at < len(code):
            op, start = code[at], at
            at += 1
            if op == 196:  # wide
                at += 5 if code[at] == 132 else 3
                lines.append(f"{op} {code[start + 1:at].hex()}")
            elif op in (170, 171):
                at += -at % 4
                numbers = struct.unpack(">3i", code[at:at + 12]) if op == 170 else struct.unpack(">2i", code[at:at + 8])
                at += 12 + 4 * (numbers[2] - numbers[1] + 1) if op == 170 else 8 + 8 * numbers[1]
                lines.append(str(op))
            elif op in BRANCHES:
                at += BRANCHES[op]
                lines.append(str(op))
            elif op in CONSTANTS:
                at += CONSTANTS[op]
                index = code[start + 1] if op == 18 else struct.unpack(">H", code[start + 1:start + 3])[0]
                dimensions = " " + code[start + 3:at].hex() if op == 197 else ""
                lines.append(f"{18 if op == 19 else op} {self.constant(index)}{dimensions}")
            elif op in OPERANDS:
                at += OPERANDS[op]
                lines.append(f"{op} {code[start + 1:at].hex()}")
            else:
                lines.append(str(op))
        return lines

    def stable_name(self):
        """"" of a class that is not numbered."""
        numberless = stable_ids.numberless_class(self.name, self.of_groovy)
        if numberless == stable_ids.normal_class(self.name):
            return ""
        last = self.name[self.name.rfind("$") + 1:]
        is_local = last[:1].isdigit() and last.lstrip("0123456789") != ""
        if is_local and self.enclosing is not None:
            lines = ["in " + self.enclosing[1]]
        else:
            lines = list(self.types)
            for name, descriptor, code in self.methods:
                lines.append(f"method {stable_ids.normal_method(name)} {stable_ids.normal_descriptor(descriptor)}")
                lines += self.instructions(code) if code else []
        value = 0xcbf29ce484222325
        for byte in "".join(line + "\n" for line in lines).encode("utf-8", "surrogateescape"):
            value = (value ^ byte) * 0x100000001b3 % (1 << 64)
        enclosing = self.enclosing[0] if self.enclosing else ""
        return f"{numberless}~{enclosing}~{f'{value:016x}'[:12]}"
