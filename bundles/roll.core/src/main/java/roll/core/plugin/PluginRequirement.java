package roll.core.plugin;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import roll.api.agent.AgentType;
import roll.api.config.WorkerConfig;
import roll.api.env.Environment;
import roll.api.estimator.AdvantageEstimator;
import roll.api.loss.PolicyLoss;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.reward.RewardFunction;
import roll.api.rollout.Agent;
import roll.api.rollout.EnvManager;
import roll.api.rollout.GroupFilter;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.TrainStrategy;
import roll.api.tool.Tool;
import roll.api.tracking.Tracker;
import roll.core.Roles;
import roll.runtime.config.Named;
import roll.runtime.config.NamedPlugins;
import roll.runtime.config.RolloutMockConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.worker.WorkerRole;

/**
 * A plugin that a run requires.
 *
 * @param named by the configuration, or by a plugin that works with it
 * @param type contract of the service
 */
public record PluginRequirement<T>(Named named, Class<T> type) {
  /**
   * Everything that {@code run} names, and what those of it that are among {@code plugins} work
   * with, in the order in which what is missing is reported.
   */
  public static List<PluginRequirement<?>> of(RunConfig run, Plugins plugins) {
    List<PluginRequirement<?>> requirements = new ArrayList<>();
    requirements.add(estimator(run));
    requirements.add(loss(run));
    requirements.addAll(trackers(run));
    Roles.of(run)
        .forEach(
            (role, worker) -> {
              requirements.add(worker(role));
              requirements.add(
                  Roles.TRAINED.contains(role)
                      ? strategy(worker, TrainStrategy.class)
                      : strategy(worker, InferStrategy.class));
            });
    requirements.addAll(rollouts(run, plugins));
    return requirements;
  }

  /** The advantage estimator. */
  public static PluginRequirement<AdvantageEstimator> estimator(RunConfig run) {
    return new PluginRequirement<>(NamedPlugins.estimator(run), AdvantageEstimator.class);
  }

  /** The policy loss. */
  public static PluginRequirement<PolicyLoss> loss(RunConfig run) {
    return new PluginRequirement<>(NamedPlugins.loss(run), PolicyLoss.class);
  }

  /** The trackers. */
  public static List<PluginRequirement<Tracker>> trackers(RunConfig run) {
    return NamedPlugins.trackers(run).stream()
        .map(named -> new PluginRequirement<>(named, Tracker.class))
        .toList();
  }

  /** The worker role that does the work of {@code role}. */
  public static PluginRequirement<WorkerRole> worker(String role) {
    return new PluginRequirement<>(NamedPlugins.worker(role), WorkerRole.class);
  }

  /** The strategy of {@code worker}, one that samples or one that trains. */
  public static <S> PluginRequirement<S> strategy(WorkerConfig worker, Class<S> type) {
    return new PluginRequirement<>(NamedPlugins.strategy(worker), type);
  }

  /** What episodes are played with; nothing where they are read from files. */
  public static List<PluginRequirement<?>> rollouts(RunConfig run, Plugins plugins) {
    RolloutMockConfig mock = run.rolloutMock();
    if (mock != null && mock.mode() == RolloutMockConfig.Mode.MOCK) {
      return List.of();
    }
    Set<PluginRequirement<?>> requirements = new LinkedHashSet<>();
    Stream.concat(NamedPlugins.environments(run).stream(), NamedPlugins.players(run).stream())
        .forEach(named -> requirements.add(new PluginRequirement<>(named, contract(named.kind()))));
    requirements.addAll(new PluginDependencies(plugins).of(run));
    return List.copyOf(requirements);
  }

  private static Class<?> contract(String kind) {
    return switch (kind) {
      case "roll.env" -> Environment.class;
      case "roll.env.manager" -> EnvManager.class;
      case "roll.agent.type" -> AgentType.class;
      case "roll.tool" -> Tool.class;
      case "roll.reward" -> RewardFunction.class;
      case "roll.agent" -> Agent.class;
      case "roll.group.filter" -> GroupFilter.class;
      default -> throw new IllegalArgumentException(kind);
    };
  }

  /** Makes sure that it is there, else the {@link roll.api.option.UserException} that says so. */
  public void require(Plugins plugins) {
    lease(plugins).close();
  }

  /** Whether it is not there. */
  public boolean missing(Plugins plugins) {
    return !plugins.names(type, named.kind()).contains(named.name());
  }

  /**
   * A lease of it.
   *
   * @throws roll.api.plugin.MissingPluginException if it is not there
   */
  public Lease<T> lease(Plugins plugins) {
    return plugins.require(named.where(), type, named.kind(), named.name());
  }

  /** What is said while a run waits for it. */
  public String notice() {
    return "no service "
        + named.kind()
        + "="
        + named.name()
        + ": waiting until a bundle provides it";
  }
}
