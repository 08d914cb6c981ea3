package roll.reward.format;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Trajectory;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** How near what the policy wrote comes to the length it should have. */
@Component(name = "roll.reward.format.length")
@RollReward("length")
public final class Length implements RewardFunction {
  private static final double MOST = 1e9;

  @Override
  public String description() {
    return "from at_limit to at_target, by how long all that the policy wrote is";
  }

  @Override
  public List<OptionInfo> options() {
    return List.of(
        new OptionInfo("target", OptionInfo.Type.INTEGER, null, "length that earns at_target"),
        new OptionInfo("limit", OptionInfo.Type.INTEGER, null, "length that earns at_limit"),
        new OptionInfo("unit", OptionInfo.Type.TEXT, "tokens", "tokens or characters"),
        new OptionInfo("shape", OptionInfo.Type.TEXT, "linear", "linear or cosine between them"),
        new OptionInfo("at_target", OptionInfo.Type.NUMBER, 1, "score at and beyond the target"),
        new OptionInfo("at_limit", OptionInfo.Type.NUMBER, 0, "score at and beyond the limit"));
  }

  @Override
  public Reward configure(Options options) {
    int target = options.integer("target", 0, Integer.MAX_VALUE);
    int limit = options.integer("limit", 0, Integer.MAX_VALUE);
    if (limit == target) {
      throw options.wrong("limit", "another length than the target");
    }
    boolean tokens = options.word("unit", "tokens", "characters").equals("tokens");
    boolean cosine = options.word("shape", "linear", "cosine").equals("cosine");
    double best = options.number("at_target", -MOST, MOST);
    double worst = options.number("at_limit", -MOST, MOST);
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
