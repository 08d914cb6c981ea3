package roll.openai.answer;

import java.util.ArrayList;
import java.util.List;
import roll.text.call.HermesParser;
import roll.text.call.HermesPart;
import roll.text.call.ParsedToolCall;

/**
 * Finds tool calls in streamed text, as {@link HermesParser} and {@link ParsedToolCall} parse them.
 * Anything that is not a valid call stays text; white space next to a call is part of the call.
 */
final class ToolCallScanner {
  private final HermesParser parser;
  private String blank = "";
  private final boolean one;
  private boolean behindCall;
  private boolean called;

  /**
   * Creates a scanner at the beginning of an answer.
   *
   * @param thinking whether the text begins inside a thought
   * @param one whether calls after the first are dropped
   */
  ToolCallScanner(boolean thinking, boolean one) {
    parser = new HermesParser(thinking);
    this.one = one;
  }

  /** Takes a piece of text and returns the deltas that later text cannot change. */
  List<Delta> add(String piece) {
    return told(parser.add(piece));
  }

  /** Returns the deltas of the text held back; called once, at the end. */
  List<Delta> rest() {
    List<Delta> parts = told(parser.rest());
    if (!blank.isEmpty()) {
      parts.add(new Delta.Text(blank));
    }
    return parts;
  }

  private List<Delta> told(List<HermesPart> read) {
    List<Delta> parts = new ArrayList<>();
    for (HermesPart part : read) {
      if (part instanceof HermesPart.Block block && call(parts, block)) {
        blank = "";
        behindCall = true;
      } else {
        say(parts, part.text());
      }
    }
    return parts;
  }

  /**
   * Adds the call in {@code block} unless calls after the first are dropped; returns whether it is
   * a call.
   */
  private boolean call(List<Delta> parts, HermesPart.Block block) {
    ParsedToolCall written = ParsedToolCall.of(block);
    if (written.readable() && !(one && called)) {
      parts.add(new Delta.Call(written.call().tool(), written.arguments()));
      called = true;
    }
    return written.readable();
  }

  /** Adds generated text, but holds back trailing white space. */
  private void say(List<Delta> parts, String text) {
    String all = behindCall ? (blank + text).stripLeading() : blank + text;
    String said = all.stripTrailing();
    blank = all.substring(said.length());
    if (!said.isEmpty()) {
      parts.add(new Delta.Text(said));
      behindCall = false;
    }
  }
}
