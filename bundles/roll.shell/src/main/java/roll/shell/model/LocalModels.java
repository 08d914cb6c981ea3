package roll.shell.model;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.ChatFormats;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.runtime.option.YamlOptions;
import roll.shell.command.Arguments;
import roll.shell.syntax.RequiredService;

/** Loads models, tokenizers and chat formats for commands that need no configuration. */
@Component(name = "roll.shell.models", service = LocalModels.class)
public final class LocalModels {
  private final @Nullable TokenizerLoader tokenizers;
  private final ChatFormats formats;
  private final @Nullable InferStrategy strategy;

  /** Creates the component; a distribution may lack the services that read and run models. */
  @Activate
  public LocalModels(
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY)
          @Nullable TokenizerLoader tokenizers,
      @Reference ChatFormats formats,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY, target = "(roll.strategy=hf_infer)")
          @Nullable InferStrategy strategy) {
    this.tokenizers = tokenizers;
    this.formats = formats;
    this.strategy = strategy;
  }

  /**
   * Loads the tokenizer of the model in {@code folder}; the caller closes it.
   *
   * @param command for the message
   * @throws UserException if this distribution reads no tokenizers
   */
  Tokenizer tokenizer(String command, Path folder) {
    return RequiredService.of(tokenizers, command, "roll.torch").load(folder);
  }

  /**
   * Returns the chat format that {@code --template} names.
   *
   * @param command for the message
   * @param variables of the model folder's own template
   * @throws UserException if there is no such format, or it does not fit the model
   */
  ChatFormat format(String command, String name, Tokenizer tokenizer, Map<String, ?> variables) {
    try {
      return formats.find(name, tokenizer, variables);
    } catch (UserException e) {
      throw new UserException(command + ": --template: " + e.getMessage(), e);
    }
  }

  /**
   * Opens the model in {@code folder}; the caller closes the session.
   *
   * @param command for the message
   * @param given arguments with {@link LocalInference#OPTIONS}
   * @param seed of random weights, if used
   * @param length maximum tokens of a sequence
   * @param sequences number of concurrent sequences
   * @throws UserException if this distribution runs no models, the model cannot be used, or it
   *     lacks weights that must not be random
   */
  InferSession open(
      String command, Arguments given, Path folder, long seed, int length, int sequences) {
    InferStrategy engine = RequiredService.of(strategy, command, "roll.strategy.hf_infer");
    WorkerConfig worker =
        new WorkerConfig(
            "actor_infer",
            ModelConfig.of(folder, LocalInference.dtype(given))
                .withRandomWeights(given.flag(LocalInference.RANDOM_WEIGHTS.name())),
            "native",
            "hf_infer",
            YamlOptions.strategy("actor_infer", Map.of()),
            TrainingConfig.NONE,
            LocalInference.devices(given),
            sequences);
    return engine.open(new SessionConfig(worker, seed, 1, length));
  }
}
