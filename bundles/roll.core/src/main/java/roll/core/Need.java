package roll.core;

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
import roll.runtime.config.Named;
import roll.runtime.config.NamedPlugins;
import roll.runtime.config.RolloutMockConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.worker.WorkerRole;

/**
 * A plugin that a run needs.
 *
 * @param named by the configuration, or by a plugin that works with it
 * @param type contract of the service
 */
record Need<T>(Named named, Class<T> type) {
  /**
   * Everything that {@code run} names, and what those of it that are among {@code plugins} work
   * with, in the order in which what is missing is told.
   */
  static List<Need<?>> of(RunConfig run, Plugins plugins) {
    List<Need<?>> needs = new ArrayList<>();
    needs.add(estimator(run));
    needs.add(loss(run));
    needs.addAll(trackers(run));
    Roles.of(run)
        .forEach(
            (role, worker) -> {
              needs.add(worker(role));
              needs.add(
                  Roles.TRAINED.contains(role)
                      ? strategy(worker, TrainStrategy.class)
                      : strategy(worker, InferStrategy.class));
            });
    needs.addAll(rollouts(run, plugins));
    return needs;
  }

  /** The advantage estimator. */
  static Need<AdvantageEstimator> estimator(RunConfig run) {
    return new Need<>(NamedPlugins.estimator(run), AdvantageEstimator.class);
  }

  /** The policy loss. */
  static Need<PolicyLoss> loss(RunConfig run) {
    return new Need<>(NamedPlugins.loss(run), PolicyLoss.class);
  }

  /** The trackers. */
  static List<Need<Tracker>> trackers(RunConfig run) {
    return NamedPlugins.trackers(run).stream()
        .map(named -> new Need<>(named, Tracker.class))
        .toList();
  }

  /** Who does the work of {@code role}. */
  static Need<WorkerRole> worker(String role) {
    return new Need<>(NamedPlugins.worker(role), WorkerRole.class);
  }

  /** The strategy of {@code worker}, one that samples or one that trains. */
  static <S> Need<S> strategy(WorkerConfig worker, Class<S> type) {
    return new Need<>(NamedPlugins.strategy(worker), type);
  }

  /** What episodes are played with; nothing where they are read from files. */
  static List<Need<?>> rollouts(RunConfig run, Plugins plugins) {
    RolloutMockConfig mock = run.rolloutMock();
    if (mock != null && mock.mode() == RolloutMockConfig.Mode.MOCK) {
      return List.of();
    }
    Set<Need<?>> needs = new LinkedHashSet<>();
    Stream.concat(NamedPlugins.environments(run).stream(), NamedPlugins.players(run).stream())
        .forEach(named -> needs.add(new Need<>(named, contract(named.kind()))));
    needs.addAll(new Uses(plugins).of(run));
    return List.copyOf(needs);
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
  void require(Plugins plugins) {
    lease(plugins).close();
  }

  /** Whether it is not there. */
  boolean missing(Plugins plugins) {
    return !plugins.names(type, named.kind()).contains(named.name());
  }

  /**
   * A lease of it.
   *
   * @throws roll.api.plugin.MissingPluginException if it is not there
   */
  Lease<T> lease(Plugins plugins) {
    return plugins.require(named.where(), type, named.kind(), named.name());
  }

  /** What is said while a run waits for it. */
  String notice() {
    return "no service "
        + named.kind()
        + "="
        + named.name()
        + ": waiting until a bundle provides it";
  }
}
