package roll.openai.answer;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.openai.request.ApiException;

/** Formats {@code text_completion} objects, of which streams consist too. */
public final class TextResponseFormat implements ResponseFormat {
  private static final String OBJECT = "text_completion";

  private final ResponseHeader head;
  private final boolean usage;

  /**
   * Creates the formatter of the {@code text_completion} objects for one request.
   *
   * @param usage whether a stream ends with the token usage
   */
  public TextResponseFormat(String model, boolean usage) {
    this.head = ResponseHeader.of("cmpl-", model);
    this.usage = usage;
  }

  @Override
  public boolean thoughts() {
    return false;
  }

  @Override
  public List<StreamEvent> opening(int choices, int promptTokens) {
    return List.of();
  }

  @Override
  public List<StreamEvent> chunk(int choice, Delta piece, @Nullable List<ScoredToken> logProbs) {
    return part(entry(choice, text(piece), null, logProbs));
  }

  @Override
  public List<StreamEvent> end(int choice, Ending ending, @Nullable List<ScoredToken> logProbs) {
    return part(entry(choice, "", reason(ending), logProbs));
  }

  private List<StreamEvent> part(JsonObject entry) {
    JsonArray choices = new JsonArray();
    choices.add(entry);
    return List.of(StreamEvent.of(head.chunk(OBJECT, choices, usage ? JsonNull.INSTANCE : null)));
  }

  @Override
  public List<StreamEvent> closing(TokenUsage used) {
    return usage
        ? List.of(
            StreamEvent.of(head.chunk(OBJECT, new JsonArray(), ResponseHeader.usage(used))),
            StreamEvent.DONE)
        : List.of(StreamEvent.DONE);
  }

  @Override
  public List<StreamEvent> failed(ApiException failure) {
    return List.of(StreamEvent.of(failure.json()));
  }

  @Override
  public JsonObject whole(List<Choice> choices, TokenUsage used) {
    JsonArray entries = new JsonArray();
    for (Choice choice : choices) {
      String text =
          choice.pieces().stream().map(TextResponseFormat::text).collect(Collectors.joining());
      entries.add(entry(entries.size(), text, reason(choice.ending()), choice.logProbs()));
    }
    return head.chunk(OBJECT, entries, ResponseHeader.usage(used));
  }

  private static String reason(Ending ending) {
    return ending.reason() == Ending.Reason.LENGTH ? "length" : "stop";
  }

  private static JsonObject entry(
      int choice, String text, @Nullable String reason, @Nullable List<ScoredToken> logProbs) {
    JsonObject entry = new JsonObject();
    entry.addProperty("index", choice);
    entry.addProperty("text", text);
    entry.add("logprobs", logProbs == null ? JsonNull.INSTANCE : logProbs(logProbs));
    entry.addProperty("finish_reason", reason);
    return entry;
  }

  /** Returns the text of {@code piece}; text completions have no tool calls. */
  private static String text(Delta piece) {
    return piece instanceof Delta.Text text ? text.text() : "";
  }

  private static JsonObject logProbs(List<ScoredToken> tokens) {
    JsonArray texts = new JsonArray();
    JsonArray values = new JsonArray();
    JsonArray offsets = new JsonArray();
    for (ScoredToken token : tokens) {
      texts.add(token.text());
      values.add(token.logProb());
      offsets.add(token.offset());
    }
    JsonObject json = new JsonObject();
    json.add("tokens", texts);
    json.add("token_logprobs", values);
    json.add("top_logprobs", JsonNull.INSTANCE);
    json.add("text_offset", offsets);
    return json;
  }
}
