"""A Java program of methods at the edges of the class-file format: switches, wide locals, jumps and increments,
bodies of 6,000 and of 17,000 bytes."""

DENSE, SPARSE, LOCALS = 40, 30, 140
LONG, HUGE = 250, 700


def lines(count, line):
    return "\n".join(line(i) for i in range(count))


def body(calls):
    return lines(calls, lambda i: f"        sum += step(sum & {i % 64}); if (sum % {i + 3} == 0) sum -= step({i});")


def source():
    return f"""public class BigMethods {{
    static long step(long n) {{ return n + 1; }}
    static int step(int n) {{ return n + 1; }}

    static int dense(int n) {{
        switch (n) {{
{lines(DENSE, lambda i: f"            case {i}: return step({i});")}
            default: return step(-n);
        }}
    }}
    static int sparse(int n) {{
        int sum = 0;
        switch (n) {{
{lines(SPARSE, lambda i: f"            case {i * 1009 - 7}: sum += step({i}); break;")}
            default: sum = step(n);
        }}
        return sum;
    }}
    static long wide(int n) {{
{lines(LOCALS, lambda i: f"        long v{i} = step(n + {i});")}
        int late = 1;
        for (int i = 0; i < 3; i += 1000) {{ late += 1000; late = step(late); }}
        try {{
            if (n % 2 == 0) throw new IllegalStateException();
            v{LOCALS - 1} += late;
        }} catch (IllegalStateException e) {{
            v{LOCALS - 1} -= step(late);
        }} finally {{
            late++;
        }}
        return late + ({" ^ ".join(f"v{i}" for i in range(LOCALS))});
    }}
    static int longBody(int n) {{
        int sum = n;
{body(LONG)}
        return sum;
    }}
    static int hugeBody(int n) {{
        int sum = n;
        for (int i = 0; i < 2; i++) {{
{body(HUGE)}
        }}
        return sum;
    }}

    public static void main(String[] args) {{
        long sum = 0;
        for (int i = 0; i < 1500; i++) {{
            sum += dense(i % 45) + sparse(i % 30 * 1009 - 7) + sparse(i);
            if (i % 5 == 0) sum += wide(i) + longBody(i);
            if (i % 50 == 0) sum += hugeBody(i);
        }}
        System.out.println("big methods " + sum);
    }}
}}
"""
