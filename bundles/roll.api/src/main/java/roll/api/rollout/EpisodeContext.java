package roll.api.rollout;

import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.config.EnvConfig;
import roll.api.data.TrajectoryKey;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;

/**
 * The input of an environment manager for one episode.
 *
 * @param config the custom environment
 * @param scenario the configured environment
 * @param model the policy
 * @param key key of the trajectory
 * @param start the episode to start
 * @param agent the tools of the policy, or null if it has none
 * @param recorder is called after the start and each step
 */
public record EpisodeContext(
    EnvConfig config,
    Scenario scenario,
    ModelContext model,
    TrajectoryKey key,
    EpisodeStart start,
    @Nullable AgentTools agent,
    Recorder recorder) {}
