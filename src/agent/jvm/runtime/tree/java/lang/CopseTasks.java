package java.lang;

import copse.CopseNative;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.FutureTask;
import jdk.internal.vm.annotation.DontInline;

/**
 * Tasks that slices hand over to other threads (src/cct/inplace/slice_tasks.h). The probes of the JDK's executors call
 * this class (src/probes/task_probes.h). A task of the JDK's own is handed over by its constructor, and
 * may run in parts: what parallel streams fork is also the task that does. Any other is handed over by
 * ThreadPoolExecutor.execute(), for one run.
 */
public final class CopseTasks {
    private CopseTasks() {}

    /** Some slice has handed over a task. Plain: what brings the task to another thread brings this, too. */
    private static boolean any;

    private static boolean isOfJdk(Object task) {
        return task instanceof FutureTask || task instanceof ForkJoinTask;
    }

    /** The running thread makes a task, or a thread that is about to start. */
    @DontInline
    public static void handsOver(Object task) {
        handsOver(task, false);
    }

    private static void handsOver(Object task, boolean isTaken) {
        if (!CopseWord.isStarted()) return;
        Thread thread = Thread.currentThread();
        long header = CopseThread.headerIfAny(thread);
        if (header != 0 && CopseNative.handsOver(header, CopseProbe.wordOr(header, thread), task, isTaken)) any = true;
    }

    /** An executor takes a task. */
    @DontInline
    public static void takes(Object task) {
        if (!isOfJdk(task)) handsOver(task, true);
    }

    /** The executor does not take it after all. */
    @DontInline
    public static void rejects(Object task) {
        if (any && !isOfJdk(task)) CopseNative.rejects(task);
    }

    /** A worker of an executor makes the thread in which it runs. */
    @DontInline
    public static void makes(Object worker) {
        if (any) CopseNative.makesWorker(worker);
    }

    /** The running thread begins a task. */
    @DontInline
    public static void begins(Object task) {
        begins(task, false);
    }

    private static void begins(Object task, boolean isTaken) {
        if (!any || !CopseWord.isStarted()) return;
        Thread thread = Thread.currentThread();
        long header = CopseThread.header();
        if (header == 0) return;
        CopseNative.beginTask(header, CopseProbe.wordOr(header, thread), task, isTaken, CopseThread.isVirtual(thread));
    }

    /** A worker of an executor begins a task. */
    @DontInline
    public static void beginsTaken(Object task) {
        if (!isOfJdk(task)) begins(task, true);
    }

    @DontInline
    public static void ends() {
        ends(false);
    }

    /** A worker of an executor runs no task. */
    @DontInline
    public static void idles() {
        ends(true);
    }

    private static void ends(boolean all) {
        if (!any || !CopseWord.isStarted()) return;
        Thread thread = Thread.currentThread();
        long header = CopseThread.headerIfAny(thread);
        if (header != 0) CopseNative.endTask(header, CopseProbe.wordOr(header, thread), all);
    }
}
