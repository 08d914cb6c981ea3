package roll.sampling;

import java.util.List;
import roll.api.model.Tokenizer;
import roll.text.Detokenizer;

/** Finds stop strings in a response during generation, with special tokens as text. */
final class StopStrings {
  private final List<String> stops;
  private final int longest;
  private final Detokenizer text;

  /** The end of the text, which may be the beginning of a stop string. */
  private String tail = "";

  StopStrings(List<String> stops, Tokenizer tokenizer) {
    this.stops = stops;
    this.longest = stops.stream().mapToInt(String::length).max().orElse(0);
    this.text = new Detokenizer(tokenizer, true);
  }

  /** Returns whether {@code token}, the next of the response, completes a stop string. */
  boolean completedBy(int token) {
    String known = tail;
    String seen = known + text.add(token);
    tail = seen.substring(Math.max(0, seen.length() - longest + 1));
    // text that ends within a character is checked too: a stop string may precede it
    String all = seen + text.rest();
    return stops.stream()
        .anyMatch(stop -> all.indexOf(stop, Math.max(0, known.length() - stop.length() + 1)) >= 0);
  }
}
