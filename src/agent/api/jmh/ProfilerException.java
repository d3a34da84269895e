package org.openjdk.jmh.profile;

public class ProfilerException extends Exception {
    private static final long serialVersionUID = 1;

    public ProfilerException(String why) {
        super(why);
    }
}
