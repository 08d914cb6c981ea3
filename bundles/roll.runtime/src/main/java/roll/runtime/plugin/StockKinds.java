package roll.runtime.plugin;

import java.util.List;
import java.util.function.Function;
import roll.api.agent.AgentType;
import roll.api.curriculum.Curriculum;
import roll.api.env.Environment;
import roll.api.estimator.AdvantageEstimator;
import roll.api.loss.PolicyLoss;
import roll.api.model.family.ModelFamily;
import roll.api.option.Option;
import roll.api.preference.PreferenceObjective;
import roll.api.reward.AnswerGrader;
import roll.api.reward.RewardFunction;
import roll.api.rollout.Agent;
import roll.api.rollout.EnvManager;
import roll.api.rollout.GroupFilter;
import roll.api.sandbox.Sandbox;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.TrainStrategy;
import roll.api.tool.Tool;
import roll.api.tracking.Tracker;
import roll.api.workspace.WorkspaceProvider;
import roll.runtime.config.RunConfig;
import roll.runtime.plugin.RegisteredKind.Lifetime;
import roll.runtime.worker.WorkerRole;

/**
 * The kinds of plugins with their own configuration keys. To add one, add a line here with its
 * places.
 */
public final class StockKinds {
  /** Plugin kind: advantage estimators. */
  public static final RegisteredKind<AdvantageEstimator> ESTIMATOR =
      kind("estimator", "roll.estimator", Lifetime.STEP, "adv_estimator")
          .of(AdvantageEstimator.class, e -> e.info().options(), AlgorithmReferences::estimator);

  /** Plugin kind: policy losses. */
  public static final RegisteredKind<PolicyLoss> LOSS =
      kind("loss", "roll.loss", Lifetime.STEP, "pg_variant")
          .of(PolicyLoss.class, loss -> loss.info().options(), AlgorithmReferences::loss);

  /** Plugin kind: curricula. */
  public static final RegisteredKind<Curriculum> CURRICULUM =
      kind("curriculum", "roll.curriculum", Lifetime.STEP, "type")
          .of(Curriculum.class, Curriculum::options, RolloutReferences::curriculum);

  /** Plugin kind: trackers. */
  public static final RegisteredKind<Tracker> TRACKER =
      kind("tracker", "roll.tracker", Lifetime.OPEN, "track_with")
          .of(Tracker.class, Tracker::options, AlgorithmReferences::trackers);

  /** Plugin kind: worker roles. */
  public static final RegisteredKind<WorkerRole> WORKER =
      kind("worker", "roll.worker", Lifetime.OPEN, "worker")
          .of(WorkerRole.class, WorkerRole::options, RoleReferences::workers);

  /** All stock kinds, in the order in which missing plugins are reported. */
  public static final List<RegisteredKind<?>> ALL =
      List.of(
          ESTIMATOR,
          LOSS,
          CURRICULUM,
          TRACKER,
          WORKER,
          kind("strategy", "roll.strategy", Lifetime.OPEN, "strategy_name")
              .of(TrainStrategy.class, TrainStrategy::options, RoleReferences::trained),
          kind("strategy", "roll.strategy", Lifetime.OPEN, "strategy_name")
              .of(InferStrategy.class, InferStrategy::options, RoleReferences::sampled),
          kind("environment", "roll.env", Lifetime.ROLLOUT, "env_type")
              .of(Environment.class, Environment::options, RolloutReferences::environments),
          kind("manager", "roll.env.manager", Lifetime.ROLLOUT, "env_manager_cls")
              .of(EnvManager.class, manager -> List.of(), RolloutReferences::managers),
          kind("agent", "roll.agent.type", Lifetime.ROLLOUT, "agent_type")
              .of(AgentType.class, type -> List.of(), RolloutReferences::agentTypes),
          kind("tool", "roll.tool", Lifetime.ROLLOUT, "")
              .of(Tool.class, Tool::options, RolloutReferences::tools),
          kind("reward", "roll.reward", Lifetime.ROLLOUT, "")
              .of(RewardFunction.class, RewardFunction::options, RolloutReferences::rewards),
          kind("player", "roll.agent", Lifetime.ROLLOUT, "proxy_type")
              .of(Agent.class, Agent::options, RolloutReferences::players),
          kind("filter", "roll.group.filter", Lifetime.ROLLOUT, "group_filter_cls")
              .of(GroupFilter.class, filter -> List.of(), RolloutReferences::filters),
          kind("objective", "roll.preference", Lifetime.OTHER, "objective")
              .of(PreferenceObjective.class, o -> o.info().options(), run -> List.of()),
          kind("grader", "roll.grader", Lifetime.OTHER, "")
              .of(AnswerGrader.class, AnswerGrader::options, run -> List.of()),
          kind("sandbox", "roll.sandbox", Lifetime.OTHER, "")
              .of(Sandbox.class, sandbox -> List.of(), run -> List.of()),
          kind("workspace", "roll.workspace", Lifetime.OTHER, "")
              .of(WorkspaceProvider.class, provider -> List.of(), run -> List.of()),
          kind("model", "roll.model", Lifetime.OTHER, "")
              .of(ModelFamily.class, family -> List.of(), run -> List.of()));

  private StockKinds() {}

  private static Named kind(String name, String namespace, Lifetime lifetime, String key) {
    return new Named(name, namespace, lifetime, key);
  }

  private record Named(String name, String namespace, Lifetime lifetime, String key) {
    <S> RegisteredKind<S> of(
        Class<S> type,
        Function<S, List<Option<?>>> options,
        Function<RunConfig, List<ConfigReference>> places) {
      return new RegisteredKind<>(
          name, namespace, lifetime, key, new StockKind<>(type, options), places);
    }
  }

  private record StockKind<S>(Class<S> type, Function<S, List<Option<?>>> declared)
      implements PluginKind<S> {
    @Override
    public List<Option<?>> options(S service) {
      return declared.apply(service);
    }
  }
}
