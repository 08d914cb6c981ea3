package roll.core.plugin;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import roll.api.config.WorkerConfig;
import roll.api.curriculum.Curriculum;
import roll.api.device.DeterministicAlgorithms;
import roll.api.estimator.AdvantageEstimator;
import roll.api.loss.PolicyLoss;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.tracking.Tracker;
import roll.runtime.config.NamedPlugin;
import roll.runtime.config.RolloutMockConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.plugin.PluginKinds;
import roll.runtime.plugin.RegisteredKind;
import roll.runtime.plugin.RegisteredKind.Lifetime;
import roll.runtime.plugin.RoleReferences;
import roll.runtime.plugin.StockKinds;
import roll.runtime.worker.WorkerRole;

/**
 * A plugin that a run requires.
 *
 * @param named by the configuration, or by a plugin that depends on it
 * @param type contract of the service
 */
public record PluginRequirement<T>(NamedPlugin named, Class<T> type) {
  /**
   * All plugins that {@code run} names, and the dependencies of those that are among {@code
   * plugins}, in the order in which missing ones are reported.
   */
  public static List<PluginRequirement<?>> of(RunConfig run, Plugins plugins) {
    List<PluginRequirement<?>> requirements = new ArrayList<>();
    requirements.addAll(stock(Lifetime.STEP, run));
    requirements.addAll(own(run, plugins));
    requirements.addAll(stock(Lifetime.OPEN, run));
    requirements.addAll(rollouts(run, plugins));
    return requirements;
  }

  /** Returns the requirements of the plugins of {@code kind} that {@code run} names. */
  public static <S> List<PluginRequirement<S>> of(RegisteredKind<S> kind, RunConfig run) {
    return kind.places().apply(run).stream()
        .map(place -> new PluginRequirement<>(place.named(), kind.kind().type()))
        .toList();
  }

  private static List<PluginRequirement<?>> stock(Lifetime lifetime, RunConfig run) {
    List<PluginRequirement<?>> requirements = new ArrayList<>();
    StockKinds.ALL.stream()
        .filter(kind -> kind.lifetime() == lifetime)
        .forEach(kind -> requirements.addAll(of(kind, run)));
    return requirements;
  }

  /** The requirement of the configured advantage estimator. */
  public static PluginRequirement<AdvantageEstimator> estimator(RunConfig run) {
    return of(StockKinds.ESTIMATOR, run).getFirst();
  }

  /** The requirement of the configured policy loss. */
  public static PluginRequirement<PolicyLoss> loss(RunConfig run) {
    return of(StockKinds.LOSS, run).getFirst();
  }

  /** The required curriculum; none where the mix of levels is fixed. */
  public static List<PluginRequirement<Curriculum>> curricula(RunConfig run) {
    return of(StockKinds.CURRICULUM, run);
  }

  /** The requirements of the configured trackers. */
  public static List<PluginRequirement<Tracker>> trackers(RunConfig run) {
    return of(StockKinds.TRACKER, run);
  }

  /** Returns the requirement of the worker of {@code role}. */
  public static PluginRequirement<WorkerRole> worker(RunConfig run, String role) {
    return new PluginRequirement<>(RoleReferences.worker(run, role).named(), WorkerRole.class);
  }

  /** Returns the requirement of the inference or training strategy of {@code worker}. */
  public static <S> PluginRequirement<S> strategy(WorkerConfig worker, Class<S> type) {
    return new PluginRequirement<>(RoleReferences.strategy(worker).named(), type);
  }

  /** Returns the requirement of {@code full_determinism} on the compute layer. */
  public static PluginRequirement<DeterministicAlgorithms> determinism() {
    NamedPlugin named = new NamedPlugin("full_determinism", DeterministicAlgorithms.KIND, "torch");
    return new PluginRequirement<>(named, DeterministicAlgorithms.class);
  }

  /** Plugins of custom kinds, each kind before its plugins, as a kind may be missing too. */
  public static List<PluginRequirement<?>> own(RunConfig run, Plugins plugins) {
    if (run.extensions().plugins().isEmpty()) {
      return List.of();
    }
    Set<PluginRequirement<?>> requirements = new LinkedHashSet<>();
    for (String name : run.extensions().kinds()) {
      NamedPlugin kind = new NamedPlugin(PluginKinds.KEY, PluginKinds.NAMESPACE, name);
      requirements.add(new PluginRequirement<>(kind, PluginKinds.TYPE));
    }
    try (PluginKinds kinds = PluginKinds.of(plugins)) {
      kinds.own().forEach(kind -> requirements.addAll(of(kind, run)));
    }
    return List.copyOf(requirements);
  }

  /** Plugins of rollouts; none if episodes are read from files. */
  public static List<PluginRequirement<?>> rollouts(RunConfig run, Plugins plugins) {
    RolloutMockConfig mock = run.rollout().mock();
    if (mock != null && mock.mode() == RolloutMockConfig.Mode.MOCK) {
      return List.of();
    }
    Set<PluginRequirement<?>> requirements = new LinkedHashSet<>(stock(Lifetime.ROLLOUT, run));
    requirements.addAll(new PluginDependencies(plugins).of(run));
    return List.copyOf(requirements);
  }

  /**
   * Checks that the required plugin is registered; otherwise a {@link
   * roll.api.option.UserException} names it.
   */
  public void require(Plugins plugins) {
    lease(plugins).close();
  }

  /** Whether the required plugin is not registered. */
  public boolean missing(Plugins plugins) {
    return !plugins.names(type, named.kind()).contains(named.name());
  }

  /**
   * Leases the required plugin.
   *
   * @throws roll.api.plugin.MissingPluginException if it is not registered
   */
  public Lease<T> lease(Plugins plugins) {
    return plugins.require(named.where(), type, named.kind(), named.name());
  }

  /** Returns the notice while a run waits for the plugin. */
  public String notice() {
    return "no service "
        + named.kind()
        + "="
        + named.name()
        + ": waiting until a bundle provides it";
  }
}
