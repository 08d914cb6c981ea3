package roll.sampling.grammar;

import java.util.List;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.Transition;

/**
 * Automata of JSON values as text: compact, or with one space after each colon and comma. Numbers
 * have at most 15 digits before and after the point and two of an exponent, which doubles hold.
 */
final class JsonTexts {
  private static final CodePoints PLAIN =
      CodePoints.of(0, 0x1F).or(CodePoints.of("\"\\")).complement();
  private static final String ESCAPES = "\"\"\\\\\bb\ff\nn\rr\tt";

  private JsonTexts() {}

  /** Returns a character of a string, escaped or not. */
  static Automaton character() {
    return Operations.union(
        List.of(
            PLAIN.automaton(),
            RegexParser.whole(
                "JSON",
                "\\\\([\"\\\\/bfnrt]|u([0-9a-ce-fA-CE-F][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}))")));
  }

  /** Returns a string with {@code content}, escaped where necessary. */
  static Automaton string(Automaton content) {
    return Operations.concatenate(List.of(Automata.makeChar('"'), content, Automata.makeChar('"')));
  }

  /** Returns any string. */
  static Automaton string() {
    return string(Operations.repeat(character()));
  }

  /** Returns an integer. */
  static Automaton integer() {
    return RegexParser.whole("JSON", "-?(0|[1-9][0-9]{0,14})");
  }

  /** Returns a number. */
  static Automaton number() {
    return RegexParser.whole(
        "JSON", "-?(0|[1-9][0-9]{0,14})(\\.[0-9]{1,15})?([eE][-+]?[0-9]{1,2})?");
  }

  /** Returns a boolean. */
  static Automaton bool() {
    return Sizes.union(Automata.makeString("true"), Automata.makeString("false"));
  }

  /** Returns {@code c}, and a space or none. */
  static Automaton separator(char c) {
    return Sizes.concatenate(Automata.makeChar(c), Operations.optional(Automata.makeChar(' ')));
  }

  /** Returns any value with at most {@code depth} arrays and objects in each other. */
  static Automaton any(int depth) {
    Automaton scalar =
        Operations.union(List.of(string(), number(), bool(), Automata.makeString("null")));
    return depth == 0
        ? scalar
        : Operations.union(List.of(scalar, object(depth), array(any(depth - 1))));
  }

  /** Returns any object with at most {@code depth} arrays and objects in each other. */
  static Automaton object(int depth) {
    Automaton member = Operations.concatenate(List.of(string(), separator(':'), any(depth - 1)));
    return enclosed('{', Operations.optional(several(member)), '}');
  }

  /** Returns an array of any number of {@code item}. */
  static Automaton array(Automaton item) {
    return enclosed('[', Operations.optional(several(item)), ']');
  }

  /** Returns {@code content} between two characters. */
  static Automaton enclosed(char open, Automaton content, char close) {
    return Operations.concatenate(
        List.of(Automata.makeChar(open), content, Automata.makeChar(close)));
  }

  /** Returns one or more of {@code item}, separated by commas, with the size of a single one. */
  private static Automaton several(Automaton item) {
    Automaton.Builder builder = new Automaton.Builder();
    builder.copy(item);
    int comma = builder.createState();
    int space = builder.createState();
    builder.addTransition(comma, space, ' ');
    builder.addEpsilon(comma, 0);
    builder.addEpsilon(space, 0);
    for (int state = 0; state < item.getNumStates(); state++) {
      if (item.isAccept(state)) {
        builder.addTransition(state, comma, ',');
      }
    }
    return builder.finish();
  }

  /** Returns the contents of JSON strings whose value is in {@code values}. */
  static Automaton escaped(Automaton values) {
    Automaton.Builder builder = new Automaton.Builder();
    for (int state = 0; state < values.getNumStates(); state++) {
      builder.setAccept(builder.createState(), values.isAccept(state));
    }
    Transition transition = new Transition();
    for (int state = 0; state < values.getNumStates(); state++) {
      int count = values.initTransition(state, transition);
      for (int i = 0; i < count; i++) {
        values.getNextTransition(transition);
        escape(builder, transition);
      }
    }
    return builder.finish();
  }

  private static void escape(Automaton.Builder builder, Transition of) {
    for (CodePoints.Range range : PLAIN.within(of.min, of.max).ranges()) {
      builder.addTransition(of.source, of.dest, range.first(), range.last());
    }
    int escaped = -1;
    for (int i = 0; i < ESCAPES.length(); i += 2) {
      char c = ESCAPES.charAt(i);
      if (of.min <= c && c <= of.max) {
        if (escaped < 0) {
          escaped = builder.createState();
          builder.addTransition(of.source, escaped, '\\');
        }
        builder.addTransition(escaped, of.dest, ESCAPES.charAt(i + 1));
      }
    }
  }
}
