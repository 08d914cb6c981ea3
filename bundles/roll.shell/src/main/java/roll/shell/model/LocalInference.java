package roll.shell.model;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.felix.service.command.CommandSession;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.ChatFormats;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.runtime.option.YamlOptions;
import roll.shell.command.Arguments;
import roll.shell.command.Syntax.Option;
import roll.shell.syntax.Outcomes;
import roll.shell.syntax.UserPath;
import roll.shell.terminal.Json;
import roll.text.Detokenizer;
import roll.text.ModelFolderHint;
import roll.text.TerminalText;

/** A model that a command runs by itself, without a configuration. */
public final class LocalInference {
  /** The option of commands by which a folder without weights stands for a random model. */
  public static final Option RANDOM_WEIGHTS =
      Option.flag("--random-weights", "use random weights for a folder that has none");

  /** The option of commands by which a model is computed in another number format. */
  public static final Option DTYPE =
      Option.one("--dtype", "fp32|bf16", "fp32", "number format of linear layers");

  /** The option of commands by which a model is computed on one device. */
  public static final Option DEVICE =
      Option.optional("--device", "n", "a device that `devices` lists; without it, all cores");

  /** The option of commands for what a chat template sees beside the messages. */
  public static final Option TEMPLATE_KWARGS = kwargs("--chat-template-kwargs");

  /** Most that {@link #DEVICE} may say, as {@code device_mapping} has it. */
  private static final int LAST_DEVICE = 999_999;

  private LocalInference() {}

  /**
   * What {@link #DEVICE} says: one device, or none for all cores.
   *
   * @throws UserException if that is no number
   */
  public static List<Integer> devices(Arguments given) {
    return given.flag(DEVICE.name())
        ? List.of((int) given.integer(DEVICE.name(), 0, LAST_DEVICE))
        : List.of();
  }

  /** An option {@code name} for what a chat template sees beside the messages. */
  public static Option kwargs(String name) {
    return Option.one(
        name,
        "json",
        "{\"enable_thinking\": false}",
        "what the chat template sees beside the messages; {} lets Qwen3 think");
  }

  /**
   * What the option {@code name} of {@link #kwargs(String)} says.
   *
   * @param command for the message
   * @throws UserException if that is no JSON object
   */
  public static Map<String, Object> kwargs(String command, Arguments given, String name) {
    Map<String, Object> kwargs = new LinkedHashMap<>();
    Json.object(command + ": " + name, given.text(name))
        .forEach(
            (variable, value) -> {
              if (value != null) {
                kwargs.put(variable, value);
              }
            });
    return kwargs;
  }

  /**
   * What {@link #DTYPE} says.
   *
   * @throws UserException if that is no number format
   */
  public static Dtype dtype(Arguments given) {
    return given.word(DTYPE.name(), "fp32", "bf16").equals("bf16") ? Dtype.BF16 : Dtype.FP32;
  }

  /**
   * The model folder a person names.
   *
   * @param command for the message
   * @throws UserException if it is not a folder
   */
  public static Path folder(String command, CommandSession session, String name) {
    Path folder = UserPath.of(session, name);
    if (!Files.isDirectory(folder)) {
      throw new UserException(
          command + ": there is no folder '" + folder + "'" + ModelFolderHint.of(folder));
    }
    return folder;
  }

  /**
   * The model in {@code folder}; the caller closes it.
   *
   * @param given arguments of the command, which knows {@link #RANDOM_WEIGHTS}, {@link #DTYPE} and
   *     {@link #DEVICE}
   * @param seed of random weights, where the folder has none and may have none
   * @param length most tokens of a sample
   * @param sequences how many are written at once
   * @throws UserException if it cannot be used, or has no weights and is not to be random
   */
  static InferSession open(
      InferStrategy strategy, Arguments given, Path folder, long seed, int length, int sequences) {
    WorkerConfig worker =
        new WorkerConfig(
            "actor_infer",
            ModelConfig.of(folder, dtype(given))
                .withRandomWeights(given.flag(RANDOM_WEIGHTS.name())),
            "native",
            "hf_infer",
            YamlOptions.strategy("actor_infer", Map.of()),
            new TrainingConfig(0, 0, 0.9, 0.999, 1, 1, "constant", 0, 1),
            devices(given),
            sequences);
    return strategy.open(new SessionConfig(worker, seed, 1, length));
  }

  /**
   * Waits for {@code future}, whose failure is thrown as it was.
   *
   * @throws InterruptedException if this thread was interrupted; the future is then canceled
   */
  static <T> T await(CompletableFuture<T> future) throws InterruptedException {
    try {
      return Outcomes.of(future);
    } catch (InterruptedException e) {
      future.cancel(true);
      throw e;
    }
  }

  /**
   * {@code response}, whose log-probs are numbers.
   *
   * @throws UserException where they are not: the model's weights are of no use
   */
  static Generation finite(Generation response) {
    if (!response.finite()) {
      throw notFinite();
    }
    return response;
  }

  /** The complaint about a model whose log-probs are not finite. */
  static UserException notFinite() {
    return new UserException(
        "the model's log-probs are not finite numbers (NaN or infinity): its weights or its"
            + " config.json are damaged");
  }

  /**
   * The chat format that a command's {@code --template} names.
   *
   * @param command for the message
   * @param variables for the model folder's own template
   * @throws UserException if there is no such format, or it does not fit the model
   */
  static ChatFormat format(
      String command,
      ChatFormats formats,
      String name,
      Tokenizer tokenizer,
      Map<String, ?> variables) {
    try {
      return formats.find(name, tokenizer, variables);
    } catch (UserException e) {
      throw new UserException(command + ": --template: " + e.getMessage(), e);
    }
  }

  /** Prints whole characters of the response to {@code request} as they come; the response. */
  static Generation stream(
      PrintStream out, InferSession model, Tokenizer tokenizer, GenerationRequest request)
      throws InterruptedException {
    Detokenizer text = new Detokenizer(tokenizer, false);
    CompletableFuture<List<Generation>> writing =
        model.generate(
            List.of(request),
            (index, token) -> {
              out.print(TerminalText.visible(text.add(token)));
              out.flush();
            });
    try {
      Generation response = await(writing).getFirst();
      out.println(TerminalText.visible(text.rest()));
      return finite(response);
    } catch (InterruptedException e) {
      out.println();
      throw e;
    }
  }
}
