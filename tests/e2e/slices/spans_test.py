#!/usr/bin/env python3
"""Slices have the span of a trace that OpenTelemetry's Span.current() has: a stand-in of its classes, and the API itself."""

import glob
import os
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

# "SLICE trace span", with "-" for none. Every third slice has no span, for which the stand-in throws; some have ids that are
# none. Last, how often the stand-in was asked.
TRACED = """
import io.opentelemetry.api.trace.*;

public class Traced {
    static int sink;

    static void handle(int i) { for (int k = 0; k < i % 7; k++) step(k); }
    static void step(int k) { sink += k; }

    record Plain(String trace, String span) implements Span, SpanContext {
        public SpanContext getSpanContext() { if (span == null) throw new Error("context"); return this; }
        public String getTraceId() { return trace; }
        public String getSpanId() { return span; }
    }

    static Span span(int i) {
        String trace = String.format("%032x", i + 1), span = String.format("%016x", 1000 + i);
        switch (i % 6) {
            case 0: case 3: return null;
            case 1: return new Plain("0".repeat(32), "0".repeat(16));
            case 2: return new Plain(trace, i % 4 == 0 ? null : "no id");
            default: return new Plain(trace, span);
        }
    }
    static void withSpans() {
        for (int i = 0; i < 60; i++) {
            Span span = span(i);
            Current.set(span);
            handle(i);
            boolean isValid = i % 6 > 3;
            System.out.println("SLICE " + (isValid ? ((Plain) span).trace() + " " + ((Plain) span).span() : "- -"));
        }
        System.out.println("ASKED " + Current.asked);
    }
    static void without() { for (int i = 0; i < 60; i++) { handle(i); System.out.println("SLICE - -"); } }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("wait")) {
            Current.set(span(4));
            System.out.println("ready");
            System.in.read();
        }
        if (args[0].equals("without")) {
            without();
        } else {
            new Plain("", "").isRecording();  // initializes Span
            withSpans();
        }
    }
}
"""
REAL = """
import io.opentelemetry.api.trace.*;
import io.opentelemetry.context.Scope;

public class Real {
    static void handle() {}
    public static void main(String[] args) {
        for (int i = 0; i < 20; i++) {
            String trace = String.format("%032x", i + 1), span = String.format("%016x", 1000 + i);
            SpanContext context = SpanContext.create(trace, span, TraceFlags.getSampled(), TraceState.getDefault());
            if (i % 2 == 0) {
                handle();
                System.out.println("SLICE - -");
            } else {
                try (Scope scope = Span.wrap(context).makeCurrent()) { handle(); }
                System.out.println("SLICE " + trace + " " + span);
            }
        }
    }
}
"""
STAND_IN = [f"otel/{name}.java" for name in ("Span", "SpanContext", "Current")]


def told(output):
    lines = [line.split()[1:] for line in output.splitlines() if line.startswith("SLICE ")]
    return [tuple("" if word == "-" else word for word in line) for line in lines]


def spans(report):
    return list(zip(report["slices"]["trace"], report["slices"]["span"]))


