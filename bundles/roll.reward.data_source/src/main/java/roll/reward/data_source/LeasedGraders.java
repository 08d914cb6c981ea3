package roll.reward.data_source;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.RawOptions;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.reward.AnswerGrader;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;

/** Rewards and graders of other bundles, leased on first use. */
final class LeasedGraders implements AutoCloseable {
  private final Plugins plugins;
  private final Options options;
  private final List<Option<RawOptions>> known;
  private final Map<String, Reward> rewards = new HashMap<>();
  private final List<Lease<?>> leases = new ArrayList<>();
  private @Nullable AnswerGrader texts;

  /** Creates graders with the options in {@code options} for each of {@code known}. */
  LeasedGraders(Plugins plugins, Options options, List<Option<RawOptions>> known) {
    this.plugins = plugins;
    this.options = options;
    this.known = known;
  }

  /**
   * Returns the leased reward {@code name}.
   *
   * @throws roll.api.option.UserException if it is missing, or its options are invalid
   */
  synchronized Reward reward(String name) {
    Reward reward = rewards.get(name);
    if (reward == null) {
      Lease<RewardFunction> lease =
          plugins.require(options.where(), RewardFunction.class, "roll.reward", name);
      leases.add(lease);
      RewardFunction function = lease.service();
      Option<RawOptions> own =
          known.stream().filter(option -> option.name().equals(name)).findFirst().orElseThrow();
      reward = function.configure(options.get(own).checked(function.options()));
      rewards.put(name, reward);
    }
    return reward;
  }

  /** Returns the grader of normalized texts. */
  synchronized AnswerGrader texts() {
    AnswerGrader grader = texts;
    if (grader == null) {
      Lease<AnswerGrader> lease =
          plugins.require(options.where(), AnswerGrader.class, "roll.grader", "string");
      leases.add(lease);
      grader = lease.service();
      texts = grader;
    }
    return grader;
  }

  @Override
  public synchronized void close() {
    rewards.values().forEach(Reward::close);
    leases.forEach(Lease::close);
  }
}
