package roll.ui.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;
import roll.api.option.UserException;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.ClusterShape;
import roll.runtime.pipeline.MemoryPlan;
import roll.runtime.pipeline.Planner;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.TrafficPlan;
import roll.ui.RunFolderMaker;
import roll.ui.control.OrderRecordingRun;

class RunPlansTest {
  @TempDir Path folder;

  @Test
  void a_plan_is_in_megabytes_by_phase_and_device() {
    SessionMemory cpu = new SessionMemory(-1, Map.of(MemoryKind.PARAMETERS, 3L << 20));
    SessionMemory card =
        new SessionMemory(0, Map.of(MemoryKind.KV_CACHE, 1L << 20, MemoryKind.OFFLOADED, 2L << 20));
    RunPlans.RunPlan plan =
        RunPlans.inMegabytes(
            new MemoryPlan(
                List.of(
                    new MemoryPlan.Share("rollout", "actor_infer", cpu),
                    new MemoryPlan.Share("train", "actor_infer", cpu),
                    new MemoryPlan.Share("train", "actor_train", cpu),
                    new MemoryPlan.Share("train", "critic", card)),
                Map.of(-1, 1L << 30),
                List.of(),
                null));
    assertEquals(
        List.of(
            new RunPlans.Phase(
                "rollout", Map.of("cpu", 3.0), Map.of("cpu", Map.of("parameters", 3.0))),
            new RunPlans.Phase(
                "train",
                Map.of("cpu", 6.0, "0", 1.0),
                Map.of(
                    "cpu",
                    Map.of("parameters", 6.0),
                    "0",
                    Map.of("kv_cache", 1.0, "offloaded", 2.0)))),
        plan.phases());
    assertEquals(Map.of("cpu", 1024.0), plan.capacity());
  }

  /** Once, not with every answer. */
  @Test
  void what_cannot_be_planned_has_none() throws Exception {
    RunFolderMaker.finished(folder, 1);
    AtomicInteger loaded = new AtomicInteger();
    ConfigLoader loader =
        (file, overrides) -> {
          loaded.incrementAndGet();
          throw new UserException(file + ": no such environment");
        };
    RunPlans plans = new RunPlans(loader, new NoPlanner());
    RunEntry entry = RunEntry.of(folder, OrderRecordingRun.of(1, folder, State.RUNNING));
    assertNull(plans.of(entry));
    assertNull(plans.of(entry));
    assertEquals(1, loaded.get());
    assertNull(plans.of(RunEntry.of(folder, null)));
    assertEquals(1, loaded.get());
  }

  private static final class NoPlanner implements Planner {
    @Override
    public MemoryPlan plan(LoadedConfig config) {
      throw new UnsupportedOperationException();
    }

    @Override
    public TrafficPlan traffic(LoadedConfig config, ClusterShape shape) {
      throw new UnsupportedOperationException();
    }
  }
}
