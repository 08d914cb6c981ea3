package roll.shell.model;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.nio.file.Path;
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
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.ChatFormats;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Sampling;
import roll.runtime.command.Interrupts;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.RequiredService;
import roll.shell.terminal.Json;

/** {@code generate}: how a model or a checkpoint writes on, token by token as it does. */
@Component(name = "roll.shell.generate", service = Command.class)
@RollCommand(function = "generate")
public final class GenerateCommand extends Command {
  private static final int AT_ONCE = 16;

  /** How it is called. */
  static final Syntax SYNTAX =
      new Syntax(
          "generate",
          "Prints how a model or a checkpoint continues a text.",
          List.of(
              Word.one("folder", "a model in Hugging Face's layout, or a checkpoint of a run"),
              Word.one("prompt", "the text to continue; with --template a user's message")),
          List.of(
              Option.one("--temperature", "t", "0", "0 always takes the most likely token"),
              Option.one(
                  "--top-k",
                  "k",
                  "0",
                  "sample from this many of the most likely tokens; 0: from all"),
              Option.one(
                  "--top-p",
                  "p",
                  "1",
                  "sample from the most likely tokens with this total probability"),
              Option.one(
                  "--min-p", "p", "0", "minimum probability, relative to the most likely token's"),
              Option.one("--repetition-penalty", "r", "1", "above 1 discourages repetition"),
              Option.one("--max-new-tokens", "n", "64", "most tokens"),
              Option.one("--min-new-tokens", "n", "0", "minimum tokens"),
              Option.any("--stop", "text", "stop at the token that completes this text"),
              Option.any("--choice", "text", "write exactly one of these texts"),
              Option.one("--seed", "number", "42", "of the draw"),
              Option.one("--num-return-sequences", "n", "1", "how many texts to sample"),
              Option.optional("--template", "name", "use a chat format; native is the model's own"),
              ShownPictures.IMAGE,
              LocalInference.DTYPE,
              LocalInference.DEVICE,
              LocalInference.RANDOM_WEIGHTS,
              Option.flag("--json", "print ids and text of each as one line of JSON")));

  private final @Nullable TokenizerLoader tokenizers;
  private final ChatFormats formats;
  private final @Nullable InferStrategy strategy;
  private final Interrupts interrupts;

  /** A command on these services; without {@code interrupts} the shell's Ctrl-C is its own. */
  @Activate
  public GenerateCommand(
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY)
          @Nullable TokenizerLoader tokenizers,
      @Reference ChatFormats formats,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY, target = "(roll.strategy=hf_infer)")
          @Nullable InferStrategy strategy,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.tokenizers = tokenizers;
    this.formats = formats;
    this.strategy = strategy;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /**
   * A text of the model.
   *
   * @param ids its tokens as they were drawn
   * @param text the same, special tokens left out
   */
  private record Text(int[] ids, String text) {
    static Text of(Tokenizer tokenizer, Generation generation) {
      return new Text(generation.tokens(), tokenizer.decode(generation.tokens(), false));
    }
  }

  /** Prints one text while it is written, or returns several or JSON when they are done. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given)
      throws InterruptedException {
    Path folder = LocalInference.folder("generate", session, given.word(0));
    Sampling sampling = sampling(given);
    int count = sequences(given, sampling);
    long seed = given.integer("--seed", Long.MIN_VALUE, Long.MAX_VALUE);
    try (Interrupts.Watch _ = interrupts.watch();
        Tokenizer tokenizer =
            RequiredService.of(tokenizers, "generate", "roll.torch").load(folder)) {
      List<Picture> pictures = ShownPictures.of("generate", session, given);
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
    return LocalInference.open(
        RequiredService.of(strategy, "generate", "roll.strategy.hf_infer"),
        given,
        folder,
        request.seed(),
        (int) Math.min(length, Integer.MAX_VALUE),
        Math.min(count, AT_ONCE));
  }

  private static Sampling sampling(Arguments given) {
    return Sampling.of(given.integer("--max-new-tokens"))
        .withTemperature(given.number("--temperature"))
        .withTopK(given.integer("--top-k"))
        .withTopP(given.number("--top-p"))
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
          "--num-return-sequences: " + count + " texts would be equal with --temperature 0");
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
      throw SYNTAX.wrong("--image needs --template, which has a place for it");
    }
    if (template == null) {
      return new GenerationRequest(
          tokenizer.encodePrompt(prompt), sampling, tokenizer.stopTokens(), seed);
    }
    ChatFormat format =
        LocalInference.format(
            "generate", formats, template, tokenizer, WorkerConfig.CHAT_TEMPLATE_KWARGS);
    int[] asked = format.opening(List.of(ShownPictures.message(pictures, prompt)));
    return new GenerationRequest(asked, sampling, format.stops(), seed);
  }
}
