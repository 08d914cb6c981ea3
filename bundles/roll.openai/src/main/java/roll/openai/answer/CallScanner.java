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
  private boolean behindCall;

  /**
   * Nothing read yet.
   *
   * @param thinking whether the text begins inside of a thought
   */
  CallScanner(boolean thinking) {
    parser = new HermesParser(thinking);
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

  /** Adds the call that {@code block} is; whether it is one. */
  private static boolean call(List<Delta> parts, HermesPart.Block block) {
    WrittenCall written = WrittenCall.of(block);
    return written.readable()
        && parts.add(new Delta.Call(written.call().tool(), written.arguments()));
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
