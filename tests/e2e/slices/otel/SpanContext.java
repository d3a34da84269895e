package io.opentelemetry.api.trace;

/** A stand-in for OpenTelemetry's interface. */
public interface SpanContext {
    String getTraceId();

    String getSpanId();
}
