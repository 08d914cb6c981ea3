package roll.rollout.program;

import com.google.gson.Gson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import roll.api.data.Sequence;
import roll.api.rollout.ChatFormat;
import roll.api.strategy.Generation;
import roll.dialect.chat_completions.ChatCompletions;
import roll.dialect.messages.Messages;
import roll.dialect.responses.Responses;
import roll.openai.dialect.Dialects;
import roll.openai.request.ChatMessages;
import roll.rollout.CharTokenizer;
import roll.rollout.chat.NamedChatFormats;
import roll.rollout.chat.RenderedChatFormat;
import roll.template.FolderChatTemplates;

/** A history of hand-made conversations, a token a character. */
@NullMarked
final class ChatKit {
  static final CharTokenizer TOKENIZER = CharTokenizer.chatMl();
  private static final Gson GSON = new Gson();

  final AgentHistory history;

  ChatKit() {
    this(RenderedChatFormat.chatMl(TOKENIZER));
  }

  ChatKit(ChatFormat format) {
    history = new AgentHistory(format, TOKENIZER);
  }

  /** The tokenizer of a model in {@code folder} whose template, Qwen's, lists tools. */
  static CharTokenizer tokenizer(Path folder) throws IOException {
    Path template =
        Path.of(
            System.getProperty("roll.root"),
            "bundles/roll.template/src/test/resources/roll/template/Qwen2.5-7B-Instruct.jinja");
    Files.writeString(folder.resolve("chat_template.jinja"), Files.readString(template));
    Files.writeString(folder.resolve("tokenizer_config.json"), "{}");
    return CharTokenizer.chatMl(folder);
  }

  /** The chat format of a model in {@code folder} whose template lists tools. */
  static ChatFormat withTools(Path folder) throws IOException {
    return new NamedChatFormats(new FolderChatTemplates())
        .find("native", tokenizer(folder), Map.of());
  }

  static Map<String, Object> user(String text) {
    return Map.of("role", "user", "content", text);
  }

  static Map<String, Object> assistant(String text) {
    return Map.of("role", "assistant", "content", text);
  }

  /** The dialects of the endpoint. */
  static Dialects dialects() {
    Dialects dialects = new Dialects();
    dialects.add(new ChatCompletions());
    dialects.add(new Messages());
    dialects.add(new Responses());
    return dialects;
  }

  /** The request that lists {@code messages}, as its JSON is read. */
  static ChatMessages said(List<Map<String, Object>> messages) throws InterruptedException {
    String json = GSON.toJson(Map.of("messages", messages));
    return CallReader.read("/v1/chat/completions", json).said();
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  final CapturedCompletion.Request ask(Map<String, Object>... messages)
      throws InterruptedException {
    return history.ask(said(List.of(messages)), Map.of(), "");
  }

  CapturedCompletion answer(CapturedCompletion.Request request, String text, String... stops) {
    return history.add(request, drawn(text), List.of(stops), true);
  }

  /**
   * {@code text} and the end of the turn; the log-prob of the token at i is −(i+1)/8, version 7.
   */
  static Generation drawn(String text) {
    int[] tokens = Arrays.copyOf(TOKENIZER.encode(text), text.length() + 1);
    tokens[text.length()] = CharTokenizer.END;
    double[] logProbs =
        IntStream.range(0, tokens.length).mapToDouble(i -> -(i + 1) / 8.0).toArray();
    return new Generation(tokens, logProbs, logProbs, true, 7);
  }

  List<Sequence> samples() {
    return BranchSamples.of(BranchSamples.ends(history.completions()));
  }

  static String text(Sequence sequence) {
    return TOKENIZER.decode(sequence.tokens(), true);
  }

  /** The part of {@code sequence} is trained, turn by turn, as {@code 0:text}. */
  static List<String> trained(Sequence sequence) {
    List<String> trained = new ArrayList<>();
    int[] turns = sequence.turns();
    for (int from = 0; from < turns.length; ) {
      int to = from;
      while (to < turns.length && turns[to] == turns[from]) {
        to++;
      }
      if (turns[from] >= 0) {
        int[] tokens = Arrays.copyOfRange(sequence.tokens(), from, to);
        trained.add(turns[from] + ":" + TOKENIZER.decode(tokens, true));
      }
      from = to;
    }
    return trained;
  }
}