class Spans(driver.CommandLineTest):
    options = ("--slice", "Traced.handle", "--keep-slices", "1000")

    def run_traced(self, way, *options, home=None, jvm_options=()):
        return self.done("run", "-q", "-o", self.report, *self.options, *options, "--",
                         *driver.java_command("Traced", way, home=home, jvm_options=jvm_options)).stdout

    def check(self, output, asked):
        report = self.load()
        self.assertEqual(spans(report), told(output))
        self.assertEqual(report["slice_totals"]["in_part"], 0)
        self.assertIn(f"ASKED {asked}\n", output)
        # Copse's own questions are no calls of the program.
        self.assertNotIn("current", report["methods"]["name"])
        self.assertEqual(self.calls("getSpanContext"), 0) if "getSpanContext" in report["methods"]["name"] else None
        self.assertEqual(self.calls("step"), sum(i % 7 for i in range(60)))

    def test_a_slice_has_the_span_that_is_current_when_it_begins(self):
        for home in ARGS.homes:
            for options in ((), ("--measure", "exceptions,alloc=exact"), ("--jdk",)):
                with self.subTest(home=home, options=options):
                    self.check(self.run_traced("spans", *options, home=home), 60)
                    for measure in self.load()["metrics"]:
                        if measure["name"] == "exceptions" and not options[0] == "--jdk":
                            self.assertEqual(sum(self.load()["nodes"]["exceptions"]), 0)

    def test_attached_the_class_is_found(self):
        process = self.start(driver.java_command("Traced", "wait"), "ready")
        self.done("attach", str(process.pid), *self.options, "-o", self.report)
        output, _ = process.communicate("\n")
        self.check(output, 60)

    def test_the_class_is_not_loaded_for_it(self):
        def loaded(name):
            with open(self.path(name), encoding="utf-8") as file:
                return set(re.findall(r"io\.opentelemetry\S+", file.read()))

        def log(name):
            return ("-Xlog:class+load:file=" + self.path(name),)

        jvm.run(driver.java_command("Traced", "without", jvm_options=log("bare.txt")))
        output = self.run_traced("without", jvm_options=log("recorded.txt"))
        self.assertEqual(spans(self.load()), told(output))
        self.assertEqual(loaded("recorded.txt"), loaded("bare.txt"))
        # The verifier loads Span; nothing initializes it, or its Current would be there.
        self.assertNotIn("io.opentelemetry.api.trace.Current", loaded("recorded.txt"))

    def test_lists_and_exports_have_it(self):
        output = self.run_traced("spans")
        trace, span = told(output)[4]
        wide = {**os.environ, "COLUMNS": "160"}
        self.assertRegex(self.done("report", self.report, "--top", "60", env=wide).stdout, f"  main, trace {trace}\n")
        part = self.done("report", self.report, "--slice", "5").stdout
        self.assertRegex(" ".join(part.split()), f"in trace {trace}, span {span}")
        rows = self.done("query", self.report, f"SELECT slice, span FROM slices WHERE trace = '{trace}'", "--format", "csv").stdout
        self.assertEqual(rows, f"slice,span\n5,{span}\n")
        link = bytes.fromhex(trace), bytes.fromhex(span)
        self.done("report", self.report, "--slice", "5", "-o", "slice.otlp")
        self.done("report", self.report, "--slice", "1", "-o", "other.otlp")
        with open(self.path("slice.otlp"), "rb") as file, open(self.path("other.otlp"), "rb") as other:
            # The link's two fields, and the number of the link in a sample.
            data = file.read()
            self.assertIn(b"\x0a\x10" + link[0] + b"\x12\x08" + link[1], data)
            self.assertNotIn(link[0], other.read())
        self.assertRegex(data, rb"\x08.\x18\x01")
        # The export of the run links the kept slices' calls, each to its own span.
        self.done("report", self.report, "-o", "run.otlp")
        with open(self.path("run.otlp"), "rb") as file:
            data = file.read()
        for trace, span in filter(any, spans(self.load())):
            self.assertIn(b"\x0a\x10" + bytes.fromhex(trace) + b"\x12\x08" + bytes.fromhex(span), data)

    def test_with_the_api_itself(self):
        folder = os.environ.get("COPSE_OPENTELEMETRY", "/usr/share/java")
        jars = glob.glob(folder + "/opentelemetry-*.jar")
        if not any("opentelemetry-api" in jar for jar in jars):
            self.skipTest("no opentelemetry-api.jar in COPSE_OPENTELEMETRY or /usr/share/java")
        for home in ARGS.homes:
            path = os.pathsep.join(jars)
            classes = driver.compiled([REAL], "real", home=home, options=("-cp", path))
            output = self.done("run", "-q", "-o", self.report, "--slice", "Real.handle", "--", driver.tool("java", home), "-cp",
                               os.pathsep.join([classes, path]), "Real").stdout
            self.assertEqual(spans(self.load()), told(output))


if __name__ == "__main__":
    driver.main("copse", sources=[TRACED, *STAND_IN], jdks=True)
