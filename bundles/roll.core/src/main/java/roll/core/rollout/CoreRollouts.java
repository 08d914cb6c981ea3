package roll.core.rollout;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.config.WorkerConfig;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.api.plugin.Plugins;
import roll.core.Roles;
import roll.core.check.ByteTokenizer;
import roll.core.check.ModelChecks;
import roll.core.check.OptionChecks;
import roll.core.plugin.ModelSupport;
import roll.core.plugin.PluginDependencies;
import roll.core.plugin.PluginRequirement;
import roll.core.plugin.StrategyChecks;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.RolloutRun;
import roll.runtime.pipeline.RolloutRunner;
import roll.runtime.pipeline.Rollouts;

/** Checks and starts rollouts without training. */
@Component(name = "roll.core.rollouts")
public final class CoreRollouts implements RolloutRunner {
  private final Plugins plugins;
  private final Rollouts rollouts;
  private final ModelSupport models;

  /**
   * The rollouts of this framework; where nothing reads models, only agents can play, and no reward
   * can ask one.
   */
  @Activate
  public CoreRollouts(
      @Reference Plugins plugins, @Reference Rollouts rollouts, @Reference ModelSupport models) {
    this.plugins = plugins;
    this.rollouts = rollouts;
    this.models = models;
  }

  @Override
  public RolloutRun start(LoadedConfig config, boolean validation, int episodes) {
    RunConfig run = config.run();
    if (run.schedule().checkpoints().resume()) {
      throw new UserException(
          "resume_from_checkpoint: a rollout continues nothing (pretrain=<checkpoint folder> plays"
              + " with the weights of a checkpoint)");
    }
    if (run.rollout().mock() != null) {
      throw new UserException(
          "rollout_mock: training runs alone dump and replay rollouts (this one is written to"
              + " trajectories/)");
    }
    EnvManagerConfig asked = validation ? run.rollout().valEnvs() : run.rollout().trainEnvs();
    boolean modelNamed = !run.roles().pretrain().toString().isEmpty();
    if (asked.proxy().isPolicy() && !modelNamed) {
      throw new UserException(
          "pretrain is missing: it names the model folder (without a model an agent can play:"
              + " --agent random)");
    }
    TokenizerLoader loader = models.tokenizers();
    Map<String, WorkerConfig> roles = roles(run, asked);
    List<String> notices = new ArrayList<>();
    if (!roles.isEmpty()) {
      ModelChecks checks =
          new ModelChecks(run, models.requireSpecs("rollout"), models.requireTokenizers("rollout"));
      notices.addAll(checked(run, roles, checks));
    }
    int configured =
        validation ? run.schedule().validation().batchSize() : run.schedule().rolloutBatchSize();
    int wanted = episodes == 0 ? configured : episodes;
    EnvManagerConfig envs =
        episodes == 0
            ? GroupAllocation.fit(asked, wanted, "the batch size")
            : GroupAllocation.exactly(asked, wanted);
    boolean modelRead = modelNamed && loader != null;
    String template = modelRead ? run.roles().actorInfer().template() : ByteTokenizer.FORMAT;
    Tokenizer tokenizer =
        modelNamed && loader != null
            ? loader.load(run.roles().actorInfer().model().folder())
            : new ByteTokenizer();
    try {
      int length = asked.proxy().isPolicy() ? run.sequenceLength() : Integer.MAX_VALUE;
      rollouts.check(
          envs,
          run.rollout().customEnvs(),
          template,
          tokenizer,
          length,
          run.roles().actorInfer().chatTemplateKwargs());
      OptionChecks.plugins(run, plugins);
      notices.addAll(new PluginDependencies(plugins).boundaries(run));
      PreparedRollout order =
          new PreparedRollout(
              config,
              validation ? "val" : "train",
              wanted,
              envs,
              roles.keySet(),
              template,
              tokenizer,
              modelRead);
      return RolloutJob.start(order, notices, plugins, rollouts, loader);
    } catch (Throwable e) {
      tokenizer.close();
      throw e;
    }
  }

  /** The generating roles: the policy, unless an agent plays, and the models used by rewards. */
  private Map<String, WorkerConfig> roles(RunConfig run, EnvManagerConfig envs) {
    Map<String, WorkerConfig> roles = new LinkedHashMap<>();
    if (envs.proxy().isPolicy()) {
      roles.put(Roles.ACTOR_INFER, run.roles().actorInfer());
    }
    Set<String> asked = new PluginDependencies(plugins).models(run, envs);
    run.roles()
        .rewardModels()
        .forEach(
            (name, model) -> {
              if (asked.contains(name)) {
                roles.put(Roles.rewardModel(name), model.worker());
              }
            });
    return roles;
  }

  /** Checks {@code roles} and returns their notices. */
  private List<String> checked(RunConfig run, Map<String, WorkerConfig> roles, ModelChecks models) {
    if (run.devices().fullDeterminism()) {
      PluginRequirement.determinism().require(plugins);
    }
    StrategyChecks strategies = new StrategyChecks(plugins);
    List<String> notices = new ArrayList<>();
    roles.forEach(
        (role, worker) -> {
          PluginRequirement.worker(run, role).require(plugins);
          notices.addAll(strategies.check(run, role, worker));
          models.check(role, worker);
        });
    return notices;
  }
}
