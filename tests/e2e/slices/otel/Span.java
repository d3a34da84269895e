package io.opentelemetry.api.trace;

/** A stand-in for OpenTelemetry's interface, with the methods that Copse calls. */
public interface Span {
    static Span current() {
        return Current.get();
    }

    SpanContext getSpanContext();

    default boolean isRecording() {
        return true;
    }
}
