package roll.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.api.config.WorkerConfig;
import roll.api.model.DecoderSpec;
import roll.api.plugin.Plugins;
import roll.api.strategy.Activity;
import roll.api.strategy.DeviceMemory;
import roll.api.strategy.SessionConfig;
import roll.decoder.ModelSpecs;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.Plan;
import roll.runtime.pipeline.Plan.Share;
import roll.runtime.pipeline.Planner;

/** Asks the strategy of each role what it will hold while a phase goes on. */
@Component(name = "roll.core.planner")
public final class CorePlanner implements Planner {
  private final Strategies strategies;
  private final @Nullable ModelSpecs models;

  /** The planner of this framework; it plans nothing where nothing reads models. */
  @Activate
  public CorePlanner(
      @Reference Plugins plugins,
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable ModelSpecs models) {
    this.strategies = new Strategies(plugins);
    this.models = models;
  }

  @Override
  public Plan plan(LoadedConfig config) {
    if (models == null) {
      throw NoModels.complaint("plan");
    }
    return plan(config.run(), strategies, models);
  }

  /** The plan of {@code run}. */
  static Plan plan(RunConfig run, Strategies strategies, ModelSpecs models) {
    Map<String, WorkerConfig> roles = run.roles();
    Map<String, DecoderSpec> specs = new LinkedHashMap<>();
    Map<Integer, Long> capacity = new TreeMap<>();
    roles.forEach(
        (role, worker) -> {
          var unused = strategies.check(role, worker);
          specs.put(role, models.of(worker, role.equals("critic")));
          long bytes = run.session(worker).capacity(Memory.ofMachine());
          worker.devices().forEach(device -> capacity.put(device, bytes));
          if (worker.devices().isEmpty()) {
            capacity.put(-1, bytes);
          }
        });
    List<Share> shares = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (Duty duty : Duty.of(run)) {
      roles.forEach(
          (role, worker) -> {
            SessionConfig session = run.session(worker);
            Activity activity = duty.of(role, run);
            DecoderSpec spec = Objects.requireNonNull(specs.get(role));
            List<DeviceMemory> memory = strategies.expected(role, session, spec, activity);
            memory.forEach(one -> shares.add(new Share(duty.phase(), role, one)));
            if (memory.isEmpty() && !unknown.contains(role)) {
              unknown.add(role);
            }
          });
    }
    String refusal = Overflow.refusal(shares, capacity, roles);
    return new Plan(shares, capacity, unknown, refusal);
  }
}
