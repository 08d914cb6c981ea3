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
 * Records the responses of an attempt, turn by turn. When the episode is retried after a failure of
 * its environment, they are replayed up to the failed turn as long as the prompts are the same.
 */
public final class ResponseReplay {
  private final List<Answer> known;
  private final List<Answer> given = new CopyOnWriteArrayList<>();

  private ResponseReplay(List<Answer> known) {
    this.known = known;
  }

  /** Returns a replay without recorded responses. */
  public static ResponseReplay none() {
    return new ResponseReplay(List.of());
  }

  /**
   * Returns the replay for a retry: all responses but the last, after which the environment failed.
   */
  public ResponseReplay again() {
    return new ResponseReplay(List.copyOf(given.subList(0, Math.max(0, given.size() - 1))));
  }

  /** Returns a policy that queries {@code policy} only for responses that are not recorded. */
  public Policy of(Policy policy, EpisodeTrace trace) {
    return new Policy() {
      @Override
      public Generation respond(Prompt prompt, Sampling sampling, int turn)
          throws InterruptedException {
        trace.turn(turn);
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

  /** Returns a hash of the prompt, kept in place of the prompt to save memory. */
  private static long number(Prompt prompt) {
    int[] tokens = prompt.tokens();
    return ((long) tokens.length << Integer.SIZE)
        ^ (31L * Arrays.hashCode(tokens) + prompt.pictures().hashCode());
  }

  /**
   * A recorded response.
   *
   * @param prompt hash of its prompt
   */
  private record Answer(long prompt, Generation generation) {}
}
