package roll.shell.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;
import roll.api.option.UserException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.ClusterShape;
import roll.runtime.pipeline.MemoryPlan;
import roll.runtime.pipeline.MemoryPlan.Share;
import roll.runtime.pipeline.Planner;
import roll.runtime.pipeline.TrafficPlan;
import roll.shell.Gogo;
import roll.testkit.ExampleRunConfigs;

class PlanCommandTest {
  private static final long GIB = 1L << 30;

  /** Two devices that hold the same, and a role on the CPU. */
  private static MemoryPlan plan(List<String> unknown, @Nullable String refusal) {
    List<Share> shares = new ArrayList<>();
    for (int device : new int[] {0, 1}) {
      shares.add(
          new Share(
              "rollout",
              "actor_train",
              new SessionMemory(
                  device, Map.of(MemoryKind.PARAMETERS, GIB, MemoryKind.OFFLOADED, 4 * GIB))));
      shares.add(
          new Share(
              "rollout",
              "actor_infer",
              new SessionMemory(
                  device, Map.of(MemoryKind.PARAMETERS, GIB / 2, MemoryKind.KV_CACHE, 3 * GIB))));
    }
    shares.add(
        new Share(
            "rollout", "reference", new SessionMemory(-1, Map.of(MemoryKind.PARAMETERS, GIB))));
    return new MemoryPlan(shares, Map.of(0, 8 * GIB, 1, 8 * GIB, -1, 30 * GIB), unknown, refusal);
  }

  @Test
  void devicesThatHoldTheSameAreOneRow() {
    assertEquals(
        """
        phase    devices  role         parameters  kv_cache  offloaded  total     capacity
        rollout  cpu      reference    1.00 GiB    -         -          1.00 GiB
        rollout  cpu      all          1.00 GiB    -         -          1.00 GiB  30.00 GiB
        rollout  0-1      actor_train  1.00 GiB    -         4.00 GiB   1.00 GiB
        rollout  0-1      actor_infer  512.00 MiB  3.00 GiB  -          3.50 GiB
        rollout  0-1      all          1.50 GiB    3.00 GiB  4.00 GiB   4.50 GiB  8.00 GiB
        Totals exclude offloaded state.
        It fits.\
        """,
        new PlanReport(plan(List.of(), null)).text());
  }

  @Test
  void rolesThatSayNothingAreNamed() {
    String text = new PlanReport(plan(List.of("critic"), null)).text();
    assertTrue(
        text.endsWith("Not included, since their strategies give no estimate: critic"), text);
  }

  @Test
  void aPlanThatDoesNotFitIsPrintedAndRefused() throws Exception {
    PlanCommand command = new PlanCommand(this::load, planner("device 0 cannot hold phase train"));
    try (Gogo gogo = new Gogo(command, "plan")) {
      UserException refused =
          assertThrows(UserException.class, () -> gogo.run("plan lake.yaml a=1"));
      assertEquals("lake.yaml: device 0 cannot hold phase train", refused.getMessage());
      assertTrue(gogo.printed().contains("mini_batch  16"), gogo.printed());
      assertTrue(gogo.printed().contains("8.00 GiB"), gogo.printed());
    }
    PlanCommand fits = new PlanCommand(this::load, planner(null));
    try (Gogo gogo = new Gogo(fits, "plan")) {
      assertTrue(gogo.run("plan lake.yaml").strip().endsWith("It fits."));
    }
  }

  @Test
  void numbersOfGpusNoneOfWhichCanBeUsedAreAMistake() throws Exception {
    Planner none =
        new Planner() {
          @Override
          public MemoryPlan plan(LoadedConfig config) {
            return PlanCommandTest.plan(List.of(), null);
          }

          @Override
          public TrafficPlan traffic(LoadedConfig config, ClusterShape shape) {
            return new TrafficPlan(
                List.of(), Map.of(8, "local_train: one device", 64, "local_train: one device"));
          }
        };
    LoadedConfig small =
        new LoadedConfig(
            Path.of("lake.yaml"),
            ExampleRunConfigs.small(Path.of("here"), 1),
            "",
            List.of(),
            Set.of(),
            Map.of());
    try (Gogo gogo = new Gogo(new PlanCommand((_, _) -> small, none), "plan")) {
      UserException refused =
          assertThrows(UserException.class, () -> gogo.run("plan lake.yaml --gpus 8,64"));
      assertEquals(
          "plan: --gpus: the run can use none of [8, 64]; 8: local_train: one device",
          refused.getMessage());
      assertEquals("", gogo.printed());
    }
  }

  /** One that knows of no models; what it plans does not fit for {@code refusal}. */
  static Planner planner(@Nullable String refusal) {
    return new Planner() {
      @Override
      public MemoryPlan plan(LoadedConfig config) {
        return PlanCommandTest.plan(List.of(), refusal);
      }

      @Override
      public TrafficPlan traffic(LoadedConfig config, ClusterShape shape) {
        throw new UnsupportedOperationException();
      }
    };
  }

  /** The typed part is absent: the command does not look into it. */
  private LoadedConfig load(Path file, List<String> overrides) {
    return new LoadedConfig(
        file, null, "", List.of(), Set.of(), new TreeMap<>(Map.of("mini_batch", 16L)));
  }
}
