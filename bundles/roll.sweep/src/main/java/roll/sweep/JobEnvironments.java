package roll.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.device.DeviceInfo;
import roll.api.device.DeviceInspector;
import roll.api.option.UserException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.MemoryPlan;
import roll.runtime.pipeline.Planner;
import roll.text.ByteSize;

/**
 * Divides the machine among concurrent runs: each gets its own GPUs, or a share of cores and
 * memory.
 */
final class JobEnvironments {
  private static final String THREADS = "OMP_NUM_THREADS";
  private static final String CARDS = "CUDA_VISIBLE_DEVICES";
  private static final int MOST = 64;

  private JobEnvironments() {}

  /**
   * Returns the additional environment variables of each of {@code jobs} processes.
   *
   * @param config of a run
   * @param environment of this process
   * @param cores available to this process
   * @throws UserException if the machine is too small for that many runs
   */
  static List<Map<String, String>> of(
      int jobs,
      LoadedConfig config,
      @Nullable DeviceInspector inspector,
      @Nullable Planner planner,
      Map<String, String> environment,
      int cores) {
    if (jobs < 1 || jobs > MOST) {
      throw new UserException(
          "sweep: --jobs: expected an integer from 1 to %d, found %d".formatted(MOST, jobs));
    }
    if (jobs == 1) {
      return List.of(Map.of());
    }
    List<DeviceInfo> devices = inspector == null ? List.of() : inspector.devices();
    List<DeviceInfo> cards = devices.stream().filter(device -> !cpu(device)).toList();
    if (!cards.isEmpty()) {
      return onCards(jobs, config, cards.size(), environment.get(CARDS));
    }
    long memory = devices.stream().mapToLong(DeviceInfo::memory).sum();
    if (planner != null && memory > 0 && !config.onlySft()) {
      requireMemory(jobs, planner.plan(config), memory);
    }
    Map<String, String> share =
        environment.containsKey(THREADS)
            ? Map.of()
            : Map.of(THREADS, String.valueOf(Math.max(1, cores / jobs)));
    return IntStream.range(0, jobs).mapToObj(job -> share).toList();
  }

  private static boolean cpu(DeviceInfo device) {
    return device.kind().equals("cpu");
  }

  private static List<Map<String, String>> onCards(
      int jobs, LoadedConfig config, int cards, @Nullable String visible) {
    TreeSet<Integer> used = new TreeSet<>();
    config.rolesByName().values().forEach(role -> used.addAll(role.devices()));
    int each = Math.max(1, used.headSet(cards).size());
    if (jobs * each > cards) {
      throw new UserException(
          "sweep: --jobs: %d runs with %d GPUs each need %d, this machine has %d"
              .formatted(jobs, each, jobs * each, cards));
    }
    List<String> names =
        visible == null || visible.isBlank()
            ? IntStream.range(0, cards).mapToObj(String::valueOf).toList()
            : List.of(visible.strip().split("\\s*,\\s*", -1));
    List<Map<String, String>> places = new ArrayList<>();
    for (int job = 0; job < jobs; job++) {
      List<String> own = names.subList(job * each, (job + 1) * each);
      places.add(Map.of(CARDS, String.join(",", own)));
    }
    return places;
  }

  private static void requireMemory(int jobs, MemoryPlan plan, long memory) {
    Map<String, Long> phases = new TreeMap<>();
    for (MemoryPlan.Share share : plan.shares()) {
      phases.merge(share.phase(), share.memory().resident(), Long::sum);
    }
    long need = phases.values().stream().mapToLong(Long::longValue).max().orElse(0);
    if (need > memory / jobs) {
      throw new UserException(
          "sweep: --jobs: %d runs need %s each, this machine has %s: at most %d"
              .formatted(jobs, ByteSize.of(need), ByteSize.of(memory), Math.max(1, memory / need)));
    }
  }
}
