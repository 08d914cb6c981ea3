package roll.openai.answer;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.model.Tokenizer;
import roll.text.Detokenizer;
import roll.text.call.ThinkTags;

/**
 * Builds one choice from its tokens: the text up to a stop string, and the tool calls in it. The
 * deltas do not depend on how often they are polled.
 */
final class ChoiceBuilder {
  private final Detokenizer text;
  private final StopStringFilter cut;
  private final @Nullable ToolCallScanner calls;
  private boolean called;
  private int length;

  /**
   * Creates an empty choice.
   *
   * @param prompt the prompt, which may begin a thought
   * @param toolCalls whether tool calls are parsed
   * @param oneCall whether calls after the first are dropped
   */
  ChoiceBuilder(
      Tokenizer tokenizer, int[] prompt, List<String> stops, boolean toolCalls, boolean oneCall) {
    text = new Detokenizer(tokenizer, false);
    cut = new StopStringFilter(stops);
    calls = toolCalls ? new ToolCallScanner(ThinkTags.open(tokenizer, prompt), oneCall) : null;
  }

  /** Takes a token and returns the deltas that later tokens cannot change. */
  List<Delta> add(int token) {
    return scanned(cut.add(text.add(token)));
  }

  /** Returns the deltas of the text held back; called once, at the end. */
  List<Delta> rest() {
    List<Delta> parts = new ArrayList<>(scanned(cut.add(text.rest())));
    parts.addAll(scanned(cut.rest()));
    if (calls != null) {
      parts.addAll(calls.rest());
    }
    return parts;
  }

  private List<Delta> scanned(String piece) {
    length += piece.length();
    if (calls == null) {
      return piece.isEmpty() ? List.of() : List.of(new Delta.Text(piece));
    }
    List<Delta> parts = calls.add(piece);
    called |= parts.stream().anyMatch(Delta.Call.class::isInstance);
    return parts;
  }

  /** Returns the number of characters that later tokens cannot change, including those of calls. */
  int length() {
    return length;
  }

  /** Returns whether a stop string ended the choice. */
  boolean cut() {
    return cut.found();
  }

  /**
   * Returns OpenAI's {@code finish_reason} of the choice.
   *
   * @param stopped whether the model ended the choice with a stop token
   */
  String reason(boolean stopped) {
    return called ? "tool_calls" : stopped || cut.found() ? "stop" : "length";
  }
}
