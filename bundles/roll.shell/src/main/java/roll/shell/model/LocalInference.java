package roll.shell.model;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.felix.service.command.CommandSession;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.shell.command.Arguments;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.FutureResults;
import roll.shell.syntax.UserPath;
import roll.shell.terminal.Json;
import roll.text.Detokenizer;
import roll.text.ModelFolderHint;
import roll.text.TerminalText;

/** Options of commands that run a model without a configuration, and its results. */
public final class LocalInference {
  /** The option that allows random weights for a folder without weights. */
  public static final Option RANDOM_WEIGHTS =
      Option.flag("--random-weights", "use random weights if the folder has none");

  /** The option that sets the number format. */
  public static final Option DTYPE =
      Option.one("--dtype", "fp32|bf16", "fp32", "number format of linear layers");

  /** The option that selects a device. */
  public static final Option DEVICE =
      Option.optional("--device", "n", "device number as listed by `devices` (default: all cores)");

  /** The options of a command that runs a model: number format, device, random weights. */
  static final List<Option> OPTIONS = List.of(DTYPE, DEVICE, RANDOM_WEIGHTS);

  /** The argument that names a model. */
  static final Word FOLDER =
      Word.one("folder", "a model in Hugging Face's layout, or a checkpoint of a run");

  /** The option with further variables of the chat template. */
  public static final Option TEMPLATE_KWARGS = kwargs("--chat-template-kwargs");

  /** Maximum device number, as in {@code device_mapping}. */
  private static final int LAST_DEVICE = 999_999;

  private LocalInference() {}

  /**
   * Returns the value of {@link #DEVICE}: one device, or none for all cores.
   *
   * @throws UserException if it is no number
   */
  public static List<Integer> devices(Arguments given) {
    return given.flag(DEVICE.name())
        ? List.of((int) given.integer(DEVICE.name(), 0, LAST_DEVICE))
        : List.of();
  }

  /** Returns an option {@code name} with further variables of the chat template. */
  public static Option kwargs(String name) {
    return Option.one(
        name,
        "json",
        "{\"enable_thinking\": false}",
        "variables of the chat template; {} enables thinking in Qwen3");
  }

  /**
   * Returns the value of an option made by {@link #kwargs(String)}.
   *
   * @param command for the message
   * @throws UserException if it is no JSON object
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
   * Returns the number format of the option {@link #DTYPE}.
   *
   * @throws UserException if it is no number format
   */
  public static Dtype dtype(Arguments given) {
    return given.word(DTYPE.name(), "fp32", "bf16").equals("bf16") ? Dtype.BF16 : Dtype.FP32;
  }

  /**
   * Returns the folder of the model {@code name}.
   *
   * @param command for the message
   * @throws UserException if it is not a folder
   */
  public static Path folder(String command, CommandSession session, String name) {
    Path folder = UserPath.of(session, name);
    if (!Files.isDirectory(folder)) {
      throw new UserException(
          command + ": no folder '" + folder + "'" + ModelFolderHint.of(folder));
    }
    return folder;
  }

  /**
   * Returns the result of {@code future}; its failure is thrown unwrapped.
   *
   * @throws InterruptedException if this thread was interrupted; the future is then canceled
   */
  static <T> T await(CompletableFuture<T> future) throws InterruptedException {
    try {
      return FutureResults.of(future);
    } catch (InterruptedException e) {
      future.cancel(true);
      throw e;
    }
  }

  /**
   * Returns {@code response} if its log-probs are finite.
   *
   * @throws UserException if they are not: the model's weights are unusable
   */
  static Generation finite(Generation response) {
    if (!response.finite()) {
      throw notFinite();
    }
    return response;
  }

  /** Returns the error for a model whose log-probs are not finite. */
  static UserException notFinite() {
    return new UserException(
        "the model's log-probs are not finite (NaN or infinity): its weights or its config.json are"
            + " damaged");
  }

  /** Prints the response to {@code request} while it is generated, and returns it. */
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
