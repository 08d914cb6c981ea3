package roll.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.TokenRewards;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;
import roll.core.output.RunLog;
import roll.core.report.CompositeTracking;
import roll.math.LossRows;
import roll.runtime.option.YamlOptions;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.InMemoryPluginRegistry;

/** Estimators, losses and trackers do what none may do: one line names them, and nothing waits. */
@NullMarked
@Timeout(60)
class PluginGuardTest {
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final Options NO_OPTIONS = YamlOptions.checked("options", Map.of(), List.of());
  private static final TokenRewards REWARDS =
      TokenRewards.of(new double[][] {{1, 2}}, new int[][] {{1, 1}});

  /** Misbehavior in place of a result. */
  private enum Evil {
    THROWS,
    OVERFLOWS,
    RUNS_OUT_OF_MEMORY,
    LINKS_NOT,
    HOSTILE,
    INTERRUPTS,
    HANGS,
    NULL,
    TOO_SHORT;

    /** {@code fine}, where nothing else comes of it. */
    @SuppressWarnings("NullAway") // that is the point
    <T> T or(T fine, T tooShort) {
      return switch (this) {
        case THROWS -> throw new IllegalStateException("it broke\nin two");
        case OVERFLOWS -> or(or(fine, tooShort), tooShort);
        case RUNS_OUT_OF_MEMORY -> throw new OutOfMemoryError("Java heap space");
        case LINKS_NOT -> throw new NoClassDefFoundError("no/such/Class");
        case HOSTILE ->
            throw new RuntimeException() {
              private static final long serialVersionUID = 1;

              @Override
              public String getMessage() {
                throw new StackOverflowError();
              }
            };
        case INTERRUPTS -> {
          Thread.currentThread().interrupt();
          yield fine;
        }
        case HANGS -> {
          hang();
          yield fine;
        }
        case NULL -> null;
        case TOO_SHORT -> tooShort;
      };
    }

    private static void hang() {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void endsWithOneLine(Evil evil, String who, Supplier<?> step) {
    if (evil == Evil.INTERRUPTS) {
      var unused = step.get();
    } else {
      UserException e = assertThrows(PluginException.class, step::get);
      assertTrue(e.getMessage().startsWith(who + ": "), e.getMessage());
      assertEquals(1, e.getMessage().lines().count());
    }
    assertFalse(Thread.currentThread().isInterrupted());
  }

  @ParameterizedTest
  @EnumSource
  void anEstimator(Evil evil) {
    AdvantageEstimator estimator =
        new AdvantageEstimator() {
          @Override
          public EstimatorInfo info() {
            throw new UnsupportedOperationException();
          }

          @Override
          public Advantages estimate(TokenRewards rewards, Options options) {
            return evil.or(Advantages.of(new double[2]), Advantages.of(new double[1]));
          }
        };
    var guarded =
        new GuardedEstimator(estimator, new PluginGuard("adv_estimator 'evil' (e 1.0.0)", SHORT));
    endsWithOneLine(evil, guarded.guard().who(), () -> guarded.estimate(REWARDS, NO_OPTIONS));
  }

  @ParameterizedTest
  @EnumSource
  void aLoss(Evil evil) {
    PolicyLoss loss =
        new PolicyLoss() {
          @Override
          public LossInfo info() {
            throw new UnsupportedOperationException();
          }

          @Override
          public LossResult evaluate(LossInput input, Options options) {
            return evil.or(result(0), result(1));
          }
        };
    var guarded =
        new GuardedLoss(loss, new PluginGuard("actor_train.pg_variant 'evil' (e 1.0.0)", SHORT));
    LossInput nothing =
        LossRows.nothing(ExampleRunConfigs.small(Path.of(""), 1).algorithm().loss());
    endsWithOneLine(evil, guarded.guard().who(), () -> guarded.evaluate(nothing, NO_OPTIONS));
  }

  private static LossResult result(int cells) {
    return new LossResult(0, new double[cells], new double[cells], Map.of());
  }

  /** The other trackers continue and receive the failure; the failed one is not called again. */
  @ParameterizedTest
  @EnumSource(names = {"THROWS", "OVERFLOWS", "RUNS_OUT_OF_MEMORY", "LINKS_NOT", "HOSTILE"})
  void aTracker(Evil evil, @TempDir Path folder) throws Exception {
    List<String> told = new ArrayList<>();
    Tracker good = run -> new Told(told, Evil.INTERRUPTS);
    Tracker bad = run -> new Told(new ArrayList<>(), evil);
    InMemoryPluginRegistry shelf =
        new InMemoryPluginRegistry()
            .with("roll.tracker", "bad", bad)
            .with("roll.tracker", "good", good);
    var run = ExampleRunConfigs.tracked(ExampleRunConfigs.small(folder, 1), "bad", "good");
    try (RunLog log = new RunLog(folder);
        CompositeTracking trackers = new CompositeTracking(shelf, log)) {
      trackers.openMissing(run, 0);
      trackers.log(0, Map.of());
      trackers.openMissing(run, 1);
      trackers.log(1, Map.of());
      trackers.notice("a name \u202Egnp.exe");
    }
    assertEquals(0, shelf.leased());
    assertEquals("a name \uFFFDgnp.exe", told.getLast());
    assertEquals("0", told.getFirst());
    assertTrue(told.get(1).startsWith("tracker 'bad' ("), told::toString);
    assertTrue(told.get(1).endsWith("; it gets no more metrics"), told::toString);
    assertEquals("1", told.get(2), "the bad one is not asked again");
    assertTrue(Files.readString(folder.resolve("run.log")).contains("tracker 'bad'"));
  }

  private record Told(List<String> lines, Evil evil) implements Tracking {
    @Override
    public void log(int step, Map<String, Double> metrics) {
      lines.add(evil.or(String.valueOf(step), ""));
    }

    @Override
    public void notice(String line) {
      lines.add(line);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      var unused = evil.or("", "");
    }
  }

  @Test
  void whatAPersonDidWrongIsToldAsItIs() {
    PluginGuard guard = new PluginGuard("loss", SHORT);
    assertEquals(
        "clip: 7 (allowed: 0 to 1)",
        userError(
            () ->
                guard.call(
                    "options",
                    () -> {
                      throw new UserException("clip: 7 (allowed: 0 to 1)");
                    })));
  }
}
