"""A system with nothing but Debian's essential packages and a JRE, made of this system's packages, for tests of an
installation. Needs root; a test without it is skipped."""

import os
import pathlib
import re
import shutil
import subprocess

import jvm

FIELDS = ["Package", "Architecture", "Essential", "Pre-Depends", "Depends", "Provides"]


def installed():
    """{name: {field: value}} of the packages of this system; provided names, too."""
    format_ = "\t".join("${%s}" % field for field in FIELDS) + "\n"
    lines = subprocess.run(["dpkg-query", "-W", "-f", format_], capture_output=True, text=True, check=True).stdout
    packages, provided = {}, {}
    for line in lines.splitlines():
        package = dict(zip(FIELDS, line.split("\t")))
        packages[package["Package"]] = package
        for name in re.findall(r"[\w.+-]+", re.sub(r"\(.*?\)", "", package["Provides"])):
            provided.setdefault(name, package)
    return {**provided, **packages}


def with_dependencies(names):
    """Names of these packages and of all that they need."""
    known, wanted, waiting = installed(), {}, list(names)
    waiting += [package["Package"] for package in known.values() if package["Essential"] == "yes"]
    while waiting:
        package = known.get(waiting.pop())
        if package is None or package["Package"] in wanted:
            continue
        wanted[package["Package"]] = package
        for need in f"{package['Pre-Depends']},{package['Depends']}".split(","):
            choices = [re.sub(r"[:(\s].*", "", choice.strip()) for choice in need.split("|")]
            waiting += [choice for choice in choices if choice in known][:1]
    return sorted(wanted)


def jre():
    """The java of this system's default JDK, and the package it is in."""
    java = os.path.realpath(shutil.which("java") or "/nonexistent")
    owner = subprocess.run(["dpkg", "-S", java], capture_output=True, text=True, check=False).stdout
    return java, owner.split(":")[0]


class FreshRoot:
    def __init__(self, folder, packages):
        self.folder = pathlib.Path(folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in ("usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "usr/local/bin", "proc", "dev", "tmp", "root",
                     "etc", "var/log", "var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers"):
            (self.folder / name).mkdir(parents=True)
        for name in ("bin", "sbin", "lib", "lib64"):
            (self.folder / name).symlink_to(f"usr/{name}")
        names = with_dependencies(packages)
        files = subprocess.run(["dpkg-query", "-L", *names], capture_output=True, text=True, check=True).stdout
        wanted = sorted({name[1:] for name in files.splitlines()
                         if name.startswith("/") and not name.startswith("/usr/share/doc/")
                         and os.path.lexists(name) and not os.path.isdir(name)})
        packed = subprocess.Popen(["tar", "-C", "/", "-c", "--no-recursion", "-T", "-"], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE)
        unpacked = subprocess.Popen(["tar", "-C", self.folder, "-x", "--keep-directory-symlink"], stdin=packed.stdout)
        packed.stdin.write("\n".join(wanted).encode())
        packed.stdin.close()
        packed.stdout.close()
        if packed.wait() or unpacked.wait():
            raise OSError(f"{folder}: not filled")
        for name in ("etc/passwd", "etc/group"):
            shutil.copy("/" + name, self.folder / name)
        self.fill_database(names)
        self.run("ldconfig")

    def fill_database(self, names):
        status = subprocess.run(["dpkg-query", "-s", *names], capture_output=True, text=True, check=True).stdout
        database = self.folder / "var/lib/dpkg"
        (database / "status").write_text(status)
        for name in names:
            for info in pathlib.Path("/var/lib/dpkg/info").glob(f"{name}[.:]*list"):
                shutil.copy(info, database / "info")

    def run(self, script, **more):
        """Runs a script of the shell in there, without any network or display."""
        enter = ("mount -t proc proc $0/proc && mount --bind /dev $0/dev && mount -t tmpfs tmpfs $0/dev/shm && "
                 "exec chroot $0 /bin/sh -c \"$1\"")
        environment = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                       "DEBIAN_FRONTEND": "noninteractive"}
        return subprocess.run(["unshare", "-mn", "sh", "-c", enter, self.folder, script], capture_output=True,
                              text=True, env=environment, timeout=jvm.TIMEOUT_S, check=False, **more)

    def files(self):
        """{path: size} of all that is there, but for what dpkg and the linker keep of their own."""
        found = {}
        for folder, _, names in os.walk(self.folder):
            relative = os.path.relpath(folder, self.folder)
            if relative.startswith(("proc", "dev", "var/lib/dpkg", "var/log", "tmp", "var/cache/ldconfig")):
                continue
            found[relative] = 0
            found.update({os.path.join(relative, name): os.lstat(os.path.join(folder, name)).st_size for name in names})
        found.pop("etc/ld.so.cache", None)
        return found
