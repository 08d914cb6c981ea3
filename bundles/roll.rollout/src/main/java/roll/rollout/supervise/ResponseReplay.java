package roll.rollout.supervise;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import roll.api.image.ImageSize;
import roll.api.rollout.Policy;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;
import roll.api.strategy.Sampling;

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
    return new Policy() {
      @Override
      public Generation respond(Prompt prompt, Sampling sampling, int turn)
          throws InterruptedException {
        long asked = number(prompt);
        Answer answer =
            isKnown(asked)
                ? known.get(given.size())
                : new Answer(asked, policy.respond(prompt, sampling, turn));
        given.add(answer);
        return answer.generation();
      }

      @Override
      public boolean seesPictures() {
        return policy.seesPictures();
      }

      @Override
      public ImageSize seen(ImageSize picture) {
        return policy.seen(picture);
      }
    };
  }

  private boolean isKnown(long prompt) {
    int turn = given.size();
    return turn < known.size()
        && known.get(turn).prompt() == prompt
        && (turn == 0 || given.get(turn - 1).equals(known.get(turn - 1)));
  }

  /** Equal for equal prompts, and hardly ever for others: long ones are not worth keeping. */
  private static long number(Prompt prompt) {
    int[] tokens = prompt.tokens();
    return ((long) tokens.length << Integer.SIZE)
        ^ (31L * Arrays.hashCode(tokens) + prompt.pictures().hashCode());
  }

  /**
   * An answer.
   *
   * @param prompt what it was to, as a number
   */
  private record Answer(long prompt, Generation generation) {}
}
