package roll.sampling.grammar;

import java.util.List;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;

/**
 * The well-formed texts of UTF-8, table 3-7 of the Unicode Standard: Lucene allows longer forms.
 */
final class WellFormedUtf8 {
  private WellFormedUtf8() {}

  /** Returns the automaton of all texts, over bytes. */
  static Automaton automaton() {
    return Operations.repeat(
        Operations.union(
            List.of(
                bytes(0x00, 0x7F),
                bytes(0xC2, 0xDF, 0x80, 0xBF),
                bytes(0xE0, 0xE0, 0xA0, 0xBF, 0x80, 0xBF),
                bytes(0xE1, 0xEC, 0x80, 0xBF, 0x80, 0xBF),
                bytes(0xED, 0xED, 0x80, 0x9F, 0x80, 0xBF),
                bytes(0xEE, 0xEF, 0x80, 0xBF, 0x80, 0xBF),
                bytes(0xF0, 0xF0, 0x90, 0xBF, 0x80, 0xBF, 0x80, 0xBF),
                bytes(0xF1, 0xF3, 0x80, 0xBF, 0x80, 0xBF, 0x80, 0xBF),
                bytes(0xF4, 0xF4, 0x80, 0x8F, 0x80, 0xBF, 0x80, 0xBF))));
  }

  /** Returns the bytes of one character, each with its bounds. */
  private static Automaton bytes(int... bounds) {
    Automaton[] parts = new Automaton[bounds.length / 2];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = Automata.makeCharRange(bounds[2 * i], bounds[2 * i + 1]);
    }
    return Sizes.concatenate(parts);
  }
}
