package roll.cluster.environments.play;

import org.jspecify.annotations.Nullable;
import roll.api.env.Scenario;
import roll.cluster.environments.remote.RemoteEnvironment;

/**
 * Where an episode is played.
 *
 * @param environment of another node; null for this process
 * @param scenario the world there
 */
record EpisodePlace(@Nullable RemoteEnvironment environment, Scenario scenario) {}
