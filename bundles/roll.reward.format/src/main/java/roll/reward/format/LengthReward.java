package roll.reward.format;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Trajectory;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** Scores the length of the policy's responses between a target and a limit. */
@Component(name = "roll.reward.format.length")
@RollReward("length")
public final class LengthReward implements RewardFunction {
  private static final double MOST = 1e9;
  private static final String TOKENS = "tokens";
  private static final String COSINE = "cosine";

  private static final Option<Integer> TARGET =
      Option.integer(
          "target",
          0,
          Integer.MAX_VALUE,
          "length with score `at_target`, as lengths beyond it, away from the limit");
  private static final Option<Integer> LIMIT =
      Option.integer(
          "limit",
          0,
          Integer.MAX_VALUE,
          "length with score `at_limit`; a limit below the target rewards long responses");
  private static final Option<String> UNIT =
      Option.choice(
              "unit", List.of(TOKENS, "characters"), "unit of length; characters are code points")
          .withDefault(TOKENS);
  private static final Option<String> SHAPE =
      Option.choice("shape", List.of("linear", COSINE), "interpolation between target and limit")
          .withDefault("linear");
  private static final Option<Double> AT_TARGET =
      Option.number("at_target", -MOST, MOST, "score at and beyond the target").withDefault(1.0);
  private static final Option<Double> AT_LIMIT =
      Option.number("at_limit", -MOST, MOST, "score at and beyond the limit").withDefault(0.0);

  @Override
  public String description() {
    return "from at_limit to at_target, by the length of the policy's responses";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(TARGET, LIMIT, UNIT, SHAPE, AT_TARGET, AT_LIMIT);
  }

  @Override
  public Reward configure(Options options) {
    int target = options.get(TARGET);
    int limit = options.get(LIMIT);
    if (limit == target) {
      throw options.wrong(LIMIT, "another length than the target");
    }
    boolean tokens = options.get(UNIT).equals(TOKENS);
    boolean cosine = options.get(SHAPE).equals(COSINE);
    double best = options.get(AT_TARGET);
    double worst = options.get(AT_LIMIT);
    return (episode, models) -> {
      double length = tokens ? episode.written() : characters(episode);
      double share = Math.clamp((limit - length) / ((double) limit - target), 0, 1);
      double shaped = cosine ? (1 - Math.cos(Math.PI * share)) / 2 : share;
      return Grade.of(worst + (best - worst) * shaped);
    };
  }

  private static double characters(Trajectory episode) {
    return episode.messages().stream()
        .filter(message -> message.role().equals("assistant"))
        .mapToLong(message -> message.content().codePointCount(0, message.content().length()))
        .sum();
  }
}
