package roll.config.build;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.AgentRunnerConfig;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.config.PromptLimit;
import roll.api.config.RewardConfig;
import roll.api.option.UserException;
import roll.config.schema.Section;
import roll.config.tree.YamlTree;

/** Builds the typed configuration of a custom environment. */
final class EnvironmentBuilder {
  private static final String REWARDS = "rewards";
  private static final String WEIGHT = "weight";

  /** The environment manager whose episodes are played by programs. */
  private static final String PROGRAM = "program";

  private EnvironmentBuilder() {}

  private static int maxPictures(Section environment) {
    if (!environment.has("limit_mm_per_prompt")) {
      return Integer.MAX_VALUE;
    }
    Section limit = environment.section("limit_mm_per_prompt");
    return limit.has("image") ? limit.integer("image") : Integer.MAX_VALUE;
  }

  static EnvConfig of(String tag, Section environment) {
    return new EnvConfig(
        tag,
        environment.text("env_type"),
        environment.text("env_manager_cls"),
        new EnvLimits(
            environment.integer("max_steps"),
            environment.integer("max_tokens_per_step"),
            environment.integer("max_env_step_concurrent"),
            EnvLimits.CutResponses.valueOf(
                environment.text("cut_responses").toUpperCase(Locale.ROOT))),
        new PromptConfig(
            environment.textOrNull("agent_system_template"),
            environment.text("agent_template"),
            environment.integer("history_length"),
            new PromptLimit(
                environment.integer("max_prompt_length"),
                PromptLimit.Truncation.valueOf(
                    environment.text("truncation").toUpperCase(Locale.ROOT))),
            maxPictures(environment)),
        environment.mapping("env_config"),
        rewards(environment),
        AgentBuilder.of(environment),
        runner(environment));
  }

  /**
   * The rewards added to the environment's own, in the order written; {@code id: 0.5} is short for
   * {@code id: {weight: 0.5}}, and the default weight is 1.
   *
   * @throws UserException if a weight is not a finite number
   */
  private static List<RewardConfig> rewards(Section environment) {
    List<RewardConfig> rewards = new ArrayList<>();
    environment
        .mapping(REWARDS)
        .forEach((name, value) -> rewards.add(reward(environment, name, value)));
    return List.copyOf(rewards);
  }

  private static RewardConfig reward(Section environment, String name, Object value) {
    Map<String, @Nullable Object> tree = YamlTree.mapping(value);
    Map<String, Object> options = YamlTree.withoutNulls(tree);
    Object weight = tree == null ? value : options.getOrDefault(WEIGHT, 1);
    if (!(weight instanceof Number number) || !Double.isFinite(number.doubleValue())) {
      throw new UserException(
          environment.where(REWARDS)
              + "."
              + name
              + (tree == null ? "" : "." + WEIGHT)
              + ": expected a number, found "
              + YamlTree.shown(weight));
    }
    options.remove(WEIGHT);
    return new RewardConfig(name, number.doubleValue(), options);
  }

  /**
   * Returns the program that plays the episodes of {@code environment}, or null where it names
   * none.
   *
   * @throws roll.api.option.UserException if the manager is another one, or the command is empty
   */
  private static @Nullable AgentRunnerConfig runner(Section environment) {
    if (!environment.has("agent_runner")) {
      return null;
    }
    if (!environment.text("env_manager_cls").equals(PROGRAM)) {
      throw environment.wrong(
          "env_manager_cls", PROGRAM + ", where agent_runner names a program that plays");
    }
    return AgentRunnerBuilder.of(environment.section("agent_runner"));
  }
}
