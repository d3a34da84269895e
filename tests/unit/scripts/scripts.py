"""Loads a script of the repository as a module, without its main()."""

import importlib.machinery
import importlib.util
import os
import sys

FOLDER = os.path.realpath(os.path.join(os.path.dirname(__file__), "../../../scripts"))


def load(name):
    sys.dont_write_bytecode = True
    if FOLDER not in sys.path:
        sys.path.insert(1, FOLDER)  # for what it imports
    loader = importlib.machinery.SourceFileLoader(name.removesuffix(".py"), os.path.join(FOLDER, name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module
