package roll.api.rollout;

import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.config.EnvConfig;
import roll.api.data.TrajectoryKey;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;

/**
 * What an environment manager needs for one episode.
 *
 * @param config the custom environment
 * @param scenario its world
 * @param model the policy
 * @param key of the trajectory to be made
 * @param start which episode it is to its world
 * @param agent what calls tools for the policy, or null if it has none
 * @param recorder is shown the world after the start and each step
 */
public record EpisodeContext(
    EnvConfig config,
    Scenario scenario,
    ModelContext model,
    TrajectoryKey key,
    EpisodeStart start,
    @Nullable AgentTools agent,
    Recorder recorder) {}
