package roll.openai.answer;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.model.Tokenizer;
import roll.text.Detokenizer;
import roll.text.call.Thoughts;

/**
 * One answer as its tokens come: their text up to a stop string, and the calls in it. The parts do
 * not depend on when they are asked for.
 */
final class ChoiceBuilder {
  private final Detokenizer text;
  private final StopCut cut;
  private final @Nullable CallScanner calls;
  private boolean called;
  private int length;

  /**
   * An empty one.
   *
   * @param prompt that it answers, which may have begun a thought
   * @param toolCalls whether calls are looked for
   * @param oneCall whether no call but the first is told
   */
  ChoiceBuilder(
      Tokenizer tokenizer, int[] prompt, List<String> stops, boolean toolCalls, boolean oneCall) {
    text = new Detokenizer(tokenizer, false);
    cut = new StopCut(stops);
    calls = toolCalls ? new CallScanner(Thoughts.open(tokenizer, prompt), oneCall) : null;
  }

  /** Takes a token; gives the parts that are sure now. */
  List<Delta> add(int token) {
    return scanned(cut.add(text.add(token)));
  }

  /** What was held back; to be asked once, at the end. */
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

  /** Characters of its text that are sure, those of calls included. */
  int length() {
    return length;
  }

  /** Whether a stop string ended it. */
  boolean cut() {
    return cut.found();
  }

  /**
   * Why it ended, in OpenAI's words.
   *
   * @param stopped whether the model ended it
   */
  String reason(boolean stopped) {
    return called ? "tool_calls" : stopped || cut.found() ? "stop" : "length";
  }
}
