package roll.openai.answer;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.model.Tokenizer;
import roll.text.Detokenizer;
import roll.text.call.ThinkTags;

/**
 * Builds one choice from its tokens: the text up to a stop string, and the thought and the tool
 * calls in it. The deltas do not depend on how often they are polled.
 */
final class ChoiceBuilder {
  private final Detokenizer text;
  private final StopStringFilter cut;
  private final @Nullable ThoughtScanner thoughts;
  private final @Nullable ToolCallScanner calls;
  private boolean called;
  private int length;
  private int thought;

  /**
   * Creates an empty choice.
   *
   * @param prompt the prompt, which may begin a thought
   * @param prefix beginning of the choice in the prompt, a part of a call; empty for none
   * @param thoughts whether a thought is separated from the text
   * @param toolCalls whether tool calls are parsed
   * @param oneCall whether calls after the first are dropped
   */
  ChoiceBuilder(
      Tokenizer tokenizer,
      int[] prompt,
      String prefix,
      List<String> stops,
      boolean thoughts,
      boolean toolCalls,
      boolean oneCall) {
    boolean open = ThinkTags.open(tokenizer, prompt);
    this.text = new Detokenizer(tokenizer, false);
    this.cut = new StopStringFilter(stops);
    this.thoughts = thoughts && prefix.isEmpty() ? new ThoughtScanner(open) : null;
    this.calls = toolCalls ? new ToolCallScanner(open && !thoughts, oneCall) : null;
    if (calls != null) {
      var unused = calls.add(prefix); // held back until the call is complete
    }
  }

  /** Takes a token and returns the deltas that later tokens cannot change. */
  List<Delta> add(int token) {
    List<Delta> parts = scanned(cut.add(text.add(token)));
    boolean thinking = thoughts != null && thoughts.thinking();
    thought += thinking || parts.stream().anyMatch(Delta.Thought.class::isInstance) ? 1 : 0;
    return parts;
  }

  /** Returns the deltas of the text held back; called once, at the end. */
  List<Delta> rest() {
    List<Delta> parts = new ArrayList<>(scanned(cut.add(text.rest())));
    parts.addAll(scanned(cut.rest()));
    if (thoughts != null) {
      split(parts, thoughts.rest());
    }
    if (calls != null) {
      parts.addAll(calls.rest());
    }
    return parts;
  }

  private List<Delta> scanned(String piece) {
    length += piece.length();
    List<Delta> parts = new ArrayList<>();
    if (thoughts == null) {
      say(parts, piece);
    } else {
      split(parts, thoughts.add(piece));
    }
    return parts;
  }

  private void split(List<Delta> parts, ThoughtScanner.Split split) {
    if (split.thought() != null) {
      parts.add(new Delta.Thought(split.thought()));
    }
    say(parts, split.text());
  }

  private void say(List<Delta> parts, String piece) {
    if (calls == null) {
      if (!piece.isEmpty()) {
        parts.add(new Delta.Text(piece));
      }
      return;
    }
    List<Delta> found = calls.add(piece);
    called |= found.stream().anyMatch(Delta.Call.class::isInstance);
    parts.addAll(found);
  }

  /** Returns the number of characters that later tokens cannot change, including those of calls. */
  int length() {
    return length;
  }

  /** Returns the number of tokens of the thought. */
  int thought() {
    return thought;
  }

  /** Returns whether a stop string ended the choice. */
  boolean cut() {
    return cut.found() != null;
  }

  /**
   * Returns why the choice ended.
   *
   * @param stopped whether the model ended the choice with a stop token
   */
  Ending ending(boolean stopped) {
    Ending.Reason reason =
        called ? Ending.Reason.CALLS : stopped || cut() ? Ending.Reason.STOP : Ending.Reason.LENGTH;
    return new Ending(reason, cut.found());
  }
}
