import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import workloads.Digest;
import workloads.Workload;

/** A small language of lets, conditions, calls and arithmetic: written at random, parsed, checked, evaluated. */
public class ExpressionsProgram extends Workload {
    interface Visitor<R> {
        R number(long value);
        R name(String name);
        R binary(char operator, Tree left, Tree right);
        R condition(Tree test, Tree yes, Tree no);
        R let(String name, Tree value, Tree body);
        R call(String function, List<Tree> arguments);
    }
    interface Tree { <R> R accept(Visitor<R> visitor); }

    static final class Parser {
        private final String text;
        private int at;
        Parser(String text) { this.text = text; }

        Tree program() {
            Tree tree = expression();
            if (at != text.length()) throw new IllegalStateException("more at " + at);
            return tree;
        }
        private char peek() { return at < text.length() ? text.charAt(at) : 0; }
        private boolean take(String word) {
            if (!text.startsWith(word, at)) return false;
            at += word.length();
            return true;
        }
        private void need(String word) {
            if (!take(word)) throw new IllegalStateException(word + " missing at " + at);
        }
        private Tree expression() {
            if (take("let ")) return let();
            if (take("if ")) return condition();
            return comparison();
        }
        private Tree let() {
            String name = word();
            need("=");
            Tree value = expression();
            need(" in ");
            Tree body = expression();
            return new Tree() {
                @Override public <R> R accept(Visitor<R> visitor) { return visitor.let(name, value, body); }
            };
        }
        private Tree condition() {
            Tree test = expression();
            need(" then ");
            Tree yes = expression();
            need(" else ");
            Tree no = expression();
            return new Tree() {
                @Override public <R> R accept(Visitor<R> visitor) { return visitor.condition(test, yes, no); }
            };
        }
        private Tree comparison() { return binary("<>", 0); }
        private Tree binary(String operators, int level) {
            Tree left = operand(level);
            while (peek() != 0 && operators.indexOf(peek()) >= 0) left = both(text.charAt(at++), left, operand(level));
            return left;
        }
        private Tree operand(int level) {
            return level == 0 ? binary("+-", 1) : level == 1 ? binary("*/", 2) : atom();
        }
        private Tree both(char operator, Tree left, Tree right) {
            return new Tree() {
                @Override public <R> R accept(Visitor<R> visitor) { return visitor.binary(operator, left, right); }
            };
        }
        private Tree atom() {
            if (take("(")) {
                Tree inner = expression();
                need(")");
                return inner;
            }
            if (Character.isDigit(peek())) return number();
            String name = word();
            return take("(") ? call(name) : name(name);
        }
        private Tree number() {
            long value = 0;
            while (Character.isDigit(peek())) value = value * 10 + text.charAt(at++) - '0';
            long read = value;
            return new Tree() {
                @Override public <R> R accept(Visitor<R> visitor) { return visitor.number(read); }
            };
        }
        private Tree name(String name) {
            return new Tree() {
                @Override public <R> R accept(Visitor<R> visitor) { return visitor.name(name); }
            };
        }
        private Tree call(String function) {
            List<Tree> arguments = new ArrayList<>();
            do {
                arguments.add(expression());
            } while (take(","));
            need(")");
            return new Tree() {
                @Override public <R> R accept(Visitor<R> visitor) { return visitor.call(function, arguments); }
            };
        }
        private String word() {
            int start = at;
            while (Character.isLetterOrDigit(peek())) at++;
            if (at == start) throw new IllegalStateException("no word at " + at);
            return text.substring(start, at);
        }
    }

    static final class Evaluator implements Visitor<Long> {
        private final Map<String, Long> names = new HashMap<>();
        @Override public Long number(long value) { return value; }
        @Override public Long name(String name) { return names.getOrDefault(name, 1L); }
        @Override public Long binary(char operator, Tree left, Tree right) {
            long a = left.accept(this), b = right.accept(this);
            switch (operator) {
                case '+': return a + b;
                case '-': return a - b;
                case '*': return a * b % 1_000_003;
                case '/': return b == 0 ? 0 : a / b;
                default: return (operator == '<') == (a < b) ? 1L : 0L;
            }
        }
        @Override public Long condition(Tree test, Tree yes, Tree no) { return (test.accept(this) != 0 ? yes : no).accept(this); }
        @Override public Long let(String name, Tree value, Tree body) {
            Long before = names.put(name, value.accept(this));
            Long result = body.accept(this);
            if (before == null) names.remove(name); else names.put(name, before);
            return result;
        }
        @Override public Long call(String function, List<Tree> arguments) {
            return arguments.stream().mapToLong(argument -> argument.accept(this)).reduce(function.hashCode() % 7, (a, b) -> (a * 31 + b) % 1_000_003);
        }
    }

    static final class Depth implements Visitor<Integer> {
        @Override public Integer number(long value) { return 1; }
        @Override public Integer name(String name) { return 1; }
        @Override public Integer binary(char operator, Tree left, Tree right) { return 1 + Math.max(left.accept(this), right.accept(this)); }
        @Override public Integer condition(Tree test, Tree yes, Tree no) { return 1 + Math.max(test.accept(this), Math.max(yes.accept(this), no.accept(this))); }
        @Override public Integer let(String name, Tree value, Tree body) { return 1 + Math.max(value.accept(this), body.accept(this)); }
        @Override public Integer call(String function, List<Tree> arguments) {
            int deepest = 0;
            for (Tree argument : arguments) deepest = Math.max(deepest, argument.accept(this));
            return 1 + deepest;
        }
    }

    private static void write(Random random, int depth, StringBuilder out) {
        int kind = depth == 0 ? random.nextInt(2) : 2 + random.nextInt(8);
        switch (kind) {
            case 0: out.append(random.nextInt(1000)); break;
            case 1: out.append((char) ('a' + random.nextInt(6))); break;
            case 2:
                out.append("(let ").append((char) ('a' + random.nextInt(6))).append('=');
                write(random, depth - 1, out);
                out.append(" in ");
                write(random, depth - 1, out);
                out.append(')');
                break;
            case 3:
                out.append("(if ");
                write(random, depth - 1, out);
                out.append(" then ");
                write(random, depth - 1, out);
                out.append(" else ");
                write(random, depth - 1, out);
                out.append(')');
                break;
            case 4:
                out.append("f(");
                write(random, depth - 1, out);
                out.append(',');
                write(random, depth - 1, out);
                out.append(')');
                break;
            default:
                out.append('(');
                write(random, depth - 1, out);
                out.append("+-*/<>".charAt(random.nextInt(6)));
                write(random, random.nextInt(depth), out);
                out.append(')');
        }
    }

    @Override public void iterate(Digest digest) {
        Random random = new Random(7);
        for (int i = 0; i < 150; i++) {
            StringBuilder text = new StringBuilder();
            write(random, 13, text);
            Tree tree = new Parser(text.toString()).program();
            digest.add(text.length()).add(tree.accept(new Depth())).add(tree.accept(new Evaluator()));
        }
    }
}
