package roll.sampling.grammar;

import java.util.List;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import roll.api.option.UserException;

/** Operations on automata whose size is bounded before they are made. */
final class Sizes {
  /** Maximum states of a deterministic automaton. */
  static final int MOST_STATES = 40_000;

  /** Maximum transitions of any automaton. */
  private static final int MOST_TRANSITIONS = 1_000_000;

  /** No maximum number of repetitions. */
  static final int ANY = -1;

  private Sizes() {}

  /** Returns the refusal of a grammar that is too large. */
  static UserException tooLarge(String what) {
    return new UserException(
        "%s: needs too large an automaton, allowed are %,d states; shorten its repetitions"
            .formatted(what, MOST_STATES));
  }

  /**
   * Returns the automaton of {@code least} to {@code most} repetitions of {@code one}.
   *
   * @param what names the grammar in the refusal
   * @param most maximum repetitions, or {@link #ANY}
   */
  static Automaton repeat(String what, Automaton one, int least, int most) {
    long copies = 1L + (most == ANY ? least : most);
    boolean empty = one.getNumStates() > 0 && one.isAccept(0);
    // a text that may be empty adds a transition to each later copy
    long transitions = copies * (1 + one.getNumTransitions()) * (empty ? copies : 1);
    if (copies * one.getNumStates() > MOST_STATES || transitions > MOST_TRANSITIONS) {
      throw tooLarge(what);
    }
    return most == ANY
        ? least == 0 ? Operations.repeat(one) : Operations.repeat(one, least)
        : Operations.repeat(one, least, most);
  }

  /** Returns the texts of {@code parts}, one after the other. */
  static Automaton concatenate(Automaton... parts) {
    return Operations.concatenate(List.of(parts));
  }

  /** Returns the texts of any of {@code parts}. */
  static Automaton union(Automaton... parts) {
    return Operations.union(List.of(parts));
  }

  /** Returns {@code automaton}, unless it is too large. */
  static Automaton checked(String what, Automaton automaton) {
    if (automaton.getNumStates() > MOST_STATES
        || automaton.getNumTransitions() > MOST_TRANSITIONS) {
      throw tooLarge(what);
    }
    return automaton;
  }
}
