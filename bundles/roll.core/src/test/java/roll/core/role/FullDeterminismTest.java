package roll.core.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.device.DeterministicAlgorithms;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.core.check.ByteTokenizer;
import roll.runtime.config.DevicesConfig;
import roll.runtime.config.Extensions;
import roll.runtime.config.RoleConfig;
import roll.runtime.config.RoleConfig.Position;
import roll.runtime.config.RunConfig;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskHandlers;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.WorkerRole;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.InMemoryPluginRegistry;
import roll.testkit.UnigramModel;

/** A session is opened when the algorithms are switched, and closed before they are again. */
class FullDeterminismTest {
  private static final RoleConfig ROLE = new RoleConfig("mine", "mine", Position.ROLLOUT, Map.of());

  private final Path folder;
  private final List<String> events = new ArrayList<>();

  FullDeterminismTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** The role {@code mine} with a session, opened and closed. */
  private void work(boolean fullDeterminism, InMemoryPluginRegistry shelf) throws Exception {
    InferStrategy strategy =
        config -> {
          events.add("open");
          return new UnigramModel(4, 2, 0.1);
        };
    WorkerRole role =
        context -> {
          InferSession session = context.openInference(context.run().session(context.worker()));
          TaskHandlers handlers =
              new TaskHandlers("mine")
                  .at(Task.EditTrajectories.class, task -> TaskReply.of(task.trajectories()));
          return CompletableFuture.completedFuture(
              handlers.worker(
                  () -> {
                    events.add("close");
                    session.close();
                  }));
        };
    shelf.with("roll.worker", "mine", role).with("roll.strategy", "unigram", strategy);
    RunConfig small =
        ExampleRunConfigs.with(
            ExampleRunConfigs.small(folder, 1), new DevicesConfig(0, 0, fullDeterminism));
    RunConfig run = ExampleRunConfigs.with(small, new Extensions(List.of(), List.of(ROLE)));
    WorkerGroup.open(Set.of("roles.mine"), () -> run, shelf, null, model -> new ByteTokenizer())
        .close();
  }

  private InMemoryPluginRegistry algorithms() {
    DeterministicAlgorithms algorithms =
        () -> {
          events.add("on");
          return () -> events.add("off");
        };
    return new InMemoryPluginRegistry().with(DeterministicAlgorithms.KIND, "torch", algorithms);
  }

  @Test
  void theAlgorithmsAreUsedAsLongAsTheSession() throws Exception {
    work(true, algorithms());
    assertEquals(List.of("on", "open", "close", "off"), events);
  }

  @Test
  void byDefaultTheyAreNot() throws Exception {
    work(false, algorithms());
    assertEquals(List.of("open", "close"), events);
  }

  @Test
  void whereThereAreNoneTheRunIsRefused() {
    String refused = userError(() -> work(true, new InMemoryPluginRegistry()));
    assertTrue(refused.startsWith("full_determinism: no roll.determinism 'torch'"), refused);
    assertEquals(List.of(), events);
  }
}
