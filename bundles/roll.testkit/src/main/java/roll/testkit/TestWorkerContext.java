package roll.testkit;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.loss.PolicyLoss;
import roll.api.model.Tokenizer;
import roll.api.option.Options;
import roll.api.scoring.ScoringSession;
import roll.api.strategy.Generator;
import roll.api.strategy.InferSession;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TrainSession;
import roll.api.strategy.ValueSession;
import roll.runtime.config.RunConfig;
import roll.runtime.option.LossOptions;
import roll.runtime.option.YamlOptions;
import roll.runtime.pipeline.RewardModel;
import roll.runtime.pipeline.Rollouts;
import roll.runtime.worker.BoundLoss;
import roll.runtime.worker.WorkerContext;

/** A worker context with the services that a test provides; it refuses others. */
public final class TestWorkerContext implements WorkerContext {
  private final RunConfig run;
  private final WorkerConfig worker;
  private final List<String> notices = new CopyOnWriteArrayList<>();
  private @Nullable Function<SessionConfig, TrainSession> training;
  private @Nullable Function<SessionConfig, ValueSession> values;
  private @Nullable Function<SessionConfig, InferSession> inference;
  private @Nullable Function<SessionConfig, ScoringSession> scoring;
  private @Nullable Tokenizer tokenizer;
  private @Nullable Tokenizer policyTokenizer;
  private @Nullable Generator policy;
  private @Nullable PolicyLoss loss;
  private @Nullable Rollouts rollouts;
  private Options options = YamlOptions.checked("worker_config", Map.of(), List.of());

  /** Creates the context of a role of {@code run}. */
  public TestWorkerContext(RunConfig run, WorkerConfig worker) {
    this.run = run;
    this.worker = worker;
  }

  /** Provides training sessions to the tested worker. */
  public TestWorkerContext withTraining(Function<SessionConfig, TrainSession> given) {
    training = given;
    return this;
  }

  /** Provides sessions of value models. */
  public TestWorkerContext withValues(Function<SessionConfig, ValueSession> given) {
    values = given;
    return this;
  }

  /** Provides inference sessions to the tested worker. */
  public TestWorkerContext withInference(Function<SessionConfig, InferSession> given) {
    inference = given;
    return this;
  }

  /** Provides scoring sessions to the tested worker. */
  public TestWorkerContext withScoring(Function<SessionConfig, ScoringSession> given) {
    scoring = given;
    return this;
  }

  /** Provides the {@code worker_config} of a custom role. */
  public TestWorkerContext withOptions(Options given) {
    options = given;
    return this;
  }

  /** Provides the tokenizers of the role and of the policy. */
  public TestWorkerContext withTokenizers(Tokenizer own, Tokenizer ofPolicy) {
    tokenizer = own;
    policyTokenizer = ofPolicy;
    return this;
  }

  /** Provides the policy loss. */
  public TestWorkerContext withLoss(PolicyLoss given) {
    loss = given;
    return this;
  }

  /** Provides rollouts with their tokenizer and policy. */
  public TestWorkerContext withRollouts(
      Rollouts given, Tokenizer givenTokenizer, Generator givenPolicy) {
    rollouts = given;
    tokenizer = givenTokenizer;
    policy = givenPolicy;
    return this;
  }

  @Override
  public Options options() {
    return options;
  }

  @Override
  public Map<String, RewardModel> rewardModels() {
    return Map.of();
  }

  @Override
  public RunConfig run() {
    return run;
  }

  @Override
  public WorkerConfig worker() {
    return worker;
  }

  @Override
  public TrainSession openTraining(SessionConfig config) {
    return given(training, "training").apply(config);
  }

  @Override
  public ValueSession openValues(SessionConfig config) {
    return given(values, "values").apply(config);
  }

  @Override
  public InferSession openInference(SessionConfig config) {
    return given(inference, "inference").apply(config);
  }

  @Override
  public ScoringSession openScoring(SessionConfig config) {
    return given(scoring, "scoring").apply(config);
  }

  @Override
  public Tokenizer tokenizer() {
    return given(tokenizer, "tokenizer");
  }

  @Override
  public Tokenizer policyTokenizer() {
    return given(policyTokenizer == null ? tokenizer : policyTokenizer, "tokenizer");
  }

  @Override
  public Generator policy() {
    return given(policy, "policy");
  }

  @Override
  public BoundLoss loss() {
    PolicyLoss given = given(loss, "loss");
    return new BoundLoss(given, LossOptions.of(given, run().algorithm().loss()));
  }

  @Override
  public void notice(String line) {
    notices.add(line);
  }

  /** Returns the notices of the tested worker. */
  public List<String> notices() {
    return List.copyOf(notices);
  }

  @Override
  public Rollouts rollouts() {
    return given(rollouts, "rollouts");
  }

  private static <T> T given(@Nullable T service, String name) {
    return Objects.requireNonNull(service, () -> "the test gave no " + name);
  }
}
