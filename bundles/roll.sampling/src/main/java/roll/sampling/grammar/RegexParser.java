package roll.sampling.grammar;

import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import roll.api.option.UserException;

/**
 * Parses the regular expressions that Python and ECMAScript share, without what is no regular
 * language: backreferences, lookaround and word boundaries. Classes such as {@code \d} are ASCII.
 */
final class RegexParser {
  private static final int LONGEST = 4096;
  private static final int DEEPEST = 100;
  private static final int MOST_REPETITIONS = 10_000;

  private final String what;
  private final RegexCursor cursor;
  private final RegexCharacters characters;
  private final boolean search;
  private int depth;

  private RegexParser(String what, String pattern, boolean search) {
    this.what = what;
    this.cursor = new RegexCursor(what, pattern);
    this.characters = new RegexCharacters(cursor);
    this.search = search;
  }

  /**
   * Returns the automaton, over code points, of the texts that match the whole {@code pattern}.
   *
   * @param what names the pattern in refusals
   * @throws UserException if it is malformed, not supported or too large
   */
  static Automaton whole(String what, String pattern) {
    return parsed(what, pattern, false);
  }

  /** Like {@link #whole}, of the texts that contain a match. */
  static Automaton contained(String what, String pattern) {
    return parsed(what, pattern, true);
  }

  private static Automaton parsed(String what, String pattern, boolean search) {
    RegexParser parser = new RegexParser(what, pattern, search);
    if (pattern.length() > LONGEST) {
      throw parser.cursor.refused(
          "has %,d characters, allowed are %,d".formatted(pattern.length(), LONGEST));
    }
    Automaton parsed = parser.union();
    if (parser.cursor.more()) {
      throw parser.cursor.refused("')' without '('");
    }
    return Sizes.checked(what, parsed);
  }

  private Automaton union() {
    if (++depth > DEEPEST) {
      throw cursor.refused("more than " + DEEPEST + " groups in each other");
    }
    List<Automaton> branches = new ArrayList<>();
    do {
      branches.add(concatenation());
    } while (cursor.next("|"));
    depth--;
    return branches.size() == 1 ? branches.getFirst() : Operations.union(branches);
  }

  private Automaton concatenation() {
    boolean top = depth == 1;
    boolean begins = top && cursor.next("^");
    List<Automaton> parts = new ArrayList<>();
    boolean ends = false;
    while (cursor.more() && !cursor.sees("|") && !cursor.sees(")")) {
      ends = top && cursor.next("$");
      if (ends) {
        break;
      }
      parts.add(repetition(atom()));
    }
    if (ends && cursor.more() && !cursor.sees("|")) {
      throw cursor.refused("'$' must be the end");
    }
    if (search && top && !begins) {
      parts.addFirst(Operations.repeat(CodePoints.ALL.automaton()));
    }
    if (search && top && !ends) {
      parts.add(Operations.repeat(CodePoints.ALL.automaton()));
    }
    return parts.isEmpty() ? Automata.makeEmptyString() : Operations.concatenate(parts);
  }

  private Automaton repetition(Automaton atom) {
    Automaton repeated = atom;
    for (int[] bounds = bounds(); bounds.length > 0; bounds = bounds()) {
      repeated = Sizes.repeat(what, repeated, bounds[0], bounds[1]);
      if (cursor.next("+")) {
        throw cursor.refused("possessive repetitions are not supported");
      }
      var unused = cursor.next("?"); // lazy: the same texts
    }
    return repeated;
  }

  /** Returns the minimum and maximum number of repetitions that follow; empty if none do. */
  private int[] bounds() {
    if (cursor.next("*")) {
      return new int[] {0, Sizes.ANY};
    }
    if (cursor.next("+")) {
      return new int[] {1, Sizes.ANY};
    }
    if (cursor.next("?")) {
      return new int[] {0, 1};
    }
    if (!cursor.next("{")) {
      return new int[0];
    }
    int least = cursor.sees(",") ? 0 : number();
    int most = least;
    if (cursor.next(",")) {
      most = cursor.sees("}") ? Sizes.ANY : number();
    }
    if (!cursor.next("}")) {
      throw cursor.refused("expected '}' after a number of repetitions");
    }
    if (most != Sizes.ANY && most < least) {
      throw cursor.refused("{%d,%d}: the numbers are reversed".formatted(least, most));
    }
    return new int[] {least, most};
  }

  private int number() {
    int number = 0;
    boolean found = false;
    while (cursor.more()
        && "0123456789".indexOf(cursor.peek()) >= 0
        && number <= MOST_REPETITIONS) {
      number = 10 * number + cursor.peek() - '0';
      cursor.skip();
      found = true;
    }
    if (!found) {
      throw cursor.refused("expected a number of repetitions; a literal '{' is written '\\{'");
    }
    if (number > MOST_REPETITIONS) {
      throw cursor.refused("allowed are at most %,d repetitions".formatted(MOST_REPETITIONS));
    }
    return number;
  }

  private Automaton atom() {
    if (cursor.next("(")) {
      if (cursor.next("?")) {
        if (!cursor.next(":")) {
          throw cursor.refused(
              "'(?' is supported as '(?:' only; lookaround, flags and names are not");
        }
      }
      Automaton group = union();
      if (!cursor.next(")")) {
        throw cursor.refused("expected ')'");
      }
      return group;
    }
    if (cursor.next("[")) {
      return characters.set().automaton();
    }
    if (cursor.next(".")) {
      return CodePoints.of("\n").complement().automaton();
    }
    if (cursor.next("\\")) {
      return characters.escaped().automaton();
    }
    if (cursor.sees("^") || cursor.sees("$")) {
      throw cursor.refused("'^' and '$' are supported at the ends of the pattern only");
    }
    if ("*+?{".indexOf(cursor.peek()) >= 0) {
      throw cursor.refused("nothing to repeat");
    }
    return characters.literal().automaton();
  }
}
