package roll.sampling.grammar;

import java.util.BitSet;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.ByteRunAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.apache.lucene.util.automaton.Transition;
import org.apache.lucene.util.automaton.UTF32ToUTF8;
import roll.api.option.UserException;
import roll.api.strategy.StructuredOutput;

/**
 * The texts that a response may be, as a deterministic automaton over the bytes of UTF-8. From each
 * state but {@link #DEAD} a text can be completed.
 */
public final class Grammar {
  /** No text continues so. */
  public static final int DEAD = -1;

  /** Lucene's unit of work: sets of states in tens. */
  private static final int MOST_WORK = 400_000;

  private final String what;
  private final Automaton automaton;
  private final ByteRunAutomaton run;

  private Grammar(String what, Automaton automaton) {
    this.what = what;
    this.automaton = automaton;
    this.run = new ByteRunAutomaton(automaton, true);
  }

  /**
   * Compiles {@code output}.
   *
   * @throws UserException in one line if it is malformed, not supported, too large or allows no
   *     text
   */
  public static Grammar of(StructuredOutput output) {
    return switch (output) {
      case StructuredOutput.Regex regex -> {
        String what = "structured_outputs.regex";
        yield of(what, RegexParser.whole(what, regex.pattern()));
      }
      case StructuredOutput.Json json -> {
        String what = "structured_outputs.json";
        yield of(what, SchemaReader.read(what, json.schema()));
      }
    };
  }

  private static Grammar of(String what, Automaton codePoints) {
    Automaton bytes =
        new UTF32ToUTF8().convert(Operations.removeDeadStates(Sizes.checked(what, codePoints)));
    Automaton living;
    try {
      Automaton formed = Operations.intersection(bytes, WellFormedUtf8.automaton());
      living = Operations.removeDeadStates(Operations.determinize(formed, MOST_WORK));
    } catch (TooComplexToDeterminizeException e) {
      throw Sizes.tooLarge(what);
    }
    if (Operations.isEmpty(living)) {
      throw new UserException(what + ": allows no text");
    }
    return new Grammar(what, Sizes.checked(what, living));
  }

  /** Returns the number of states. */
  int size() {
    return automaton.getNumStates();
  }

  /** Returns the bytes of the texts. */
  BitSet bytes() {
    BitSet bytes = new BitSet();
    Transition transition = new Transition();
    for (int state = 0; state < automaton.getNumStates(); state++) {
      int count = automaton.initTransition(state, transition);
      for (int i = 0; i < count; i++) {
        automaton.getNextTransition(transition);
        bytes.set(transition.min, transition.max + 1);
      }
    }
    return bytes;
  }

  /** Returns the name of the grammar in refusals. */
  String what() {
    return what;
  }

  /** Returns the state before the first byte. */
  public int start() {
    return 0;
  }

  /** Returns the state after the byte {@code value}, from 0 to 255, or {@link #DEAD}. */
  public int step(int state, int value) {
    return run.step(state, value);
  }

  /** Returns the state after {@code bytes}, or {@link #DEAD}. */
  int step(int state, byte[] bytes) {
    int reached = state;
    for (int i = 0; reached != DEAD && i < bytes.length; i++) {
      reached = step(reached, bytes[i] & 0xFF);
    }
    return reached;
  }

  /** Returns whether a text may end in {@code state}. */
  public boolean accepts(int state) {
    return run.isAccept(state);
  }

  /** Returns whether a text may continue in {@code state}. */
  public boolean continues(int state) {
    return automaton.getNumTransitions(state) > 0;
  }

  /** Returns whether some text is the beginning of another. */
  public boolean ambiguous() {
    for (int state = 0; state < automaton.getNumStates(); state++) {
      if (accepts(state) && continues(state)) {
        return true;
      }
    }
    return false;
  }
}
