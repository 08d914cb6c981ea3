package roll.openai.answer;

import java.util.ArrayList;
import java.util.List;
import roll.text.call.HermesParser;
import roll.text.call.HermesPart;
import roll.text.call.WrittenCall;

/**
 * Finds calls in a text as it comes, as {@link HermesParser} and {@link WrittenCall} read them.
 * What cannot be read so stays text; white space beside a call belongs to it.
 */
final class CallScanner {
  private final HermesParser parser;
  private String blank = "";
  private final boolean one;
  private boolean behindCall;
  private boolean called;

  /**
   * Nothing read yet.
   *
   * @param thinking whether the text begins inside of a thought
   * @param one whether calls behind the first are left out
   */
  CallScanner(boolean thinking, boolean one) {
    parser = new HermesParser(thinking);
    this.one = one;
  }

  /** Takes a piece of text; gives the parts that are sure now. */
  List<Delta> add(String piece) {
    return told(parser.add(piece));
  }

  /** What was held back; to be asked once, at the end. */
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

  /** Adds the call that {@code block} is, unless it is one too many; whether it is one. */
  private boolean call(List<Delta> parts, HermesPart.Block block) {
    WrittenCall written = WrittenCall.of(block);
    if (written.readable() && !(one && called)) {
      parts.add(new Delta.Call(written.call().tool(), written.arguments()));
      called = true;
    }
    return written.readable();
  }

  /** Adds text; white space at its end waits for what follows. */
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
