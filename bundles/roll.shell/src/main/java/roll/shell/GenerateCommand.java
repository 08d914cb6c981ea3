package roll.shell;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.UserException;
import roll.api.config.WorkerConfig;
import roll.api.data.Message;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.ChatFormats;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Sampling;
import roll.api.strategy.SessionConfig;
import roll.shell.Syntax.Option;
import roll.shell.Syntax.Word;

/** {@code generate}: what a model or a checkpoint answers to a prompt. */
@Component(name = "roll.shell.generate", service = GenerateCommand.class)
@RollCommand(function = "generate", description = GenerateCommand.SUMMARY)
public final class GenerateCommand {
  static final String SUMMARY = "Prints what a model or a checkpoint answers to a prompt.";
  private static final int MOST_TOKENS = 1 << 20;
  private static final Syntax SYNTAX =
      new Syntax(
          "generate",
          SUMMARY,
          List.of(
              Word.one("folder", "a model in Hugging Face's layout, or a checkpoint of a run"),
              Word.one("prompt", "a user's message; with --raw the text to continue")),
          List.of(
              new Option("--raw", null, null, "continue the prompt itself, without a chat format"),
              new Option("--template", "name", "qwen2_5", "the chat format the model knows"),
              new Option("--temperature", "t", "0", "0 takes the likeliest token"),
              new Option("--top-p", "p", "1", "draw from the likeliest tokens of this sum"),
              new Option("--top-k", "k", "0", "draw from this many likeliest tokens; 0 from all"),
              new Option("--max-new-tokens", "n", "64", "most tokens of the answer"),
              new Option("--seed", "number", "42", "of the draw")));

  private final TokenizerLoader tokenizers;
  private final ChatFormats formats;
  private final InferStrategy strategy;

  /** A command on these services. */
  @Activate
  public GenerateCommand(
      @Reference TokenizerLoader tokenizers,
      @Reference ChatFormats formats,
      @Reference(target = "(roll.strategy=hf_infer)") InferStrategy strategy) {
    this.tokenizers = tokenizers;
    this.formats = formats;
    this.strategy = strategy;
  }

  /** The answer's text, special tokens left out. */
  @Descriptor(SUMMARY)
  public String generate(
      CommandSession session, @Descriptor("<folder> <prompt> [option …]") String... arguments)
      throws InterruptedException {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
    Path folder = Place.of(session, given.word(0));
    if (!Files.isDirectory(folder)) {
      throw new UserException("generate: there is no folder '" + folder + "'");
    }
    Sampling sampling =
        Sampling.of((int) given.integer("--max-new-tokens", 1, MOST_TOKENS))
            .withTemperature(given.number("--temperature", 0, 100))
            .withTopP(given.number("--top-p", Double.MIN_NORMAL, 1))
            .withTopK((int) given.integer("--top-k", 0, Integer.MAX_VALUE));
    long seed = given.integer("--seed", Long.MIN_VALUE, Long.MAX_VALUE);
    try (Tokenizer tokenizer = tokenizers.load(folder)) {
      GenerationRequest request = request(given, tokenizer, sampling, seed);
      if (request.prompt().length == 0) {
        throw new UserException("generate: the prompt has no tokens");
      }
      int length = request.prompt().length + sampling.maxNewTokens();
      SessionConfig config = new SessionConfig(worker(folder), seed, 1, length);
      try (InferSession model = strategy.open(config)) {
        Generation answer = await(model.generate(List.of(request))).getFirst();
        return tokenizer.decode(answer.tokens(), false);
      }
    }
  }

  private GenerationRequest request(
      Arguments given, Tokenizer tokenizer, Sampling sampling, long seed) {
    List<Integer> stops = new ArrayList<>(tokenizer.stopTokens());
    String prompt = given.word(1);
    if (!given.flag("--raw")) {
      ChatFormat format = format(given.text("--template"), tokenizer);
      prompt = format.opening(List.of(new Message("user", prompt)));
      format.stops().forEach(stop -> stops.add(tokenizer.id(stop)));
    }
    return new GenerationRequest(
        tokenizer.encodePrompt(prompt), sampling, stops.stream().distinct().toList(), seed);
  }

  private ChatFormat format(String name, Tokenizer tokenizer) {
    try {
      return formats.find(name, tokenizer);
    } catch (UserException e) {
      throw new UserException(
          "generate: --template: " + e.getMessage() + "; --raw needs no template", e);
    }
  }

  /** A role that only infers, on the CPU. */
  private static WorkerConfig worker(Path folder) {
    return new WorkerConfig(
        "actor_infer",
        ModelConfig.of(folder, WorkerConfig.Dtype.FP32),
        "qwen2_5",
        "hf_infer",
        Map.of(),
        new TrainingConfig(0, 0, 0.9, 0.999, 1, 1, "constant", 0, 1),
        List.of(),
        1);
  }

  private static <T> T await(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case UserException mistake -> throw mistake;
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw new IllegalStateException(e.getCause());
      }
    }
  }
}
