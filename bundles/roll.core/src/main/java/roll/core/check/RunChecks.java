package roll.core.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.config.EnvConfig;
import roll.api.config.WorkerConfig;
import roll.api.curriculum.Curriculum;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.env.Environment;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.EstimatorInfo;
import roll.api.loss.LossSettings;
import roll.api.loss.PolicyLoss;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.rollout.Agent;
import roll.api.rollout.EnvManager;
import roll.core.Roles;
import roll.core.checkpoint.StartCheck;
import roll.core.curriculum.LevelMix;
import roll.core.plan.PlanBuilder;
import roll.core.plugin.EstimatorSettings;
import roll.core.plugin.ModelSupport;
import roll.core.plugin.PluginDependencies;
import roll.core.plugin.PluginRequirement;
import roll.core.plugin.StrategyChecks;
import roll.core.trajectory.RolloutFiles;
import roll.decoder.ModelSpecs;
import roll.math.LossRows;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RolloutConfig;
import roll.runtime.config.RolloutMockConfig;
import roll.runtime.config.RolloutMockConfig.Mode;
import roll.runtime.config.RunConfig;
import roll.runtime.option.LossOptions;
import roll.runtime.pipeline.MemoryPlan;
import roll.runtime.pipeline.Rollouts;

/** Everything about a configuration that can be found wrong before any compute. */
public final class RunChecks {
  private final Plugins plugins;
  private final Rollouts rollouts;
  private final ModelSupport models;

  /** Creates the checks; they leave out models if {@code models} reads none. */
  public RunChecks(Plugins plugins, Rollouts rollouts, ModelSupport models) {
    this.plugins = plugins;
    this.rollouts = rollouts;
    this.models = models;
  }

  /**
   * A run configuration that passed all checks.
   *
   * @param notices lines for the user
   * @param plan memory plan; null if no service reads models
   */
  public record Checked(List<String> notices, @Nullable MemoryPlan plan) {}

  /**
   * Makes sure that all that is named is there and accepts its settings; a line for each key that
   * was set and that nothing reads, and for what else one should know. Nothing more is asked before
   * a run starts, except for its place: {@link StartCheck}.
   *
   * @throws UserException for the first that is not
   */
  public Checked run(LoadedConfig config) {
    RunConfig run = config.run();
    if (run.roles().actorScores()) {
      throw new UserException(
          "actor_train.model_args.model_type: expected causal_lm: a reward model is trained by"
              + " dpo");
    }
    UnusedKeys unused = new UnusedKeys(config.changed());
    boolean byTurn = estimator(run, unused);
    loss(run, unused);
    curriculum(run);
    OptionChecks.plugins(run, plugins);
    OptionChecks.roles(run, plugins);
    OptionChecks.trackers(run, plugins);
    agents(run.rollout());
    List<String> notices = new ArrayList<>(unused.notices());
    notices.addAll(roles(run));
    notices.addAll(IdenticalEpisodesNotice.notices(run));
    notices.addAll(LearningNotices.of(run, byTurn));
    RolloutMockConfig mock = run.rollout().mock();
    if (mock != null) {
      notices.add(RolloutFiles.check(run, mock));
    }
    if (mock == null || mock.mode() == Mode.DUMP) {
      environments(run);
      notices.addAll(new PluginDependencies(plugins).boundaries(run));
      if (run.schedule().asyncRatio() > 0) {
        notices.add(
            "async_generation_ratio: rollouts run ahead of training, so runs of one seed differ");
      }
    }
    ModelSpecs specs = models.specs();
    MemoryPlan plan =
        specs == null
            ? null
            : PlanBuilder.plan(run, new StrategyChecks(plugins), specs, models.devices());
    return new Checked(notices, plan);
  }

  /**
   * Returns the notices of strategies, once per role: environment and actor_infer share one
   * strategy.
   */
  private Set<String> roles(RunConfig run) {
    TokenizerLoader tokenizers = models.tokenizers();
    ModelSpecs specs = models.specs();
    if (tokenizers == null || specs == null) {
      return Set.of(ModelSupport.NOTICE);
    }
    if (run.devices().fullDeterminism()) {
      PluginRequirement.determinism().require(plugins);
    }
    DivergenceChecks.check(run, plugins, specs);
    StrategyChecks strategies = new StrategyChecks(plugins);
    ModelChecks folders = new ModelChecks(run, specs, tokenizers);
    Set<String> notices = new LinkedHashSet<>();
    for (var role : Roles.of(run).entrySet()) {
      PluginRequirement.worker(run, role.getKey()).require(plugins);
      if (run.extensions().role(role.getKey()) != null) {
        continue;
      }
      notices.addAll(strategies.check(run, role.getKey(), role.getValue()));
      if (!role.getKey().equals(Roles.ENVIRONMENT)) {
        folders.check(role.getKey(), role.getValue());
      }
    }
    return notices;
  }

