package roll.ui.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.MemoryPlan;
import roll.runtime.pipeline.Planner;
import roll.ui.file.FileCache;

/**
 * The planned memory of runs of this process, each configuration planned once. Other runs may have
 * used another machine, which is unknown here.
 */
public final class RunPlans {
  private static final int SIZE = 64;
  private static final double MEGABYTE = 1 << 20;

  private final FileCache<@Nullable RunPlan> plans;

  /** Plans with a planner; where one of both is null, there are no plans. */
  public RunPlans(@Nullable ConfigLoader loader, @Nullable Planner planner) {
    plans =
        new FileCache<@Nullable RunPlan>(
            SIZE,
            (file, stamp) ->
                stamp == null || loader == null || planner == null
                    ? null
                    : plan(loader, planner, file));
  }

  /**
   * The memory that a run is expected to use.
   *
   * @param phases in the order of a step
   * @param capacity megabytes by device; {@code cpu} is the machine
   * @param unknown roles whose strategy does not report its memory
   * @param refusal what does not fit, or null
   */
  record RunPlan(
      List<Phase> phases,
      Map<String, Double> capacity,
      List<String> unknown,
      @Nullable String refusal) {}

  /**
   * Memory of all roles together in one phase.
   *
   * @param devices megabytes of the device's own memory, by device
   * @param states megabytes by device and purpose, such as {@code kv_cache}; those {@code
   *     offloaded} are not counted in {@code devices}
   */
  record Phase(String name, Map<String, Double> devices, Map<String, Map<String, Double>> states) {}

  /** Returns the plan of {@code entry}; null for a run of another process or one without a plan. */
  @Nullable RunPlan of(RunEntry entry) throws IOException {
    return entry.run() == null ? null : plans.get(entry.folder().resolve(ConfigSummary.NAME));
  }

  private static @Nullable RunPlan plan(ConfigLoader loader, Planner planner, Path file) {
    try {
      LoadedConfig config = loader.loadAsWritten(file, List.of());
      return config.onlySft() ? null : inMegabytes(planner.plan(config));
    } catch (UserException e) {
      return null; // a plugin or a model that it names is no longer available
    }
  }

  /** Returns the memory plan {@code plan} in megabytes. */
  static RunPlan inMegabytes(MemoryPlan plan) {
    return new RunPlan(
        plan.phases().stream()
            .map(name -> new Phase(name, megabytes(plan.held(name)), states(plan, name)))
            .toList(),
        megabytes(plan.capacity()),
        plan.unknown(),
        plan.refusal());
  }

  private static Map<String, Map<String, Double>> states(MemoryPlan plan, String phase) {
    Map<Integer, Map<String, Double>> states = new TreeMap<>();
    for (MemoryPlan.Share share : plan.shares()) {
      if (share.phase().equals(phase)) {
        Map<String, Double> held =
            states.computeIfAbsent(share.memory().device(), _ -> new LinkedHashMap<>());
        share
            .memory()
            .bytes()
            .forEach(
                (kind, bytes) ->
                    held.merge(
                        kind.name().toLowerCase(Locale.ROOT), bytes / MEGABYTE, Double::sum));
      }
    }
    Map<String, Map<String, Double>> named = new LinkedHashMap<>();
    states.forEach((device, held) -> named.put(name(device), held));
    return named;
  }

  private static String name(int device) {
    return device < 0 ? "cpu" : String.valueOf(device);
  }

  private static Map<String, Double> megabytes(Map<Integer, Long> bytes) {
    Map<String, Double> named = new LinkedHashMap<>();
    new TreeMap<>(bytes).forEach((device, held) -> named.put(name(device), held / MEGABYTE));
    return named;
  }
}
