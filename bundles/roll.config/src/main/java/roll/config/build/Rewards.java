package roll.config.build;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.RewardConfig;
import roll.api.option.UserException;
import roll.config.schema.Section;
import roll.config.tree.Tree;

/** The mapping {@code rewards} of a custom environment: reward function to weight and options. */
final class Rewards {
  private static final String REWARDS = "rewards";
  private static final String WEIGHT = "weight";

  private Rewards() {}

  /**
   * What is added to the environment's own rewards, in the order written; {@code id: 0.5} is short
   * for {@code id: {weight: 0.5}}, and a function without a weight counts once.
   *
   * @throws UserException if a weight is no finite number
   */
  static List<RewardConfig> of(Section environment) {
    List<RewardConfig> rewards = new ArrayList<>();
    environment
        .mapping(REWARDS)
        .forEach((name, value) -> rewards.add(reward(environment, name, value)));
    return List.copyOf(rewards);
  }

  private static RewardConfig reward(Section environment, String name, Object value) {
    Map<String, @Nullable Object> tree = Tree.mapping(value);
    Map<String, Object> options = new LinkedHashMap<>();
    if (tree != null) {
      tree.forEach(
          (key, option) -> {
            if (option != null) {
              options.put(key, option);
            }
          });
    }
    Object weight = tree == null ? value : options.getOrDefault(WEIGHT, 1);
    if (!(weight instanceof Number number) || !Double.isFinite(number.doubleValue())) {
      throw new UserException(
          environment.where(REWARDS)
              + "."
              + name
              + (tree == null ? "" : "." + WEIGHT)
              + ": expected a number, found "
              + Tree.shown(weight));
    }
    options.remove(WEIGHT);
    return new RewardConfig(name, number.doubleValue(), options);
  }
}
