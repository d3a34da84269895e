import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LocalVariableAnnotationNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeAnnotationNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * CompareClasses STEP ORIGINALS REWRITTEN: a second opinion on every STEP-th class, from ASM. Reads
 * both forms, takes the test probes (exercise_probes.h) out of the rewritten one and demands that the
 * rest is the original: instructions, jumps, exception coverage, stack map frames, lines, local
 * variables, type annotations. Ends with status 1 if a class differs.
 */
public class CompareClasses {
    private static final String PROBE = "java/lang/CopseVerifyProbe";
    private static final int NEWEST_KNOWN = 63; // to this ASM; nothing we compare differs in later ones

    public static void main(String[] args) throws IOException {
        int step = Integer.parseInt(args[0]);
        Path originals = Paths.get(args[1]);
        Path rewritten = Paths.get(args[2]);
        List<Path> files;
        try (Stream<Path> walk = Files.walk(rewritten)) {
            files = walk.filter(f -> f.toString().endsWith(".class")).sorted().collect(Collectors.toList());
        }
        int compared = 0, methods = 0, unreadable = 0;
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < files.size(); i += step) {
            Path name = rewritten.relativize(files.get(i));
            ClassNode before;
            try {
                before = read(originals.resolve(name));
            } catch (RuntimeException e) {
                unreadable++; // ASM cannot read the original
                continue;
            }
            try {
                methods += compare(before, read(files.get(i)));
                compared++;
            } catch (RuntimeException e) {
                failures.add(name + ": " + e);
            }
        }
        failures.forEach(f -> System.out.println("FAILED " + f));
        System.out.println("ASM compared " + compared + " classes, " + methods + " methods with probes; could not read "
            + unreadable + " originals; differ " + failures.size());
        System.exit(failures.isEmpty() ? 0 : 1);
    }

    private static ClassNode read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int version = (bytes[6] & 0xFF) << 8 | bytes[7] & 0xFF;
        if (version > NEWEST_KNOWN) bytes[7] = NEWEST_KNOWN;
        bytes[4] = bytes[5] = 0;
        ClassNode node = new ClassNode();
        new ClassReader(bytes).accept(node, ClassReader.EXPAND_FRAMES);
        return node;
    }

    private static int compare(ClassNode before, ClassNode after) {
        if (before.methods.size() != after.methods.size()) throw new IllegalStateException("number of methods");
        int probed = 0;
        for (int i = 0; i < before.methods.size(); i++) {
            MethodNode old = before.methods.get(i);
            MethodNode now = after.methods.get(i);
            boolean hasProbes = Stream.of(now.instructions.toArray()).anyMatch(CompareClasses::callsProbe);
            if (hasProbes) probed++;
            Method a = new Method(old, false, old.maxLocals);
            Method b = new Method(now, hasProbes, old.maxLocals);
            String where = old.name + old.desc + " ";
            demandEqual(where + "instructions", a.instructions, b.instructions);
            demandEqual(where + "coverage", a.coverage, b.coverage);
            // Older classes may carry an obsolete kind of frames, which the rewriter leaves out.
            if (before.version >= Opcodes.V1_6) demandEqual(where + "frames", a.frames, b.frames);
            demandEqual(where + "lines", a.lines, b.lines);
            demandEqual(where + "variables", a.variables, b.variables);
            demandEqual(where + "annotations", a.annotations, b.annotations);
        }
        return probed;
    }

    private static void demandEqual(String what, Object before, Object after) {
        if (!before.equals(after)) throw new IllegalStateException(what + "\n  was " + before + "\n  is  " + after);
    }

    private static boolean callsProbe(AbstractInsnNode node) {
        return node instanceof MethodInsnNode && ((MethodInsnNode) node).owner.equals(PROBE);
    }

    /** One method in comparable form: places are ordinals of instructions, probes not counted. */
    private static final class Method {
        final List<String> instructions = new ArrayList<>();
        final List<String> coverage = new ArrayList<>();
        final Map<Integer, String> frames = new TreeMap<>();
        final List<String> lines = new ArrayList<>();
        final List<String> variables = new ArrayList<>();
        final List<String> annotations = new ArrayList<>();

        private final MethodNode node;
        private final AbstractInsnNode[] all;
        private final int maxLocals;
        private final int[] ordinal; // by position in all: of the next instruction that is no probe's
        private int joined = -1;     // position of the return behind the code that others jump to

        Method(MethodNode node, boolean hasProbes, int maxLocals) {
            this.node = node;
            this.maxLocals = maxLocals;
            all = node.instructions.toArray();
            boolean[] isProbe = new boolean[all.length];
            if (hasProbes) {
                for (int i = 0; i < all.length; i++) {
                    if (callsProbe(all[i])) mark(isProbe, i, ((MethodInsnNode) all[i]).name);
                }
            }
            if (hasProbes) dropGuards(isProbe);
            if (hasProbes) dropGuardsOfEnds(isProbe);
            if (hasProbes) dropUnwindHandler(isProbe);
            ordinal = new int[all.length + 1];
            int next = 0;
            for (int i = 0; i < all.length; i++) {
                ordinal[i] = next;
                if (all[i].getOpcode() >= 0 && !isProbe[i]) next++;
            }
            ordinal[all.length] = next;
            for (int i = 0; i < all.length; i++) {
                if (isProbe[i]) continue;
                if (all[i].getOpcode() >= 0) {
                    instructions.add(text(all[i]));
                    coverage.add(coverageOf(i));
                    annotate("insn " + ordinal[i], all[i].visibleTypeAnnotations);
                    annotate("insn " + ordinal[i], all[i].invisibleTypeAnnotations);
                } else if (all[i] instanceof LineNumberNode) {
                    LineNumberNode line = (LineNumberNode) all[i];
                    lines.add(line.line + "@" + place(line.start));
                } else if (all[i] instanceof FrameNode) {
                    addFrame(ordinal[i], (FrameNode) all[i], hasProbes, maxLocals);
                }
            }
            addTables();
        }

        /** The probe's other instructions: pushes before its call, and at entry the stores behind it. */
        private void mark(boolean[] isProbe, int call, String name) {
            int before = name.equals("exit") ? 3 : name.equals("call") || name.equals("after") ? 2
                : name.equals("touch") || name.equals("unwound") ? 0 : 1;
            int after = name.equals("enter") ? 3 : 0;
            isProbe[call] = true;
            for (int i = call - 1; before > 0; i--) {
                if (all[i].getOpcode() < 0) continue;
                isProbe[i] = true;
                before--;
            }
            for (int i = call + 1; after > 0; i++) {
                if (all[i].getOpcode() < 0) continue;
                isProbe[i] = true;
                after--;
            }
        }

        /**
         * Around the probe of a handler's start: dup, astore K; and behind it: goto, then what drops the probe's exception
         * (pop, aload K, with a frame of its own), then aconst_null, astore K. Their range ends where its handler begins.
         */
        private void dropGuards(boolean[] isProbe) {
            for (TryCatchBlockNode range : List.copyOf(node.tryCatchBlocks)) {
                if (range.handler != range.end || range.type != null) continue;
                int resume = node.instructions.indexOf(range.end);
                int keeps = previous(node.instructions.indexOf(range.start));
                int[] guard = {previous(keeps), keeps, previous(resume), next(resume), 0, 0, 0};
                for (int i = 4; i < guard.length; i++) guard[i] = guard[i - 1] < 0 ? -1 : next(guard[i - 1]);
                if (!isGuard(guard)) continue; // the program's own
                for (int at : guard) isProbe[at] = true;
                for (int i = resume; i < guard[3]; i++) isProbe[i] |= all[i] instanceof FrameNode;
                node.tryCatchBlocks.remove(range);
            }
        }

        private boolean isGuard(int[] at) {
            int[] opcodes = {Opcodes.DUP, Opcodes.ASTORE, Opcodes.GOTO, Opcodes.POP, Opcodes.ALOAD, Opcodes.ACONST_NULL,
                Opcodes.ASTORE};
            for (int i = 0; i < at.length; i++) {
                if (at[i] < 0 || all[at[i]].getOpcode() != opcodes[i]) return false;
                boolean isOther = all[at[i]] instanceof VarInsnNode
                    && ((VarInsnNode) all[at[i]]).var != ((VarInsnNode) all[at[1]]).var;
                if (isOther) return false;
            }
            return true;
        }

        /**
         * Around the probe before a return, or before the athrow behind the code: dup, xstore K. Behind the code: pop, xload K, and
         * the instruction once more, with a frame.
         */
        private void dropGuardsOfEnds(boolean[] isProbe) {
            for (TryCatchBlockNode range : List.copyOf(node.tryCatchBlocks)) {
                int start = node.instructions.indexOf(range.start);
                int handler = node.instructions.indexOf(range.handler);
                int pop = next(handler);
                int load = all[pop].getOpcode() == Opcodes.POP ? next(pop) : -1;
                boolean keeps = load >= 0 && all[load] instanceof VarInsnNode && ((VarInsnNode) all[load]).var >= maxLocals;
                int end = keeps ? next(load) : load;
                if (range.type != null || end < 0 || !endsMethod(all[end].getOpcode())) continue;
                for (int i = start; i < node.instructions.indexOf(range.end); i++) {
                    if (all[i].getOpcode() >= 0 && !isProbe[i]) throw new IllegalStateException("a guard of the program's code");
                }
                node.tryCatchBlocks.remove(range);
                for (int i = handler; i <= end; i++) isProbe[i] = true;
                if (!keeps) continue;
                int store = previous(start);
                int dup = previous(store);
                boolean isOther = ((VarInsnNode) all[store]).var != ((VarInsnNode) all[load]).var
                    || all[dup].getOpcode() != Opcodes.DUP && all[dup].getOpcode() != Opcodes.DUP2;
                if (isOther) throw new IllegalStateException("a guard that keeps nothing");
                isProbe[store] = isProbe[dup] = true;
            }
        }

        private static boolean endsMethod(int opcode) {
            return opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN || opcode == Opcodes.ATHROW;
        }

        /** The handler behind the code: probe, athrow, its frame and its range. */
        private void dropUnwindHandler(boolean[] isProbe) {
            if (node.tryCatchBlocks.isEmpty()) return;
            TryCatchBlockNode last = node.tryCatchBlocks.get(node.tryCatchBlocks.size() - 1);
            int handler = node.instructions.indexOf(last.handler);
            boolean unwinds = Stream.of(all).skip(handler).filter(CompareClasses::callsProbe)
                .map(call -> ((MethodInsnNode) call).name).anyMatch(name -> name.startsWith("unw"));
            if (!unwinds) return;
            for (int i = handler; i < all.length; i++) {
                boolean ours = isProbe[i] || endsMethod(all[i].getOpcode()) || all[i].getOpcode() < 0;
                if (!isProbe[i] && ours && all[i].getOpcode() >= 0 && all[i].getOpcode() != Opcodes.ATHROW) joined = i;
                if (!ours) throw new IllegalStateException("code behind the last handler");
                isProbe[i] = true;
            }
            node.tryCatchBlocks.remove(node.tryCatchBlocks.size() - 1);
            // In constructors there may be one more, of what stands before super().
            if (!node.name.equals("<init>") || node.tryCatchBlocks.isEmpty()) return;
            TryCatchBlockNode before = node.tryCatchBlocks.get(node.tryCatchBlocks.size() - 1);
            if (node.instructions.indexOf(before.handler) > handler) node.tryCatchBlocks.remove(before);
        }

        private int previous(int at) {
            do at--; while (at >= 0 && all[at].getOpcode() < 0);
            return at;
        }

        private int next(int at) {
            do at++; while (at < all.length && all[at].getOpcode() < 0);
            return at < all.length ? at : -1;
        }

        private int place(LabelNode label) {
            return ordinal[node.instructions.indexOf(label)];
        }

        /** True if from this position on code leads to the return behind the code, which follows the handler's athrow. */
        private boolean joins(int from) {
            return from < joined && Stream.of(all).skip(from).limit(joined - from).noneMatch(at -> endsMethod(at.getOpcode()));
        }

        private String text(AbstractInsnNode insn) {
            String op = insn.getOpcode() + " ";
            if (insn.getOpcode() == Opcodes.GOTO && joins(node.instructions.indexOf(((JumpInsnNode) insn).label))) {
                return all[joined].getOpcode() + " ";
            }
            if (insn instanceof JumpInsnNode) return op + place(((JumpInsnNode) insn).label);
            if (insn instanceof VarInsnNode) return op + ((VarInsnNode) insn).var;
            if (insn instanceof IntInsnNode) return op + ((IntInsnNode) insn).operand;
            if (insn instanceof TypeInsnNode) return op + ((TypeInsnNode) insn).desc;
            if (insn instanceof LdcInsnNode) {
                Object c = ((LdcInsnNode) insn).cst;
                return op + c.getClass().getSimpleName() + c;
            }
            if (insn instanceof IincInsnNode) return op + ((IincInsnNode) insn).var + " " + ((IincInsnNode) insn).incr;
            if (insn instanceof FieldInsnNode) {
                FieldInsnNode f = (FieldInsnNode) insn;
                return op + f.owner + "." + f.name + ":" + f.desc;
            }
            if (insn instanceof MethodInsnNode) {
                MethodInsnNode m = (MethodInsnNode) insn;
                return op + m.owner + "." + m.name + m.desc + m.itf;
            }
            if (insn instanceof InvokeDynamicInsnNode) {
                InvokeDynamicInsnNode d = (InvokeDynamicInsnNode) insn;
                return op + d.name + d.desc + d.bsm + List.of(d.bsmArgs);
            }
            if (insn instanceof MultiANewArrayInsnNode) {
                return op + ((MultiANewArrayInsnNode) insn).desc + ((MultiANewArrayInsnNode) insn).dims;
            }
            if (insn instanceof TableSwitchInsnNode) {
                TableSwitchInsnNode t = (TableSwitchInsnNode) insn;
                return op + t.min + ".." + t.max + " " + place(t.dflt) + places(t.labels);
            }
            if (insn instanceof LookupSwitchInsnNode) {
                LookupSwitchInsnNode l = (LookupSwitchInsnNode) insn;
                return op + l.keys + place(l.dflt) + places(l.labels);
            }
            return op;
        }

        private List<Integer> places(List<LabelNode> labels) {
            return labels.stream().map(this::place).collect(Collectors.toList());
        }

        private String coverageOf(int position) {
            StringBuilder text = new StringBuilder();
            for (TryCatchBlockNode range : node.tryCatchBlocks) {
                if (node.instructions.indexOf(range.start) <= position && position < node.instructions.indexOf(range.end)) {
                    text.append(range.type).append("->").append(place(range.handler)).append(' ');
                }
            }
            return text.toString();
        }

        private void addFrame(int at, FrameNode frame, boolean hasProbes, int maxLocals) {
            List<Object> locals = new ArrayList<>();
            int slots = 0;
            for (Object local : frame.local) {
                if (hasProbes && slots >= maxLocals) {
                    if (!local.equals(Opcodes.LONG) && !local.equals(Opcodes.INTEGER)) {
                        throw new IllegalStateException("a probe local of type " + local);
                    }
                    break;
                }
                locals.add(local instanceof LabelNode ? "new@" + place((LabelNode) local) : local);
                slots += local.equals(Opcodes.LONG) || local.equals(Opcodes.DOUBLE) ? 2 : 1;
            }
            while (!locals.isEmpty() && locals.get(locals.size() - 1).equals(Opcodes.TOP)) {
                locals.remove(locals.size() - 1);
            }
            List<Object> stack = new ArrayList<>();
            for (Object item : frame.stack) {
                stack.add(item instanceof LabelNode ? "new@" + place((LabelNode) item) : item);
            }
            String text = locals + " | " + stack;
            String other = frames.put(at, text); // the frame behind a handler's probe repeats the handler's
            if (other != null && !other.equals(text)) throw new IllegalStateException("two frames at " + at);
        }

        private void addTables() {
            if (node.localVariables != null) {
                for (LocalVariableNode v : node.localVariables) {
                    variables.add(v.name + v.desc + v.signature + v.index + "@" + place(v.start) + ".." + place(v.end));
                }
            }
            addVariableAnnotations(node.visibleLocalVariableAnnotations);
            addVariableAnnotations(node.invisibleLocalVariableAnnotations);
            for (TryCatchBlockNode range : node.tryCatchBlocks) {
                annotate("catch " + range.type, range.visibleTypeAnnotations);
                annotate("catch " + range.type, range.invisibleTypeAnnotations);
            }
        }

        private void addVariableAnnotations(List<LocalVariableAnnotationNode> nodes) {
            if (nodes == null) return;
            for (LocalVariableAnnotationNode v : nodes) {
                annotations.add("variable " + v.desc + v.typePath + v.index + places(v.start) + places(v.end));
            }
        }

        private void annotate(String where, List<TypeAnnotationNode> nodes) {
            if (nodes == null) return;
            for (TypeAnnotationNode n : nodes) {
                int ref = where.startsWith("catch") ? 0 : n.typeRef; // names the range by its index
                annotations.add(where + " " + n.desc + n.typePath + Integer.toHexString(ref));
            }
        }
    }
}
