package roll.rollout;

import roll.api.config.EnvConfig;
import roll.api.env.Scenario;
import roll.api.rollout.EnvManager;

/**
 * What the episodes of one tag are played with.
 *
 * @param config the custom environment
 * @param scenario its world
 * @param manager how an episode becomes a trajectory
 */
record Stage(EnvConfig config, Scenario scenario, EnvManager manager) {}
