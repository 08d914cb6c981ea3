package roll.rollout.supervise;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import roll.api.rollout.Policy;
import roll.api.strategy.Generation;

/**
 * The responses in an attempt at an episode, turn by turn. When the episode is begun again, since
 * its environment failed, the policy is not asked again up to the turn that went wrong, as long as
 * it would be asked the same: the new attempt is soon where the old one was.
 */
public final class ResponseReplay {
  private final List<Answer> known;
  private final List<Answer> given = new CopyOnWriteArrayList<>();

  private ResponseReplay(List<Answer> known) {
    this.known = known;
  }

  /** No answers yet. */
  public static ResponseReplay none() {
    return new ResponseReplay(List.of());
  }

  /** For another attempt: all but the last, after which the environment failed. */
  public ResponseReplay again() {
    return new ResponseReplay(List.copyOf(given.subList(0, Math.max(0, given.size() - 1))));
  }

  /** {@code policy}, which is asked only where the answer is not known. */
  public Policy of(Policy policy) {
    return (prompt, sampling, turn) -> {
      long tokens = number(prompt.tokens());
      Answer answer =
          isKnown(tokens)
              ? known.get(given.size())
              : new Answer(tokens, policy.respond(prompt, sampling, turn));
      given.add(answer);
      return answer.generation();
    };
  }

  private boolean isKnown(long prompt) {
    int turn = given.size();
    return turn < known.size()
        && known.get(turn).prompt() == prompt
        && (turn == 0 || given.get(turn - 1).equals(known.get(turn - 1)));
  }

  /** Equal for equal prompts, and hardly ever for others: long ones are not worth keeping. */
  private static long number(int[] prompt) {
    return ((long) prompt.length << Integer.SIZE) ^ Arrays.hashCode(prompt);
  }

  /**
   * An answer.
   *
   * @param prompt what it was to, as a number
   */
  private record Answer(long prompt, Generation generation) {}
}
