package roll.core.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig;
import roll.testkit.ExampleRunConfigs;

@NullMarked
class IdleSharesTest {
  private final Map<String, Double> metrics = new TreeMap<>();

  private static WorkerConfig on(List<Integer> devices) {
    return ExampleRunConfigs.small(Path.of("here"), 1).roles().actorTrain().withDevices(devices);
  }

  private void step() {
    metrics.put("time/step_total", 10.0);
    metrics.put("time/step_rollout", 5.0);
    metrics.put("time/rollout_generate", 2.0);
    metrics.put("time/rollout_idle_tool", 2.2);
    metrics.put("time/rollout_idle_environment", 0.8);
    metrics.put("time/step_model_update", 0.6);
    metrics.put("time/actor_train/train_step/total", 3.0);
    metrics.put("time/actor_train/compute_log_probs/total", 1.0);
  }

  @Test
  void whatNoModelComputesIsIdleByCause() {
    step();
    metrics.put("time/rollout_straggler/seconds", 2.0);
    metrics.put("time/rollout_straggler/group", 3.0);
    metrics.put("time/rollout_straggler/episode", 0.0);
    metrics.put("time/rollout_straggler/member", 7.0);
    Map<String, WorkerConfig> roles =
        Map.of("actor_train", on(List.of()), "actor_infer", on(List.of()));
    assertEquals(
        List.of(
            "40% of the step idle on cpu: tool 22% environment 8% weights 6% driver 4%; 2.0 s of"
                + " it for the episode of group 3, episode 0, member 7 alone"),
        new IdleShares(metrics, roles).add());
    assertEquals(0.4, metrics.get("idle/cpu/total"), 1e-12);
    assertEquals(0.22, metrics.get("idle/cpu/tool"), 1e-12);
    assertEquals(0.04, metrics.get("idle/cpu/driver"), 1e-12);
    assertFalse(metrics.containsKey("idle/cpu/rollout"));
  }

  @Test
  void eachDeviceHasItsOwn() {
    step();
    Map<String, WorkerConfig> roles =
        Map.of("actor_train", on(List.of(0, 1)), "actor_infer", on(List.of(2)));
    assertEquals(3, new IdleShares(metrics, roles).add().size());
    assertEquals(0.6, metrics.get("idle/1/total"), 1e-12);
    assertEquals(0.5, metrics.get("idle/1/rollout"), 1e-12);
    assertEquals(0.8, metrics.get("idle/2/total"), 1e-12);
    assertEquals(0.22, metrics.get("idle/2/tool"), 1e-12);
    assertEquals(0.44, metrics.get("idle/2/driver"), 1e-12);
  }

  @Test
  void rewardModelsComputeDuringTheRollout() {
    step();
    Map<String, WorkerConfig> roles =
        Map.of(
            "actor_train", on(List.of(0)),
            "actor_infer", on(List.of(1)),
            "reward_models.judge", on(List.of(2)));
    new IdleShares(metrics, roles).add();
    assertEquals(0.8, metrics.get("idle/2/total"), 1e-12);
    assertEquals(0.22, metrics.get("idle/2/tool"), 1e-12);
    assertFalse(metrics.containsKey("idle/2/rollout"));
  }

  @Test
  void causesNeverExceedTheIdleShare() {
    step();
    metrics.put("time/actor_train/train_step/total", 6.5);
    Map<String, WorkerConfig> roles =
        Map.of("actor_train", on(List.of()), "actor_infer", on(List.of()));
    new IdleShares(metrics, roles).add();
    double causes =
        metrics.entrySet().stream()
            .filter(metric -> metric.getKey().startsWith("idle/cpu/"))
            .filter(metric -> !metric.getKey().endsWith("/total"))
            .mapToDouble(Map.Entry::getValue)
            .sum();
    assertEquals(metrics.get("idle/cpu/total"), causes, 1e-12);
  }
}
