package roll.core.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.tracking.RunEnd;
import roll.api.tracking.Tracing;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;
import roll.core.output.RunLog;
import roll.core.plugin.PluginException;
import roll.core.plugin.PluginGuard;
import roll.core.plugin.PluginRequirement;
import roll.runtime.config.RunConfig;
import roll.runtime.option.YamlOptions;
import roll.runtime.pipeline.RunFailure;
import roll.runtime.pipeline.TrainingRun.Outcome;
import roll.runtime.trace.Tracer;
import roll.text.OneLine;
import roll.text.TerminalText;

/** Sends the metrics of a run to all its trackers, and its spans to the first that records them. */
public final class CompositeTracking implements AutoCloseable {
  private final Plugins plugins;
  private final RunLog log;
  private final Map<String, Open> open = new LinkedHashMap<>();

  /** The bundles of those that failed, by id; not asked again until another bundle has the id. */
  private final Map<String, String> lost = new HashMap<>();

  private final Tracer tracer = new Tracer(this::tracing);
  private volatile @Nullable Tracing tracing;

  /** Creates the composite without trackers; exceptions of trackers are logged in {@code log}. */
  public CompositeTracking(Plugins plugins, RunLog log) {
    this.plugins = plugins;
    this.log = log;
  }

  /** A tracker that is open in a run. */
  private record Open(
      Lease<Tracker> lease,
      PluginGuard guard,
      Tracking tracking,
      @Nullable Tracing tracing,
      Map<String, Object> options) {
    void call(String name, Consumer<Tracking> call) {
      var unused =
          guard.call(
              name,
              () -> {
                call.accept(tracking);
                return true;
              });
    }
  }

  /** Opens every tracker that {@code run} names and that is not open, from {@code nextStep} on. */
  public void openMissing(RunConfig run, int nextStep) {
    for (PluginRequirement<Tracker> requirement : PluginRequirement.trackers(run)) {
      String id = requirement.named().name();
      if (open.containsKey(id)) {
        continue;
      }
      Map<String, Object> options = run.tracking().options(id);
      Lease<Tracker> lease = requirement.lease(plugins);
      if (lease.bundle().equals(lost.get(id))) {
        lease.close();
        continue;
      }
      try {
        PluginGuard guard = PluginGuard.of("tracker", id, lease.bundle());
        Options checked =
            YamlOptions.checked(
                "tracker_kwargs." + id, options, guard.call("options", lease.service()::options));
        TrackedRun tracked =
            new TrackedRun(
                run.expName(), run.outputDir(), run.schedule().maxSteps(), nextStep, checked);
        Tracking tracking = guard.call("open", () -> lease.service().open(tracked));
        open.put(id, new Open(lease, guard, tracking, guarded(guard, tracking), options));
        chooseTracing();
      } catch (Throwable e) {
        lease.close();
        throw e;
      }
    }
  }

  private @Nullable Tracing guarded(PluginGuard guard, Tracking tracking) {
    Optional<Tracing> spans = guard.call("tracing", () -> Optional.ofNullable(tracking.tracing()));
    return spans
        .map(given -> new GuardedTracing(given, line -> log.line(guard.who() + ": " + line)))
        .orElse(null);
  }

  private void chooseTracing() {
    tracing =
        open.values().stream().map(Open::tracing).filter(Objects::nonNull).findFirst().orElse(null);
  }

  private @Nullable Tracing tracing() {
    return tracing;
  }

  /** Returns the tracer of the run. */
  public Tracer tracer() {
    return tracer;
  }

  /** Closes trackers that {@code run} no longer names, or that were replaced by others. */
  public boolean closeOutdated(RunConfig run) {
    Set<String> outdated = new TreeSet<>();
    open.forEach(
        (id, tracker) -> {
          if (!run.tracking().trackers().contains(id)
              || !tracker.options().equals(run.tracking().options(id))
              || tracker.lease().outdated()) {
            outdated.add(id);
          }
        });
    for (String id : outdated) {
      close(id);
    }
    return !outdated.isEmpty();
  }

  /** Returns the bundles of the trackers with their versions. */
  public List<String> bundles() {
    return open.values().stream().map(tracker -> tracker.lease().bundle()).toList();
  }

  /** Gives the {@code metrics} of step {@code step}, counted from 0, to every tracker. */
  public void log(int step, Map<String, Double> metrics) {
    each("log", tracking -> tracking.log(step, metrics));
  }

  /** Reports a notice to every tracker, without terminal control characters. */
  public void notice(String line) {
    String visible = TerminalText.visible(line);
    each("notice", tracking -> tracking.notice(visible));
  }

  /** The steps of a run. */
  public interface Steps {
    /** Performs the steps to the end of the run. */
    Outcome perform() throws InterruptedException, IOException;
  }

  /**
   * Performs {@code steps}, and reports their end to every tracker.
   *
   * @param done number of completed steps, for one that fails
   */
  public Outcome perform(Steps steps, IntSupplier done) throws InterruptedException, IOException {
    Outcome outcome;
    try {
      outcome = steps.perform();
    } catch (Throwable e) {
      boolean plain = e instanceof UserException || e instanceof RunFailure;
      String reason = OneLine.of(plain ? String.valueOf(e.getMessage()) : e.toString());
      try {
        ended(new RunEnd(RunEnd.State.FAILED, done.getAsInt(), reason));
      } catch (PluginException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
    RunEnd.State state = outcome.interrupted() ? RunEnd.State.INTERRUPTED : RunEnd.State.FINISHED;
    ended(new RunEnd(state, outcome.steps(), ""));
    return outcome;
  }

  private void ended(RunEnd end) {
    each("ended", tracking -> tracking.ended(end));
  }

  /** Waits until every tracker has written its metrics. */
  public void flush() {
    each("flush", Tracking::flush);
  }

  /** Calls each tracker; one that fails is disabled, the run and the other trackers continue. */
  private void each(String name, Consumer<Tracking> call) {
    List<String> lines = new ArrayList<>();
    for (String id : List.copyOf(open.keySet())) {
      Open tracker = Objects.requireNonNull(open.get(id));
      try {
        tracker.call(name, call);
      } catch (PluginException e) {
        endsTheRun(e);
        open.remove(id);
        chooseTracing();
        lost.put(id, tracker.lease().bundle());
        lines.add(e.getMessage() + "; it gets no more metrics");
        log.line(lines.getLast());
        log.line(e.stack());
        close(tracker);
      }
    }
    lines.forEach(this::notice);
  }

  /** A file that cannot be written is no fault of the tracker, and ends the run. */
  private static void endsTheRun(PluginException e) {
    if (e.ofTheMachine()) {
      throw e;
    }
  }

  private void close(String id) {
    Open tracker = open.remove(id);
    chooseTracing();
    if (tracker != null) {
      close(tracker);
    }
  }

  private void close(Open tracker) {
    try (var _ = tracker.lease()) {
      tracker.call("close", Tracking::close);
    } catch (PluginException e) {
      endsTheRun(e);
      log.line(e.getMessage());
      log.line(e.stack());
    }
  }

  @Override
  public void close() {
    List.copyOf(open.keySet()).forEach(this::close);
  }
}
