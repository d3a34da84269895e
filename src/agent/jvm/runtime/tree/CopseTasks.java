package java.lang;

import copse.CopseNative;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.FutureTask;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Tasks that slices hand over to other threads (src/cct/inplace/slice_tasks.h). The probes of the JDK's executors call
 * this class (src/probes/task_probes.h). A task of the JDK's own is handed over by its constructor, and
 * may run in parts: what parallel streams fork is also the task that does. Any other is handed over by
 * ThreadPoolExecutor.execute(), for one run. The last hand-over counts.
 */
public final class CopseTasks {
    private CopseTasks() {}

    // How a task is handed over: src/agent/jvm/recordings/task_natives.cpp has the same.
    private static final int MADE = 0;
    private static final int AGAIN = 1;
    private static final int TAKEN = 2;

    /** Some slice has handed over a task. Plain: what brings the task to another thread brings this, too. */
    private static boolean any;

    @Hidden private static boolean isOfJdk(Object task) {
        return task instanceof FutureTask || task instanceof ForkJoinTask;
    }

    /** Steps of a CompletableFuture are of the slice that adds them. Any thread may give them to an executor later. */
    @Hidden private static boolean isStep(Object task) {
        return task instanceof CompletableFuture.AsynchronousCompletionTask;
    }

    /** The running thread makes a task, or a virtual thread. */
    @DontInline
    @Hidden public static void handsOver(Object task) {
        handsOver(task, MADE);
    }

    /** The running thread starts a thread, or hands over an object that may be a task of the JDK's own. */
    @DontInline
    @Hidden public static void handsOverAgain(Object task) {
        if (task instanceof Thread || isOfJdk(task) && !isStep(task)) handsOver(task, AGAIN);
    }

    @Hidden private static void handsOver(Object task, int how) {
        if (!CopseWord.isStarted()) return;
        Thread thread = Thread.currentThread();
        long header = CopseThread.headerIfAny(thread);
        if (header == 0) {
            if (any && how != MADE) CopseNative.handsOver(0, 0, task, how);
        } else if (CopseNative.handsOver(header, CopseTree.word(header, thread), task, how)) {
            any = true;
        }
    }

    /** An executor takes a task. */
    @DontInline
    @Hidden public static void takes(Object task) {
        if (isOfJdk(task)) {
            handsOverAgain(task);
        } else {
            handsOver(task, TAKEN);
        }
    }

    /** The executor does not take it after all. */
    @DontInline
    @Hidden public static void rejects(Object task) {
        if (any && !isOfJdk(task)) CopseNative.takesBack(task, true);
    }

    /** An executor gives up a task before it ran, as DiscardOldestPolicy does. */
    @DontInline
    @Hidden public static void givesBack(Object task) {
        if (!any || task == null || isStep(task)) return;
        if (isOfJdk(task)) {
            CopseNative.handsOver(0, 0, task, AGAIN);
        } else {
            CopseNative.takesBack(task, false);
        }
    }

    /** Its remove() did, or found none. */
    @DontInline
    @Hidden public static void removes(boolean isRemoved, Object task) {
        if (isRemoved) givesBack(task);
    }

    /** execute() has removed a task, and goes on with reject(). */
    @DontInline
    @Hidden public static void takesRemoved(boolean isRemoved, Object task) {
        if (isRemoved) takes(task);
    }

    /** Its shutdownNow() returns a list of tasks. */
    @DontInline
    @Hidden public static void givesAllBack(Object list) {
        if (!any) return;
        Object[] tasks = CopseNative.elements(list);
        for (int i = 0; tasks != null && i < tasks.length && tasks[i] != null; i++) givesBack(tasks[i]);
    }

    /** A worker of an executor makes the thread in which it runs. */
    @DontInline
    @Hidden public static void makes(Object worker) {
        if (any) CopseNative.makesWorker(worker);
    }

    /** The running thread begins a task. */
    @DontInline
    @Hidden public static void begins(Object task) {
        begins(task, false);
    }

    @Hidden private static void begins(Object task, boolean isTaken) {
        if (!any || !CopseWord.isStarted()) return;
        Thread thread = Thread.currentThread();
        long header = CopseThread.header();
        if (header == 0) return;
        CopseNative.beginTask(header, CopseTree.word(header, thread), task, isTaken, CopseThread.isVirtual(thread));
    }

    /** A worker of an executor begins a task. */
    @DontInline
    @Hidden public static void beginsTaken(Object task) {
        if (!isOfJdk(task)) begins(task, true);
    }

    @DontInline
    @Hidden public static void ends() {
        ends(false);
    }

    /** A worker of an executor runs no task. */
    @DontInline
    @Hidden public static void idles() {
        ends(true);
    }

    @Hidden private static void ends(boolean all) {
        if (!any || !CopseWord.isStarted()) return;
        Thread thread = Thread.currentThread();
        long header = CopseThread.headerIfAny(thread);
        if (header != 0) CopseNative.endTask(header, CopseTree.word(header, thread), all);
    }
}
