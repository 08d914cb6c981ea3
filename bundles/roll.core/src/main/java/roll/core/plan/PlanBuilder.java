package roll.core.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.device.DeviceInfo;
import roll.api.device.DeviceInspector;
import roll.api.memory.SessionActivity;
import roll.api.memory.SessionMemory;
import roll.api.model.DecoderSpec;
import roll.api.strategy.SessionConfig;
import roll.core.plugin.StrategyChecks;
import roll.core.report.ProcessMemory;
import roll.decoder.ModelSpecs;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.MemoryPlan;
import roll.runtime.pipeline.MemoryPlan.Share;

/** Adds up the expected memory of each role's strategy in each phase. */
public final class PlanBuilder {
  private PlanBuilder() {}

  /**
   * Builds the memory plan of {@code run}.
   *
   * @param devices says what memory each has; where it is null they share the machine's
   */
  public static MemoryPlan plan(
      RunConfig run,
      StrategyChecks strategies,
      ModelSpecs models,
      @Nullable DeviceInspector devices) {
    Map<String, WorkerConfig> roles = run.roles().byName();
    Map<String, DecoderSpec> specs = new LinkedHashMap<>();
    Map<Integer, Long> capacity = new TreeMap<>();
    roles.forEach(
        (role, worker) -> {
          var unused = strategies.check(run, role, worker);
          specs.put(role, models.of(worker, run.roles().valued(role)));
          long bytes = run.session(worker).capacity(ProcessMemory.ofMachine());
          worker.devices().forEach(device -> capacity.put(device, bytes));
          if (worker.devices().isEmpty()) {
            capacity.put(-1, bytes);
          }
        });
    if (devices != null && run.devices().memory() == 0) {
      for (DeviceInfo device : devices.devices(run.devices().count())) {
        capacity.computeIfPresent(device.number(), (number, share) -> device.memory());
      }
    }
    List<Share> shares = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (PhaseRoles phase : PhaseRoles.of(run)) {
      roles.forEach(
          (role, worker) -> {
            SessionConfig session = run.session(worker);
            SessionActivity activity = phase.of(role, run);
            DecoderSpec spec = Objects.requireNonNull(specs.get(role));
            List<SessionMemory> memory = strategies.expected(role, session, spec, activity);
            memory.forEach(one -> shares.add(new Share(phase.phase(), role, one)));
            if (memory.isEmpty() && !unknown.contains(role)) {
              unknown.add(role);
            }
          });
    }
    String refusal = CapacityCheck.refusal(shares, capacity, roles);
    return new MemoryPlan(shares, capacity, unknown, refusal);
  }
}
