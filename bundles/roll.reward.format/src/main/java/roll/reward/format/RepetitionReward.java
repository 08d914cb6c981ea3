package roll.reward.format;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/**
 * The share of repeated n-grams of words in the final response, as a penalty ({@code
 * alibaba/ROLL@8eb27cc2:roll/pipeline/rlvr/rewards/ifeval_rule_reward_worker.py}).
 */
@Component(name = "roll.reward.format.repetition")
@RollReward("repetition")
public final class RepetitionReward implements RewardFunction {
  private static final Option<Integer> SIZE =
      Option.integer("ngram_size", 1, 1000, "words of an n-gram").withDefault(3);

  @Override
  public String description() {
    return "minus the share of repeated n-grams of the response, -1 to 0";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(SIZE);
  }

  @Override
  public Reward configure(Options options) {
    int size = options.get(SIZE);
    return (episode, models) -> Grade.of(-repeated(episode.finalResponse(), size));
  }

  private static double repeated(String response, int size) {
    List<String> words =
        Arrays.stream(response.toLowerCase(Locale.ROOT).split("\\s+", -1))
            .filter(word -> !word.isEmpty())
            .toList();
    int all = words.size() - size + 1;
    Set<List<String>> different = new HashSet<>();
    for (int i = 0; i < all; i++) {
      different.add(words.subList(i, i + size));
    }
    return all < 1 ? 0 : 1 - different.size() / (double) all;
  }
}
