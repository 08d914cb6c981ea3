package roll.core.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.memory.Activity;
import roll.core.Roles;
import roll.runtime.config.CriticConfig;
import roll.runtime.config.RunConfig;

/**
 * The active roles of a phase of a step; all others are idle.
 *
 * @param phase name of the phase; if roles take turns in it, followed by a slash and the role
 * @param roles activity by active role
 */
public record PhaseRoles(String phase, Map<String, Activity> roles) {
  public static final String ROLLOUT = "rollout";
  public static final String REFERENCE = "ref_log_probs_values_reward";
  public static final String OLD = "old_log_probs_values";
  public static final String DIVERGENCES = "divergences";
  public static final String TRAIN = "train";

  /** The phases in which the models of {@code run} work, in the order of a step. */
  static List<PhaseRoles> of(RunConfig run) {
    List<PhaseRoles> phases = new ArrayList<>();
    Map<String, Activity> playing = new LinkedHashMap<>();
    playing.put(Roles.ACTOR_INFER, Activity.GENERATE);
    run.roles()
        .rewardModels()
        .values()
        .forEach(
            model ->
                playing.put(
                    model.worker().role(), model.scores() ? Activity.SCORE : Activity.GENERATE));
    phases.add(new PhaseRoles(ROLLOUT, playing));
    if (run.roles().reference() != null) {
      String scores = run.roles().referenceIsActor() ? Roles.ACTOR_TRAIN : Roles.REFERENCE;
      phases.add(new PhaseRoles(REFERENCE, Map.of(scores, Activity.SCORE)));
    }
    CriticConfig critic = run.roles().critic();
    if (critic != null) {
      phases.add(new PhaseRoles(OLD + "/" + Roles.CRITIC, Map.of(Roles.CRITIC, Activity.SCORE)));
    }
    if (run.algorithm().recomputeOldLogProbs()) {
      phases.add(new PhaseRoles(turn(OLD, run), Map.of(Roles.ACTOR_TRAIN, Activity.SCORE)));
    }
    if (run.divergences()) {
      phases.add(new PhaseRoles(DIVERGENCES, compared(run)));
    }
    if (critic != null) {
      phases.add(new PhaseRoles(TRAIN + "/" + Roles.CRITIC, Map.of(Roles.CRITIC, Activity.TRAIN)));
    }
    phases.add(new PhaseRoles(turn(TRAIN, run), Map.of(Roles.ACTOR_TRAIN, Activity.TRAIN)));
    return phases;
  }

  private static Map<String, Activity> compared(RunConfig run) {
    return run.roles().referenceIsActor()
        ? Map.of(Roles.ACTOR_TRAIN, Activity.SCORE)
        : Map.of(Roles.ACTOR_TRAIN, Activity.SCORE, Roles.REFERENCE, Activity.SCORE);
  }

  private static String turn(String phase, RunConfig run) {
    return run.roles().critic() == null ? phase : phase + "/" + Roles.ACTOR_TRAIN;
  }

  /** The activity of {@code role}; a role that generates ahead of training is never idle. */
  Activity of(String role, RunConfig run) {
    boolean ahead = role.equals(Roles.ACTOR_INFER) && run.schedule().asyncRatio() > 0;
    return roles.getOrDefault(role, ahead ? Activity.GENERATE : Activity.REST);
  }
}
