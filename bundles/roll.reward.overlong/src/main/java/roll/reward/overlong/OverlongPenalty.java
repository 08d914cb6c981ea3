package roll.reward.overlong;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/**
 * A penalty that grows linearly over the last tokens of an episode: DAPO's soft overlong punishment
 * (Yu et al. 2025, equation 13) for the tokens of all turns.
 */
@Component(name = "roll.reward.overlong")
@RollReward("overlong")
public final class OverlongPenalty implements RewardFunction {
  private static final Option<Integer> MAX_LENGTH =
      Option.integer(
          "max_length",
          1,
          Integer.MAX_VALUE,
          "number of tokens of an episode at which the penalty reaches −1");
  private static final Option<Integer> BUFFER =
      Option.integer(
          "buffer", 1, Integer.MAX_VALUE, "number of last tokens over which the penalty grows");

  @Override
  public String description() {
    return "0 for short episodes, falling to -1 over the last tokens of an episode";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(MAX_LENGTH, BUFFER);
  }

  @Override
  public Reward configure(Options options) {
    int longest = options.get(MAX_LENGTH);
    int buffer = options.get(BUFFER);
    if (buffer > longest) {
      throw options.wrong(BUFFER, "an integer from 1 to " + longest);
    }
    return (episode, models) -> Grade.of(score(episode.written(), longest, buffer));
  }

  /** Returns the penalty of an episode with {@code written} tokens, in [−1, 0]. */
  static double score(int written, int longest, int buffer) {
    double over = written - (longest - buffer);
    return -Math.clamp(over / buffer, 0, 1);
  }
}
