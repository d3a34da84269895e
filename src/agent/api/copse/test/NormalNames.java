package copse.test;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names without the numbers that compilers and the JVM give, so that an added lambda does not rename the next one:
 * the rules of docs/report-schema.md, "Stable ids".
 */
final class NormalNames {
    private NormalNames() {}

    private static final Map<Pattern, String> OF_CLASS = new LinkedHashMap<>();
    /** Numbers of anonymous, local and generated classes, in descriptors. */
    private static final Map<Pattern, String> OF_NUMBERED_CLASS = new LinkedHashMap<>();
    private static final Map<Pattern, String> OF_METHOD = new LinkedHashMap<>();
    private static final Map<Pattern, String> OF_METHOD_LAST = new LinkedHashMap<>();
    private static final Pattern NUMBERED_CLASS = Pattern.compile("\\$[0-9]+\\z");
    private static final Pattern SCALA_NUMBER = Pattern.compile("\\$[0-9]+");
    private static final Pattern CLASS_IN_DESCRIPTOR = Pattern.compile("L([^;]*);");

    private static void rule(Map<Pattern, String> rules, String expression, String becomes) {
        rules.put(Pattern.compile(expression, Pattern.DOTALL), becomes);
    }

    static {
        rule(OF_CLASS, "(?:/[0-9]+|[/.+]0x[0-9a-f]+)+\\z", "");
        rule(OF_CLASS, "\\$\\$Lambda\\$[0-9]+\\z", "\\$\\$Lambda");
        rule(OF_CLASS, "\\A(?:com\\.sun\\.proxy|jdk\\.proxy[0-9]+)\\.\\$Proxy[0-9]+\\z", "jdk.proxy*.\\$Proxy*");
        rule(OF_CLASS, "(\\A|\\.)\\$Proxy[0-9]+\\z", "$1\\$Proxy*");
        rule(OF_CLASS, "(\\.Generated(?:Method|Constructor|SerializationConstructor)Accessor)[0-9]+\\z", "$1*");
        rule(OF_CLASS, "(CGLIB\\$\\$)[0-9a-f_]+", "$1*");
        for (String maker : new String[] {"ByteBuddy", "HibernateProxy", "MockitoMock", "auxiliary"}) {
            rule(OF_CLASS, "(\\$" + maker + "\\$)[0-9A-Za-z]+", "$1*");
        }
        for (String maker : new String[] {"_\\$\\$_jvst", "_\\$\\$_javassist_"}) {
            rule(OF_CLASS, "(" + maker + ")[0-9a-f_]+", "$1*");
        }
        for (String before : new String[] {"\\$", "_closure", "_lambda", "__", "\\$eval", "\\$line", "\\._pyx",
                "\\.GregorSamsa"}) {
            rule(OF_NUMBERED_CLASS, "(" + before + ")[0-9]+", "$1*");
        }
        rule(OF_NUMBERED_CLASS, "\\A(org\\.mozilla\\.javascript\\.gen\\..*_)[0-9]+\\z", "$1*");
        rule(OF_METHOD, "\\A(lambda\\$(?:.*\\$)?)[0-9]+\\z", "$1*");
        rule(OF_METHOD, "\\Aaccess\\$[0-9]+\\z", "access\\$*");
        rule(OF_METHOD, "\\A(CGLIB\\$.+\\$)[0-9]+\\z", "$1*");
        rule(OF_METHOD, "\\A(RUBY\\$(?:.*\\$)?)[0-9]+\\z", "$1*");
        rule(OF_METHOD, "\\A([A-Za-z]+)[0-9]+:", "$1*:");
        rule(OF_METHOD, "(\\$lambda\\$)[0-9]+", "$1*");
        rule(OF_METHOD, "(\\$lambda-)[0-9]+", "$1*");
        rule(OF_METHOD_LAST, "(\\$(?:accessor|original)\\$)[0-9A-Za-z]+\\z", "$1*");
    }

    /** Equal for methods that are the same one in two builds. */
    static String of(Method method) {
        String className = apply(OF_CLASS, method.className);
        if (method.name.equals("<clinit>")) className = NUMBERED_CLASS.matcher(className).replaceAll("\\$*");
        String name = apply(OF_METHOD, method.name);
        if (name.startsWith("$anonfun$")) name = SCALA_NUMBER.matcher(name).replaceAll("\\$*");
        return className + "\n" + apply(OF_METHOD_LAST, name) + "\n" + descriptor(method.descriptor);
    }

    private static String apply(Map<Pattern, String> rules, String text) {
        for (Map.Entry<Pattern, String> rule : rules.entrySet()) {
            text = rule.getKey().matcher(text).replaceAll(rule.getValue());
        }
        return text;
    }

    private static String descriptor(String descriptor) {
        Matcher types = CLASS_IN_DESCRIPTOR.matcher(descriptor);
        StringBuffer out = new StringBuffer();
        while (types.find()) {
            String type = apply(OF_CLASS, types.group(1).replace('/', '.'));
            type = apply(OF_NUMBERED_CLASS, type).replace('.', '/');
            types.appendReplacement(out, Matcher.quoteReplacement("L" + type + ";"));
        }
        return types.appendTail(out).toString();
    }
}
