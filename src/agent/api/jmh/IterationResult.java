package org.openjdk.jmh.results;

public class IterationResult {}
