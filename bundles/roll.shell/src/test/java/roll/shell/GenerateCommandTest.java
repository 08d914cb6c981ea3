package roll.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.OptionInfo;
import roll.api.config.UserException;
import roll.api.data.Message;
import roll.api.model.Tokenizer;
import roll.api.rollout.ChatFormat;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Sampling;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.Weights;

/** {@code generate} with a tokenizer of one token a character and a model that repeats. */
class GenerateCommandTest {
  private static final int END = 7;

  @TempDir Path folder;
  private final AtomicReference<GenerationRequest> asked = new AtomicReference<>();
  private final AtomicReference<SessionConfig> opened = new AtomicReference<>();
  private final GenerateCommand command =
      new GenerateCommand(
          place -> new Characters(),
          (name, tokenizer) -> {
            if (!name.equals("brackets")) {
              throw new UserException("no format '" + name + "'");
            }
            return new Brackets();
          },
          new Repeating());

  @Test
  void aPromptIsAUsersMessageInTheChatFormat() {
    assertEquals("[user:hi]", run("hi", "--template", "brackets"));
    GenerationRequest request = asked.get();
    assertEquals(Sampling.greedy(64), request.sampling());
    assertEquals(List.of(0, END), request.stopTokens());
    assertEquals(42, request.seed());
    assertEquals(9 + 64, opened.get().sequenceLength());
    assertEquals(folder, opened.get().worker().model().folder());
  }

  @Test
  void rawContinuesTheTextItself() {
    assertEquals(
        "hi",
        run(
            "hi",
            "--raw",
            "--temperature",
            "0.7",
            "--top-p",
            "0.9",
            "--top-k",
            "5",
            "--max-new-tokens",
            "3",
            "--seed",
            "-1"));
    assertEquals(
        Sampling.of(3).withTemperature(0.7).withTopP(0.9).withTopK(5), asked.get().sampling());
    assertEquals(List.of(0), asked.get().stopTokens());
    assertEquals(-1, asked.get().seed());
  }

  @Test
  void mistakesAreOneLine() {
    assertEquals(
        "generate: --template: no format 'qwen2_5'; --raw needs no template", mistake("hi"));
    assertEquals("generate: the prompt has no tokens", mistake("", "--raw"));
    assertTrue(
        mistake("hi", "--temperature", "-1")
            .startsWith("generate: --temperature: expected a number from 0.0 to 100.0"));
    Path absent = folder.resolve("absent");
    try (Gogo gogo = new Gogo(command, "generate")) {
      UserException e =
          assertThrows(
              UserException.class, () -> command.generate(gogo.session(), absent.toString(), "hi"));
      assertEquals("generate: there is no folder '" + absent + "'", e.getMessage());
    }
  }

  private String run(String... more) {
    try (Gogo gogo = new Gogo(command, "generate")) {
      String[] all = new String[more.length + 1];
      all[0] = folder.toString();
      System.arraycopy(more, 0, all, 1, more.length);
      return command.generate(gogo.session(), all);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private String mistake(String... more) {
    return assertThrows(UserException.class, () -> run(more)).getMessage();
  }

  /** {@code [role:content]}, ended by {@code ]}. */
  private static final class Brackets implements ChatFormat {
    @Override
    public String opening(List<Message> messages) {
      Message only = messages.getFirst();
      return "[" + only.role() + ":" + only.content() + "]";
    }

    @Override
    public String between(boolean stopped, List<Message> messages) {
      return opening(messages);
    }

    @Override
    public List<String> stops() {
      return List.of("]");
    }
  }

  private static final class Characters implements Tokenizer {
    @Override
    public int[] encode(String text) {
      return text.chars().toArray();
    }

    @Override
    public int[] encodePrompt(String text) {
      return encode(text);
    }

    @Override
    public String decode(int[] tokens, boolean special) {
      return new String(tokens, 0, tokens.length);
    }

    @Override
    public int id(String text) {
      return text.equals("]") ? END : -1;
    }

    @Override
    public int size() {
      return Character.MAX_CODE_POINT;
    }

    @Override
    public List<Integer> stopTokens() {
      return List.of(0);
    }

    @Override
    public void close() {}
  }

  private final class Repeating implements InferStrategy, InferSession {
    @Override
    public List<OptionInfo> options() {
      return List.of();
    }

    @Override
    public InferSession open(SessionConfig config) {
      opened.set(config);
      return this;
    }

    @Override
    public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
      GenerationRequest request = requests.getFirst();
      asked.set(request);
      int[] prompt = request.prompt();
      return CompletableFuture.completedFuture(
          List.of(
              new Generation(
                  prompt, new double[prompt.length], new double[prompt.length], false, 0)));
    }

    @Override
    public CompletableFuture<Scores> score(TokenBatch batch) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> update(Weights weights) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }
}
