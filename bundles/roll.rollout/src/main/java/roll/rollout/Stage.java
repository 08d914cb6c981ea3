package roll.rollout;

import java.util.List;
import roll.api.config.EnvConfig;
import roll.api.data.Trajectory;
import roll.api.env.Scenario;
import roll.api.rollout.EnvManager;

/**
 * What the episodes of one tag are played with.
 *
 * @param config the custom environment
 * @param scenario its world
 * @param manager how an episode becomes a trajectory
 * @param rewards that are added to those of the world
 * @param bundle name and version of the bundle that the world comes from
 */
record Stage(
    EnvConfig config, Scenario scenario, EnvManager manager, List<Term> rewards, String bundle) {
  /** A finished episode with all rewards, and with the name of what it was played with. */
  Trajectory finish(Attempt attempt, Trajectory played) {
    Trajectory named = played.playedWith(bundle);
    return rewards.isEmpty()
        ? named
        : attempt.ask("a reward of " + config.tag(), () -> Term.add(rewards, named));
  }
}
