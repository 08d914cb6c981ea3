package roll.core.check;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import roll.api.config.WorkerConfig;
import roll.api.model.DecoderSpec;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.core.Roles;
import roll.decoder.ModelSpecs;
import roll.runtime.config.RunConfig;
import roll.runtime.config.algorithm.AlgorithmConfig;
import roll.runtime.worker.TokenizerComparison;
import roll.text.ModelFolderHint;

/** Checks whether the model of a role can be loaded and supports the run's settings. */
public final class ModelChecks {
  /** Names of the estimator that compares the policy with a teacher. */
  static final Set<String> DISTILLATION = Set.of("distillation", "on_policy_distillation");

  private final RunConfig run;
  private final ModelSpecs models;
  private final TokenizerLoader tokenizers;

  /** Creates the checks of the models of {@code run}. */
  public ModelChecks(RunConfig run, ModelSpecs models, TokenizerLoader tokenizers) {
    this.run = run;
    this.models = models;
    this.tokenizers = tokenizers;
  }

  /**
   * Checks the model folder of {@code role}, without reading weights.
   *
   * @throws UserException if it is not there, not whole, too short for the run, or reads other
   *     tokens than the policy writes
   */
  public void check(String role, WorkerConfig worker) {
    if (!Files.isDirectory(worker.model().folder())) {
      throw new UserException(
          worker.role() + ": model folder " + worker.model().folder() + " does not exist");
    }
    config(role, worker.model().folder());
    DecoderSpec spec =
        run.roles().scoring(role)
            ? models.requireHead(worker)
            : models.require(worker, run.roles().valued(role));
    positions(worker, spec);
    if (!role.startsWith(Roles.REWARD_MODELS)) {
      vocabulary(role, worker, spec);
    }
  }

  /** Refuses a folder that has the config.json neither of a model nor of adapters. */
  private void config(String role, Path folder) {
    if (Files.exists(folder.resolve("config.json"))
        || Files.exists(folder.resolve("adapter_config.json"))) {
      return;
    }
    String key =
        folder.equals(run.roles().pretrain())
            ? "pretrain"
            : role + ".model_args.model_name_or_path";
    throw new UserException(
        "%s: '%s' is no model folder: there is no config.json in it%s"
            .formatted(key, folder, ModelFolderHint.of(folder)));
  }

  private void positions(WorkerConfig worker, DecoderSpec spec) {
    int length = run.sequenceLength(worker);
    if (length > spec.maxPositions()) {
      throw new UserException(
          "%ssequence_length: %d is more than max_position_embeddings %d of %s"
              .formatted(
                  worker.role().startsWith(Roles.REWARD_MODELS) ? worker.role() + "." : "",
                  length,
                  spec.maxPositions(),
                  worker.model().folder()));
    }
  }

  /**
   * A model that scores what the policy wrote has an embedding for each of its tokens; a teacher
   * that judges sampled tokens may read the text with its own tokenizer.
   */
  private void vocabulary(String role, WorkerConfig worker, DecoderSpec spec) {
    try (Tokenizer policy = tokenizers.load(run.roles().actorInfer().model().folder())) {
      boolean compared = role.equals(Roles.REFERENCE) || role.startsWith(Roles.TEACHERS);
      if (compared && !sameTokens(worker, policy)) {
        return;
      }
      if (spec.vocabulary() < policy.size()) {
        throw new UserException(
            "%s: %s has a vocabulary of %d tokens, the policy in %s writes %d"
                .formatted(
                    worker.role(),
                    worker.model().folder(),
                    spec.vocabulary(),
                    policy.folder(),
                    policy.size()));
      }
    }
  }

  /** Whether a log-prob of a reference is of the same token as the policy's. */
  private boolean sameTokens(WorkerConfig worker, Tokenizer policy) {
    try (Tokenizer own = tokenizers.load(worker.model().folder())) {
      int id = TokenizerComparison.difference(policy, own);
      boolean teacher = worker.role().startsWith(Roles.TEACHERS);
      if (id >= 0 && (teacher || !judgesText())) {
        throw new UserException(
            "%s: token %d of %s is not that of the policy in %s; both need the same tokenizer%s"
                .formatted(
                    worker.role(),
                    id,
                    own.folder(),
                    policy.folder(),
                    teacher
                        ? ""
                        : ", except with adv_estimator: distillation and no other KL term"));
      }
      return id < 0;
    }
  }

  /** Whether the reference is only the teacher of an estimator that compares spans of text. */
  private boolean judgesText() {
    AlgorithmConfig algorithm = run.algorithm();
    return DISTILLATION.contains(algorithm.estimator().name())
        && !run.comparesDistributions()
        && !algorithm.kl().inReward()
        && algorithm.loss().klCoefficient() == 0;
  }
}
