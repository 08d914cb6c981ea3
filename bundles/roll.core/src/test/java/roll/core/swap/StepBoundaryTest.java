package roll.core.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.plugin.MissingPluginException;
import roll.core.output.RunLog;
import roll.core.plugin.StepPlugins;
import roll.core.report.CompositeTracking;
import roll.core.report.RunProgress;
import roll.core.role.WorkerGroup;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.plugin.PluginRegistry;
import roll.testkit.ExampleRunConfigs;

/** A run waits for a missing plugin between two steps. */
@Timeout(60)
class StepBoundaryTest {
  @TempDir Path folder;

  /** Number of printed lines after which the run is stopped. */
  private int lines = 1;

  private final List<String> told = new ArrayList<>();
  private final Registry registry = new Registry();
  private RunControl control;
  private RunProgress progress;

  /** Plugins of which all are there, but that those asked for are given out as a test has it. */
  private static final class Registry implements PluginRegistry {
    /** Results of leasing the estimator, one after the other. */
    final List<Answer> estimator = new ArrayList<>();

    private boolean gone;
    private int open;

    /** Runs while the run looks up the plugins for the first time. */
    private Runnable meanwhile = () -> {};

    private enum Answer {
      GIVEN,
      GONE,
      GONE_FOR_GOOD
    }

    @Override
    public <T> @Nullable Lease<T> lease(Class<T> type, String kind, String name) {
      if (kind.equals("roll.loss")) {
        throw new UserException("no loss for you");
      }
      if (!kind.equals("roll.estimator")) {
        return null;
      }
      Answer answer = estimator.removeFirst();
      gone = answer == Answer.GONE_FOR_GOOD;
      if (answer == Answer.GIVEN) {
        open++;
        return new Taken<>();
      }
      return null;
    }

    @Override
    public @Nullable String trouble(Class<?> type, String kind, String name) {
      return kind.equals("roll.estimator") && !gone
          ? kind + " '" + name + "' of maze 1.0.0 cannot be had"
          : null;
    }

    @Override
    public List<String> names(Class<?> type, String kind) {
      Runnable now = meanwhile;
      meanwhile = () -> {};
      now.run();
      return gone && kind.equals("roll.estimator")
          ? List.of()
          : List.of(
              "grpo",
              "ppo",
              "unigram",
              "game",
              "trajectory",
              "actor_train",
              "actor_infer",
              "reference",
              "critic",
              "environment");
    }

    private final class Taken<T> implements Lease<T> {
      @Override
      public T service() {
        throw new AssertionError("nothing is computed");
      }

      @Override
      public String bundle() {
        return "registry 1.0.0";
      }

      @Override
      public boolean outdated() {
        return false;
      }

      @Override
      public void close() {
        open--;
      }
    }
  }

  @BeforeEach
  void begin() {
    control = new RunControl(config());
    progress = new RunProgress(3);
  }

  private LoadedConfig config() {
    RunConfig run = ExampleRunConfigs.small(folder, 1);
    return new LoadedConfig(Path.of("small.yaml"), run, "", List.of(), Set.of(), Map.of());
  }

  /** Passes the boundary before step 0 where asking for the estimator comes to {@code answers}. */
  private @Nullable StepPlugins pass(Registry.Answer... answers)
      throws InterruptedException, IOException {
    registry.estimator.addAll(List.of(answers));
    AtomicReference<LoadedConfig> config = new AtomicReference<>(config());
    try (WorkerGroup workers =
            WorkerGroup.open(
                Set.of(),
                () -> config.get().run(),
                registry,
                null,
                model -> {
                  throw new AssertionError("no role is opened");
                });
        CompositeTracking trackers = new CompositeTracking(registry, new RunLog(folder));
        RunLog log = new RunLog(folder)) {
      StepBoundary boundary =
          new StepBoundary(
              config,
              control,
              progress,
              registry,
              workers,
              trackers,
              log,
              () -> {
                throw new AssertionError("nothing is saved");
              });
      return boundary.pass(
          0,
          line -> {
            told.add(line);
            if (told.size() == lines) {
              control.stop();
            }
            registry.gone = false;
          });
    }
  }

  @Test
  void whatWentAndCameBackIsTriedAgain() {
    assertEquals(
        "no loss for you",
        userError(() -> pass(Registry.Answer.GONE, Registry.Answer.GIVEN, Registry.Answer.GIVEN)),
        "the second time the estimator was had");
    assertEquals(List.of(), registry.estimator);
    assertEquals(0, registry.open);
  }

  @Test
  void anyOtherRefusalIsToldAtOnce() {
    assertThrows(UserException.class, () -> pass(Registry.Answer.GIVEN, Registry.Answer.GIVEN));
    assertEquals(List.of(Registry.Answer.GIVEN), registry.estimator, "it was asked for once");
    assertEquals(0, registry.open);
  }

  @Test
  void whatIsThereButCannotBeHadIsToldAtOnce() {
    assertThrows(
        MissingPluginException.class, () -> pass(Registry.Answer.GONE, Registry.Answer.GONE));
    assertEquals(List.of(), registry.estimator, "it was asked for, and then whether it is back");
  }

  /** A jar that is refused was registered for a moment: the run that waits for it waits on. */
  @Test
  void whatIsRefusedWhileTheRunWaitsIsWaitedFor() throws Exception {
    lines = 2;
    assertNull(pass(Registry.Answer.GONE_FOR_GOOD, Registry.Answer.GONE, Registry.Answer.GONE));
    assertEquals(
        List.of(
            "no service roll.estimator=grpo: waiting until a bundle provides it",
            "adv_estimator: roll.estimator 'grpo' of maze 1.0.0 cannot be had: waiting until"
                + " another bundle or a swap fixes it"),
        told);
    assertEquals(State.WAITING, progress.status().state());
    assertEquals(0, registry.open);
  }

  @Test
  void whatWentIsWaitedFor() throws Exception {
    assertNull(pass(Registry.Answer.GONE_FOR_GOOD, Registry.Answer.GONE_FOR_GOOD));
    assertEquals(
        List.of("no service roll.estimator=grpo: waiting until a bundle provides it"), told);
    assertEquals(State.WAITING, progress.status().state());
  }

  @Test
  void aSwapBeforeAResumeCountsFromTheNextStepOn() {
    lines = 2;
    control.pause(true);
    registry.meanwhile =
        () -> {
          assertTrue(control.change(control.wanted(), config(), "estimator grpo → rloo"));
          control.pause(false);
        };
    assertThrows(UserException.class, () -> pass(Registry.Answer.GIVEN));
    assertEquals(List.of("from step 0 on: estimator grpo → rloo"), told);
  }
}
