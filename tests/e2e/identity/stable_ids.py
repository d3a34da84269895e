"""Stable ids of a report, computed as docs/report-schema.md says, independently of Copse."""

import hashlib
import re

CLASS_RULES = [(r"(?:/[0-9]+|[/.+]0x[0-9a-f]+)+\Z", ""),
               (r"\$\$Lambda\$[0-9]+\Z", r"$$Lambda"),
               (r"\A(?:com\.sun\.proxy|jdk\.proxy[0-9]+)\.\$Proxy[0-9]+\Z", r"jdk.proxy*.$Proxy*"),
               (r"(\A|\.)\$Proxy[0-9]+\Z", r"\1$Proxy*"),
               (r"(\.Generated(?:Method|Constructor|SerializationConstructor)Accessor)[0-9]+\Z", r"\1*"),
               (r"(CGLIB\$\$)[0-9a-f_]+", r"\1*"),
               (r"(\$ByteBuddy\$)[0-9A-Za-z]+", r"\1*"),
               (r"(\$HibernateProxy\$)[0-9A-Za-z]+", r"\1*"),
               (r"(\$MockitoMock\$)[0-9A-Za-z]+", r"\1*"),
               (r"(\$auxiliary\$)[0-9A-Za-z]+", r"\1*"),
               (r"(_\$\$_jvst)[0-9a-f_]+", r"\1*"),
               (r"(_\$\$_javassist_)[0-9a-f_]+", r"\1*")]
NUMBER_RULES = [(r"\$[0-9]+", "$*"),
                (r"(_closure|_lambda|__|\$eval|\$line|\._pyx|\.GregorSamsa)[0-9]+", r"\1*"),
                (r"\A(org\.mozilla\.javascript\.gen\..*_)[0-9]+\Z", r"\1*")]
INITIALISER_RULE = (r"\$[0-9]+\Z", "$*")
METHOD_RULES = [(r"\A(lambda\$(?:.*\$)?)[0-9]+\Z", r"\1*"),
                (r"\Aaccess\$[0-9]+\Z", r"access$*"),
                (r"\A(CGLIB\$.+\$)[0-9]+\Z", r"\1*"),
                (r"\A(RUBY\$(?:.*\$)?)[0-9]+\Z", r"\1*"),
                (r"\A([A-Za-z]+)[0-9]+:", r"\1*:"),
                (r"(\$lambda\$)[0-9]+", r"\1*"),
                (r"(\$lambda-)[0-9]+", r"\1*"),
                (r"(\$(?:accessor|original)\$)[0-9A-Za-z]+\Z", r"\1*")]


def replaced(text, rules):
    for pattern, by in rules:
        text = re.sub(pattern, by, text, flags=re.DOTALL)
    return text


def normal_class(name, method=""):
    return replaced(name, CLASS_RULES + ([INITIALISER_RULE] if method == "<clinit>" else []))


def numberless_class(name, of_groovy=False):
    return replaced(normal_class(name), NUMBER_RULES + ([(r"Script[0-9]+", "Script*")] if of_groovy else []))


def key_class(name, method, stable):
    if not stable:
        return normal_class(name, method)
    numberless = stable.split("~")[0]
    return numberless if method == "<clinit>" and numberless.endswith("$*") else stable


def normal_method(name):
    name = replaced(name, METHOD_RULES[:-1])
    if name.startswith("$anonfun$"):
        name = re.sub(r"\$[0-9]+", "$*", name)
    return replaced(name, METHOD_RULES[-1:])


def normal_descriptor(text):
    return re.sub(r"L([^;]*);", lambda found: "L" + numberless_class(found[1].replace("/", ".")).replace(".", "/") + ";",
                  text)


def digest(data):
    return hashlib.sha256(data).digest()[:16]


def ids_of(report, sites="bci", names="normalised"):
    methods, site_rows, nodes = report["methods"], report["sites"], report["nodes"]

    stable = methods.get("stable_class") or [""] * len(methods["name"])

    def method_id(row):
        words = [methods[column][row] for column in ("class", "name", "descriptor")]
        if names == "normalised":
            words = [key_class(words[0], words[1], stable[row]), normal_method(words[1]), normal_descriptor(words[2])]
        return digest(b"\xff".join(word.encode() for word in words))

    def site_bytes(row):
        if row < 0 or sites == "none":
            return bytes(5)
        bci, line = site_rows["bci"][row], site_rows["line"][row]
        if bci < 0 and line < 0:
            return b"\1" + bytes(4)
        by_line = line >= 0 and (sites == "line" or bci < 0)
        return (b"\3" if by_line else b"\2") + (line if by_line else bci).to_bytes(4, "little")

    of_method = [method_id(row) for row in range(len(methods["name"]))]
    ids = [digest(f"copse.context/1 sites={sites} names={names}".encode())]
    for parent, method, site in list(zip(nodes["parent"], nodes["method"], nodes["site"]))[1:]:
        ids.append(digest(ids[parent] + of_method[method] + site_bytes(site)))
    return [one.hex() for one in ids]