  private void environments(RunConfig run) {
    RolloutConfig rollout = run.rollout();
    for (EnvConfig env : rollout.playedEnvs()) {
      String where = "custom_envs." + env.tag();
      plugins.require(where + ".env_type", Environment.class, "roll.env", env.envType()).close();
      plugins
          .require(where + ".env_manager_cls", EnvManager.class, "roll.env.manager", env.manager())
          .close();
    }
    WorkerConfig policy = run.roles().actorInfer();
    TokenizerLoader tokenizers = models.tokenizers();
    String template = tokenizers == null ? ByteTokenizer.FORMAT : policy.template();
    try (Tokenizer tokenizer =
        tokenizers == null ? new ByteTokenizer() : tokenizers.load(policy.model().folder())) {
      int length = tokenizers == null ? Integer.MAX_VALUE : run.sequenceLength();
      Map<String, Object> kwargs = policy.chatTemplateKwargs();
      for (EnvManagerConfig envs : List.of(rollout.trainEnvs(), rollout.valEnvs())) {
        rollouts.check(envs, rollout.customEnvs(), template, tokenizer, length, kwargs);
      }
    }
    PluginDependencies dependencies = new PluginDependencies(plugins);
    dependencies.models(run, rollout.trainEnvs());
    dependencies.models(run, rollout.valEnvs());
  }

  /**
   * Checks the agents: training needs the policy's log-probs, and validation must not wait for a
   * human.
   */
  private void agents(RolloutConfig rollout) {
    String trains = rollout.trainEnvs().proxy().type();
    if (!rollout.trainEnvs().proxy().isPolicy()) {
      throw new UserException(
          "train_env_manager.llm_proxy.proxy_type: '"
              + trains
              + "' gives no log-probs to train on; a training run needs 'policy' (roll:rollout"
              + " plays episodes with an agent)");
    }
    String validates = rollout.valEnvs().proxy().type();
    if (rollout.valEnvs().proxy().isPolicy()) {
      return;
    }
    String where = "val_env_manager.llm_proxy.proxy_type";
    try (Lease<Agent> lease = plugins.require(where, Agent.class, "roll.agent", validates)) {
      if (lease.service().interactive()) {
        throw new UserException(
            where + ": '" + validates + "' is a person, who plays with roll:rollout only");
      }
    }
  }

  /** Whether the advantage estimator reads the rewards of turns. */
  private boolean estimator(RunConfig run, UnusedKeys unused) {
    String name = run.algorithm().estimator().name();
    Set<ColumnKey<?>> columns =
        new HashSet<>(
            Set.of(Batch.TURN_REWARDS, Batch.STATES, Batch.REWARD_BASELINES, Batch.OLD_LOG_PROBS));
    if (run.algorithm().recomputeOldLogProbs()) {
      columns.add(Batch.SUM_PI_SQUARED);
    }
    if (run.roles().compares()) {
      columns.add(Batch.REFERENCE_LOG_PROBS);
    }
    if (run.divergences()) {
      columns.add(Batch.DIVERGENCES);
    }
    if (Roles.of(run).containsKey(Roles.CRITIC)) {
      columns.add(Batch.VALUES);
    }
    try (Lease<AdvantageEstimator> lease = PluginRequirement.estimator(run).lease(plugins)) {
      EstimatorSettings.check(run.algorithm(), lease.service(), columns);
      asynchronous(run, lease.service().info());
      unused.by(name, lease.service().info());
      return lease.service().info().needs().contains(Batch.TURN_REWARDS);
    }
  }

  private static void asynchronous(RunConfig run, EstimatorInfo info) {
    if (run.schedule().asyncRatio() > 0 && info.needs().contains(Batch.REWARD_BASELINES)) {
      throw new UserException(
          "async_generation_ratio: must be 0 for adv_estimator '"
              + run.algorithm().estimator().name()
              + "', which has the levels of a step played again by the greedy policy");
    }
  }

  private void curriculum(RunConfig run) {
    for (PluginRequirement<Curriculum> named : PluginRequirement.curricula(run)) {
      try (Lease<Curriculum> lease = named.lease(plugins)) {
        LevelMix.check(lease, run);
      }
    }
  }

  private void loss(RunConfig run, UnusedKeys unused) {
    LossSettings settings = run.algorithm().loss();
    try (Lease<PolicyLoss> lease = PluginRequirement.loss(run).lease(plugins)) {
      PolicyLoss loss = lease.service();
      loss.evaluateWhole(LossRows.nothing(settings), LossOptions.of(loss, settings), new long[0]);
      unused.by(settings.loss(), loss.info());
    }
  }
}
