package roll.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.device.DeviceInfo;
import roll.api.device.DeviceInspector;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.ClusterShape;
import roll.runtime.pipeline.MemoryPlan;
import roll.runtime.pipeline.Planner;
import roll.runtime.pipeline.TrafficPlan;
import roll.testkit.ExampleRunConfigs;

/** Runs side by side on machines that are made up. */
class JobEnvironmentsTest {
  private static final long GIB = 1L << 30;
  private static final LoadedConfig CONFIG =
      new LoadedConfig(
          Path.of("lake.yaml"),
          ExampleRunConfigs.small(Path.of("out"), 1),
          "",
          List.of(),
          Set.of(),
          Map.of());

  /** Reports {@code count} devices of a kind, of 8 GiB each. */
  private record ComputeFingerprint(int count, String kind) implements DeviceInspector {
    @Override
    public List<DeviceInfo> devices(int asked) {
      return IntStream.range(0, count)
          .mapToObj(i -> new DeviceInfo(i, kind, kind, 8 * GIB))
          .toList();
    }

    @Override
    public String library() {
      return "none";
    }

    @Override
    public List<String> unused() {
      return List.of();
    }
  }

  /** A run that holds 5 GiB in the larger of its phases, 3 and 2 of them in two roles. */
  private static final class Needy implements Planner {
    @Override
    public MemoryPlan plan(LoadedConfig config) {
      return new MemoryPlan(
          List.of(share("rollout", 4), share("train", 3), share("train", 2)),
          Map.of(0, 16 * GIB),
          List.of(),
          null);
    }

    private static MemoryPlan.Share share(String phase, long gigabytes) {
      return new MemoryPlan.Share(
          phase, "actor", new SessionMemory(0, Map.of(MemoryKind.PARAMETERS, gigabytes * GIB)));
    }

    @Override
    public TrafficPlan traffic(LoadedConfig config, ClusterShape shape) {
      throw new AssertionError();
    }
  }

  @Test
  void oneRunHasTheMachineAsItIs() {
    assertEquals(List.of(Map.of()), places(1, new ComputeFingerprint(1, "cpu"), Map.of()));
  }

  @Test
  void coresAreSharedOutUnlessSomebodySaysOtherwise() {
    Map<String, String> two = Map.of("OMP_NUM_THREADS", "2");
    assertEquals(List.of(two, two, two), places(3, new ComputeFingerprint(2, "cpu"), Map.of()));
    Map<String, String> set = Map.of("OMP_NUM_THREADS", "5");
    assertEquals(List.of(Map.of(), Map.of()), places(2, new ComputeFingerprint(2, "cpu"), set));
  }

  /** Two devices of 8 GiB have room for three of 5 GiB. */
  @Test
  void memoryLimitsHowManyThereAre() {
    ComputeFingerprint machine = new ComputeFingerprint(2, "cpu");
    assertEquals(3, JobEnvironments.of(3, CONFIG, machine, new Needy(), Map.of(), 6).size());
    assertEquals(
        "sweep: --jobs: 4 runs need 5.00 GiB each, this machine has 16.00 GiB: at most 3",
        userError(() -> JobEnvironments.of(4, CONFIG, machine, new Needy(), Map.of(), 6)));
  }

  @Test
  void eachRunHasCardsOfItsOwn() {
    ComputeFingerprint cards = new ComputeFingerprint(2, "cuda");
    assertEquals(
        List.of(Map.of("CUDA_VISIBLE_DEVICES", "0"), Map.of("CUDA_VISIBLE_DEVICES", "1")),
        places(2, cards, Map.of()));
    assertEquals(
        List.of(Map.of("CUDA_VISIBLE_DEVICES", "3"), Map.of("CUDA_VISIBLE_DEVICES", "5")),
        places(2, cards, Map.of("CUDA_VISIBLE_DEVICES", "3, 5")));
    assertEquals(
        "sweep: --jobs: 3 runs with 1 GPUs each need 3, this machine has 2",
        userError(() -> places(3, cards, Map.of())));
  }

  @Test
  void theNumberHasARange() {
    assertEquals(
        "sweep: --jobs: expected an integer from 1 to 64, found 0",
        userError(() -> places(0, new ComputeFingerprint(1, "cpu"), Map.of())));
  }

  private static List<Map<String, String>> places(
      int jobs, DeviceInspector machine, Map<String, String> environment) {
    return JobEnvironments.of(jobs, CONFIG, machine, null, environment, 6);
  }
}
