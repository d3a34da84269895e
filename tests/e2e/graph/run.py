#!/usr/bin/env python3
"""copse graph against what really happens: every edge of a run that class files can tell is in the graph,
and encoders that are given it are exact."""

import json
import os
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
import compare_trees  # noqa: E402
import driver  # noqa: E402
from driver import ARGS  # noqa: E402

# Callees of calls that no class file tells.
FROM_OUTSIDE = {"compare", "lambda$main$0", "<clinit>"}


def method_names(methods):
    return [f"{c}.{n}{d}" for c, n, d in zip(methods["class"], methods["name"], methods["descriptor"])]


def edges_of_run(report):
    names, nodes, sites = method_names(report["methods"]), report["nodes"], report["sites"]
    edges = set()
    for row in range(1, len(nodes["parent"])):
        caller, site = nodes["method"][nodes["parent"][row]], nodes["site"][row]
        edges.add(("ROOT" if caller < 0 else names[caller], sites["bci"][site] if site >= 0 else -1,
                   names[nodes["method"][row]]))
    return edges


def edges_of_graph(graph):
    names, edges = method_names(graph["methods"]), graph["edges"]
    return {("ROOT" if caller < 0 else names[caller], graph["sites"]["bci"][site] if site >= 0 else -1, names[callee])
            for caller, site, callee in zip(edges["caller"], edges["site"], edges["callee"])}


class Graph(driver.CommandLineTest):
    maxDiff = None

    def make_graph(self, class_path, name="calls.graph"):
        self.done("graph", class_path, "-o", name)
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def run_program(self, home, name, *options):
        done = self.done("ids" if "--encoder" in options else "run", "-q", *options, "-o", name, "--", *driver.java_command("Shapes", home=home))
        self.assertEqual(done.stdout, "shapes 30 5\n")
        return self.load(name)

    def test_has_every_edge_of_a_run_that_classes_tell(self):
        graph = edges_of_graph(self.make_graph(ARGS.classes))
        for home in ARGS.homes:
            with self.subTest(home=home):
                missing = edges_of_run(self.run_program(home, "run.json", "--measure", "calls")) - graph
                self.assertEqual({edge[2].split("(")[0].split(".")[-1] for edge in missing}, FROM_OUTSIDE)

    def test_has_no_edge_that_no_receiver_can_take(self):
        names = {(caller, callee) for caller, _, callee in edges_of_graph(self.make_graph(ARGS.classes))}
        self.assertIn(("Shapes.main([Ljava/lang/String;)V", "Shapes$Unused.area()I"), names)
        self.assertNotIn(("Shapes$Square.twice()I", "Shapes$Circle.area()I"), names)
        self.assertNotIn(("Shapes$Circle.area()I", "Shapes$Unused.unused()I"), names)

    def test_of_a_jar_is_that_of_its_classes(self):
        jar = self.path("shapes.jar")
        subprocess.run([driver.tool("jar"), "--create", "--file", jar, "-C", ARGS.classes, "."], check=True)
        self.assertEqual(self.make_graph(jar, "jar.graph"), self.make_graph(ARGS.classes))
        self.assertEqual(self.make_graph(f"{jar}:{ARGS.classes}", "both.graph"), self.make_graph(ARGS.classes))

    def test_makes_encoders_exact(self):
        self.make_graph(ARGS.classes)
        for home in ARGS.homes:
            self.run_program(home, "calls.json", "--measure", "calls")
            for encoder in ("pcce", "deltapath", "rcce"):
                with self.subTest(home=home, encoder=encoder):
                    self.run_program(home, "ids.json", "--encoder", encoder, "--graph", self.path("calls.graph"), "--mark", "**")
                    calls, ids = (self.load(name) for name in ("calls.json", "ids.json"))
                    self.assertTrue(compare_trees.compare(calls, ids))

    def test_says_what_is_wrong_in_one_line(self):
        for class_path in (self.path("none.jar"), ARGS.copse, driver.HERE):
            self.assert_one_line(self.copse("graph", class_path, "-o", "wrong.graph"), 1, class_path, stdout="")
            self.assertFalse(os.path.exists(self.path("wrong.graph")))
        self.assert_one_line(self.copse("graph", ARGS.classes, "-o", "/nowhere/calls.graph"), 1, "/nowhere/calls.graph")


driver.main("copse", sources=["Shapes.java"])
