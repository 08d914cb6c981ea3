package roll.shell.model;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.config.WorkerConfig;
import roll.api.image.Picture;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.rollout.ChatFormat;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;
import roll.runtime.command.Interrupts;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.terminal.Json;

/** {@code generate}: continues a text with a model or a checkpoint, streaming the tokens. */
@Component(name = "roll.shell.generate", service = Command.class)
@RollCommand(function = "generate")
public final class GenerateCommand extends Command {
  private static final int AT_ONCE = 16;

  /** Arguments and options of the command {@code generate}. */
  static final Syntax SYNTAX =
      new Syntax(
          "generate",
          "Prints how a model or a checkpoint continues a text.",
          List.of(
              LocalInference.FOLDER,
              Word.one("prompt", "the text to continue; with --template a user message")),
          options());

  private static List<Option> options() {
    List<Option> options = new ArrayList<>(SamplingOptions.of("0", "1", "64"));
    options.addAll(
        List.of(
            Option.one(
                "--min-p", "p", "0", "minimum probability, relative to the most likely token's"),
            Option.one("--repetition-penalty", "r", "1", "above 1 discourages repetition"),
            Option.one("--min-new-tokens", "n", "0", "minimum tokens of a response"),
            Option.any("--stop", "text", "stop at the token that completes this text"),
            Option.any("--choice", "text", "generate exactly one of these texts"),
            Option.one("--num-return-sequences", "n", "1", "number of texts to sample"),
            Option.optional("--template", "name", "use a chat format; native is the model's own"),
            ImageOption.IMAGE));
    options.addAll(LocalInference.OPTIONS);
    options.add(Option.flag("--json", "print ids and text of each as one line of JSON"));
    return List.copyOf(options);
  }

  private final LocalModels models;
  private final Interrupts interrupts;

  /**
   * Creates the command with its services; without {@code interrupts} Ctrl-C is left to the shell.
   */
  @Activate
  public GenerateCommand(
      @Reference LocalModels models,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.models = models;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /**
   * A generated text.
   *
   * @param ids sampled tokens
   * @param text decoded without special tokens
   */
  private record Text(int[] ids, String text) {
    static Text of(Tokenizer tokenizer, Generation generation) {
      return new Text(generation.tokens(), tokenizer.decode(generation.tokens(), false));
    }
  }

  /** Streams one text, or returns several texts or JSON when they are complete. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given)
      throws InterruptedException {
    Path folder = LocalInference.folder("generate", session, given.word(0));
    Sampling sampling = sampling(given);
    int count = sequences(given, sampling);
    long seed = SamplingOptions.seed(given);
    try (Interrupts.Watch _ = interrupts.watch();
        Tokenizer tokenizer = models.tokenizer("generate", folder)) {
      List<Picture> pictures = ImageOption.of("generate", session, given);
      GenerationRequest request =
          request(given, tokenizer, sampling, seed, pictures).withPictures(pictures);
      try (InferSession model = open(given, folder, request, count)) {
        if (count == 1 && !given.flag("--json")) {
          var unused = LocalInference.stream(session.getConsole(), model, tokenizer, request);
          return null;
        }
        List<Text> texts =
            LocalInference.await(model.generate(request.sequences(count))).stream()
                .map(generation -> Text.of(tokenizer, LocalInference.finite(generation)))
                .toList();
        return given.flag("--json")
            ? texts.stream().map(Json::line).collect(Collectors.joining("\n"))
            : texts.stream().map(Text::text).collect(Collectors.joining("\n---\n"));
      }
    }
  }

  private InferSession open(Arguments given, Path folder, GenerationRequest request, int count) {
    long length = (long) request.prompt().length + request.sampling().maxNewTokens();
    return models.open(
        "generate",
        given,
        folder,
        request.seed(),
        (int) Math.min(length, Integer.MAX_VALUE),
        Math.min(count, AT_ONCE));
  }

  private static Sampling sampling(Arguments given) {
    return SamplingOptions.read(given)
        .withMinP(given.number("--min-p"))
        .withRepetitionPenalty(given.number("--repetition-penalty"))
        .withMinNewTokens(given.integer("--min-new-tokens"))
        .withStopStrings(given.texts("--stop"))
        .withChoices(given.texts("--choice"));
  }

  private static int sequences(Arguments given, Sampling sampling) {
    int count = (int) given.integer("--num-return-sequences", 1, 1024);
    if (count > 1 && sampling.temperature() == 0) {
      throw SYNTAX.wrong(
          "--num-return-sequences: " + count + " texts would be identical with --temperature 0");
    }
    return count;
  }

  private GenerationRequest request(
      Arguments given, Tokenizer tokenizer, Sampling sampling, long seed, List<Picture> pictures) {
    String prompt = given.word(1);
    if (prompt.isEmpty() && pictures.isEmpty()) {
      throw new UserException("generate: the prompt is empty");
    }
    String template = given.optional("--template");
    if (template == null && !pictures.isEmpty()) {
      throw SYNTAX.wrong("--image needs --template, which places the picture");
    }
    if (template == null) {
      return new GenerationRequest(
          tokenizer.encodePrompt(prompt), sampling, tokenizer.stopTokens(), seed);
    }
    ChatFormat format =
        models.format("generate", template, tokenizer, WorkerConfig.CHAT_TEMPLATE_KWARGS);
    int[] asked = format.opening(List.of(ImageOption.message(pictures, prompt)));
    return new GenerationRequest(asked, sampling, format.stops(), seed);
  }
}
