package roll.core.role;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.device.DeterministicAlgorithms;
import roll.api.model.Tokenizer;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.scoring.ScoringSession;
import roll.api.strategy.Generator;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.NumericsInfo;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TrainSession;
import roll.api.strategy.TrainStrategy;
import roll.api.strategy.TrainedModel;
import roll.api.strategy.ValueSession;
import roll.core.Roles;
import roll.core.plugin.PluginRequirement;
import roll.runtime.config.RoleConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.option.YamlOptions;
import roll.runtime.pipeline.RewardModel;
import roll.runtime.pipeline.Rollouts;
import roll.runtime.trace.Tracer;
import roll.runtime.worker.BoundLoss;
import roll.runtime.worker.InferencePlacement;
import roll.runtime.worker.WorkerContext;

/**
 * The services and configuration that a worker gets for its role. Leases the strategies of its
 * sessions until it is closed.
 */
final class RoleContext implements WorkerContext, AutoCloseable {
  private final String role;
  private final Supplier<RunConfig> run;
  private final Plugins plugins;
  private final AtomicReference<@Nullable BoundLoss> currentLoss;
  private final Tokenizer tokenizer;
  private final Supplier<Tokenizer> policyTokenizer;
  private final Generator policy;
  private final Supplier<Map<String, RewardModel>> rewardModels;
  private final Rollouts rollouts;
  private final Tracer tracer;
  private final Consumer<String> notices;
  private final List<Lease<?>> leases = new CopyOnWriteArrayList<>();
  private @Nullable Options options;
  private volatile @Nullable TrainedModel trained;
  private DeterministicAlgorithms.@Nullable Use determinism;

  /**
   * Creates the context of {@code role}.
   *
   * @param run the configuration as it is from step to step
   * @param currentLoss the loss leased for the step
   * @param tokenizer of the role's model
   * @param policyTokenizer of the policy's model
   * @param policy who writes the responses
   * @param rewardModels that rewards ask, by name
   * @param tracer begins the spans of the run
   * @param notices lines for who watches the run, on any thread
   */
  RoleContext(
      String role,
      Supplier<RunConfig> run,
      Plugins plugins,
      AtomicReference<@Nullable BoundLoss> currentLoss,
      Tokenizer tokenizer,
      Supplier<Tokenizer> policyTokenizer,
      Generator policy,
      Supplier<Map<String, RewardModel>> rewardModels,
      Rollouts rollouts,
      Tracer tracer,
      Consumer<String> notices) {
    this.role = role;
    this.run = run;
    this.plugins = plugins;
    this.currentLoss = currentLoss;
    this.tokenizer = tokenizer;
    this.policyTokenizer = policyTokenizer;
    this.policy = policy;
    this.rewardModels = rewardModels;
    this.rollouts = rollouts;
    this.tracer = tracer;
    this.notices = notices;
  }

  @Override
  public void notice(String line) {
    notices.accept(line);
  }

  @Override
  public RunConfig run() {
    return run.get();
  }

  @Override
  public WorkerConfig worker() {
    return Objects.requireNonNull(Roles.of(run()).get(role), role);
  }

  /**
   * Checks the options of the role against those that its worker declares.
   *
   * @throws roll.api.option.UserException naming the first unknown key or wrong value
   */
  void configure(List<Option<?>> known) {
    RoleConfig own = run().extensions().role(role);
    Map<String, Object> given = own == null ? Map.of() : own.options();
    options = YamlOptions.checked(role + ".worker_config", given, own == null ? List.of() : known);
  }

  @Override
  public Options options() {
    return Objects.requireNonNull(options, role);
  }

  @Override
  public TrainSession openTraining(SessionConfig config) {
    TrainSession session = open(TrainStrategy.class, strategy -> strategy.open(config));
    trained = session;
    return session;
  }

  @Override
  public ValueSession openValues(SessionConfig config) {
    ValueSession session = open(TrainStrategy.class, strategy -> strategy.openValues(config));
    trained = session;
    return session;
  }

  @Override
  public InferSession openInference(SessionConfig config) {
    Lease<InferencePlacement> placement =
        plugins.lease(InferencePlacement.class, InferencePlacement.KIND, InferencePlacement.NAME);
    if (placement == null) {
      return open(InferStrategy.class, strategy -> strategy.open(config));
    }
    leases.add(placement);
    return open(
        InferStrategy.class, strategy -> placement.service().open(config, strategy, notices));
  }

  @Override
  public ScoringSession openScoring(SessionConfig config) {
    try (Lease<InferencePlacement> placement =
        plugins.lease(InferencePlacement.class, InferencePlacement.KIND, InferencePlacement.NAME)) {
      if (placement != null) {
        notices.accept(role + ": scores by a head, so it runs on this machine");
      }
    }
    return open(InferStrategy.class, strategy -> strategy.openScoring(config));
  }

  private <S, T> T open(Class<S> type, Function<S, T> opening) {
    if (run().devices().fullDeterminism() && determinism == null) {
      Lease<DeterministicAlgorithms> algorithms = PluginRequirement.determinism().lease(plugins);
      leases.add(algorithms);
      determinism = algorithms.service().use();
    }
    Lease<S> lease = PluginRequirement.strategy(worker(), type).lease(plugins);
    leases.add(lease);
    return opening.apply(lease.service());
  }

  /**
   * Returns the machine properties that determine rounding of the trained model; unknown without
   * such a model.
   */
  NumericsInfo numericsInfo() {
    TrainedModel model = trained;
    return model == null ? NumericsInfo.UNKNOWN : model.numericsInfo();
  }

  /** Leases the plugins that {@code requirement} names, too. */
  void keep(PluginRequirement<?> requirement) {
    leases.add(requirement.lease(plugins));
  }

  /** Returns the leases of the role's plugins. */
  List<Lease<?>> leases() {
    return leases;
  }

  @Override
  public Tokenizer tokenizer() {
    return tokenizer;
  }

  @Override
  public Tokenizer policyTokenizer() {
    return policyTokenizer.get();
  }

  @Override
  public Generator policy() {
    return policy;
  }

  @Override
  public Map<String, RewardModel> rewardModels() {
    return rewardModels.get();
  }

  @Override
  public Rollouts rollouts() {
    return rollouts;
  }

  @Override
  public Tracer tracer() {
    return tracer;
  }

  @Override
  public BoundLoss loss() {
    BoundLoss loss = currentLoss.get();
    if (loss == null) {
      throw new IllegalStateException("no loss is leased outside a step");
    }
    return loss;
  }

  /** Closes the context and releases its plugins; its sessions are closed before. */
  @Override
  public void close() {
    if (determinism != null) {
      determinism.close();
      determinism = null;
    }
    leases.forEach(Lease::close);
    leases.clear();
  }
}
