package copse.test;

/**
 * A glob over dotted names, as in all options of Copse: {@code *} within a segment, {@code **} across dots. One that
 * begins with a class, {@code Dao.query}, takes it in any package.
 */
final class Glob {
    private final String text;
    private final boolean inAnyPackage;

    Glob(String text) {
        this.text = text;
        String name = text.replaceFirst("^\\*+", "");
        inAnyPackage = !text.startsWith("**") && !name.isEmpty() && Character.isUpperCase(name.codePointAt(0));
    }

    /** By its class, or by class and name. */
    boolean matches(Method method) {
        return matches(method.className) || matches(method.fullName());
    }

    boolean matches(String name) {
        return matches(text, name) || (inAnyPackage && matches("**." + text, name));
    }

    boolean isName() {
        return text.indexOf('*') < 0;
    }

    boolean hasPackage() {
        return !inAnyPackage && !text.startsWith("*") && text.indexOf('.') >= 0;
    }

    @Override
    public String toString() {
        return text;
    }

    /** Backtracking over the last star of each kind. */
    private static boolean matches(String glob, String text) {
        int starGlob = -1, starText = 0, deepGlob = -1, deepText = 0;
        int g = 0, t = 0;
        while (true) {
            if (g < glob.length() && glob.charAt(g) == '*') {
                boolean isDeep = g + 1 < glob.length() && glob.charAt(g + 1) == '*';
                g += isDeep ? 2 : 1;
                if (isDeep) {
                    deepGlob = g;
                    deepText = t;
                    starGlob = -1;
                } else {
                    starGlob = g;
                    starText = t;
                }
                continue;
            }
            if (t < text.length() && g < glob.length() && glob.charAt(g) == text.charAt(t)) {
                ++g;
                ++t;
                continue;
            }
            if (t == text.length() && g == glob.length()) return true;
            if (starGlob >= 0 && starText < text.length() && text.charAt(starText) != '.') {
                t = ++starText;
                g = starGlob;
            } else if (deepGlob >= 0 && deepText < text.length()) {
                t = ++deepText;
                g = deepGlob;
                starGlob = -1;
            } else {
                return false;
            }
        }
    }
}
