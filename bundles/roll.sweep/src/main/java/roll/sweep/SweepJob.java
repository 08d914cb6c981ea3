package roll.sweep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.sweep.SweepResult;
import roll.runtime.sweep.SweepRun;
import roll.runtime.sweep.SweptRun.State;

/** A running sweep: starts waiting runs while fewer than the maximum are running. */
final class SweepJob implements SweepRun {
  /** Maximum seconds to wait for the previous process of a run that is continued. */
  private static final long RELEASE_SECONDS = 60;

  private final Path folder;
  private final List<String> notices;
  private final RunStarter starter;
  private final SweepLock lock;
  private final @Nullable String metric;
  private final Consumer<String> lines;
  private final CompletableFuture<SweepResult> outcome = new CompletableFuture<>();
  private final Deque<SweepRecord.Entry> waiting;
  private final List<RunProcess> running = new ArrayList<>();
  private final int runs;
  private SweepRecord record;
  private int begun;
  private boolean stopping;
  private @Nullable UserException trouble;

  /**
   * Creates a sweep that {@link #begin} starts.
   *
   * @param todo unfinished runs of {@code record}
   * @param lock of the folder, released at the end
   * @param lines receives a line when a run starts or ends
   */
  SweepJob(
      Path folder,
      SweepRecord record,
      List<SweepRecord.Entry> todo,
      List<String> notices,
      RunStarter starter,
      SweepLock lock,
      @Nullable String metric,
      Consumer<String> lines) {
    this.folder = folder;
    this.record = record;
    this.waiting = new ArrayDeque<>(todo);
    this.runs = todo.size();
    this.notices = List.copyOf(notices);
    this.starter = starter;
    this.lock = lock;
    this.metric = metric;
    this.lines = lines;
  }

  /** Starts one run for each of {@code environments}, the variables of its process. */
  void begin(List<Map<String, String>> environments) {
    List<Thread> threads = new ArrayList<>();
    for (Map<String, String> environment : environments) {
      threads.add(Thread.ofVirtual().name("roll-sweep-run").start(() -> runAll(environment)));
    }
    Thread.ofPlatform().name("roll-sweep").start(() -> end(threads));
  }

  /** Completes the outcome after the folder is unlocked, so that a waiting sweep can use it. */
  private void end(List<Thread> threads) {
    try {
      outcome.complete(result(threads));
    } catch (Throwable e) {
      outcome.completeExceptionally(e);
    }
  }

  private SweepResult result(List<Thread> threads) throws InterruptedException {
    try (lock) {
      for (Thread thread : threads) {
        thread.join();
      }
      UserException problem = trouble();
      if (problem != null) {
        throw problem;
      }
      return SweepPicture.draw(SweepSummary.of(folder, record(), metric));
    }
  }

  private void runAll(Map<String, String> environment) {
    try {
      for (SweepRecord.Entry run = next(); run != null; run = next()) {
        run(run, environment);
      }
    } catch (UserException e) {
      give(e);
    } catch (InterruptedException e) {
      stop();
    } catch (RuntimeException e) {
      give(new UserException("sweep: " + e, e));
    }
  }

  private synchronized SweepRecord.@Nullable Entry next() {
    if (stopping || waiting.isEmpty()) {
      return null;
    }
    begun++;
    return waiting.removeFirst();
  }

  private void run(SweepRecord.Entry run, Map<String, String> environment)
      throws InterruptedException {
    String name = "[" + begun() + "/" + runs + "] " + run.combination().label() + ": ";
    Path own = folder.resolve(run.folder());
    Path log = folder.resolve(run.folder() + ".log");
    RunProcess.End end;
    try {
      String changed = starter.changed(run);
      if (changed != null) {
        end = new RunProcess.End(State.FAILED, changed);
      } else {
        boolean there = Files.isDirectory(own);
        awaitFree(own, name);
        write(run.in(State.RUNNING, null));
        lines.accept(name + (there ? "continued" : "started") + ", output in " + log);
        end = follow(starter.start(run, there, environment, log));
      }
    } catch (IOException e) {
      end = new RunProcess.End(State.FAILED, "cannot be started: " + IoReason.of(e));
    }
    write(run.in(end.state(), end.problem()));
    lines.accept(name + RunOutcomeLine.of(own, end, metric));
  }

  private RunProcess.End follow(RunProcess process) throws InterruptedException {
    synchronized (this) {
      running.add(process);
      if (stopping) {
        process.stop();
      }
    }
    try {
      return process.await();
    } finally {
      synchronized (this) {
        running.remove(process);
      }
    }
  }

  /** Waits until the run of a killed sweep has saved after its current step. */
  private void awaitFree(Path own, String name) throws InterruptedException {
    for (long waited = 0;
        waited < RELEASE_SECONDS && !isStopping() && SweepLock.held(own);
        waited++) {
      if (waited == 0) {
        lines.accept(
            name + "waiting for " + SweepLock.holder(own) + ", which is still writing there");
      }
      Thread.sleep(1000);
    }
  }

  private synchronized void write(SweepRecord.Entry run) {
    record = record.with(run);
    record.write(folder);
  }

  private synchronized void give(UserException problem) {
    trouble = trouble == null ? problem : trouble;
    stopping = true;
  }

  private synchronized @Nullable UserException trouble() {
    return trouble;
  }

  private synchronized SweepRecord record() {
    return record;
  }

  private synchronized int begun() {
    return begun;
  }

  private synchronized boolean isStopping() {
    return stopping;
  }

  @Override
  public synchronized void stop() {
    stopping = true;
    running.forEach(RunProcess::stop);
  }

  @Override
  public List<String> notices() {
    return notices;
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public CompletableFuture<SweepResult> outcome() {
    return outcome;
  }
}
