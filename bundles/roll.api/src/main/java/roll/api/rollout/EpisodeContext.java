package roll.api.rollout;

import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentKit;
import roll.api.config.EnvConfig;
import roll.api.env.Scenario;
import roll.api.env.Start;
import roll.api.model.Tokenizer;
import roll.api.strategy.Sampling;

/**
 * What an environment manager needs for one episode.
 *
 * @param config the custom environment
 * @param scenario its world
 * @param chat chat format of the policy's model
 * @param tokenizer of the policy's model
 * @param policy who writes the responses
 * @param sampling how responses are drawn
 * @param sequenceLength maximum tokens of the trajectory
 * @param group number of the group
 * @param episode number of the episode within the group's life
 * @param member number within the group
 * @param start which episode it is
 * @param agent what calls tools for the policy, or null if it has none
 * @param recorder is shown the world after the start and each step
 */
public record EpisodeContext(
    EnvConfig config,
    Scenario scenario,
    ChatFormat chat,
    Tokenizer tokenizer,
    Policy policy,
    Sampling sampling,
    int sequenceLength,
    int group,
    int episode,
    int member,
    Start start,
    @Nullable AgentKit agent,
    Recorder recorder) {
  /** Seed of the episode, equal for all members of the group. */
  public long seed() {
    return start.seed();
  }
}
