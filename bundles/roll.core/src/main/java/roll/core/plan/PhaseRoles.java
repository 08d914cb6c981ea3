package roll.core.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.memory.SessionActivity;
import roll.core.Roles;
import roll.runtime.config.CriticConfig;
import roll.runtime.config.ModelRoles;
import roll.runtime.config.RunConfig;
import roll.runtime.config.TeacherConfig;

/**
 * The active roles of a phase of a step; all others are idle.
 *
 * @param phase name of the phase; if roles take turns in it, followed by a slash and the role
 * @param roles activity by active role
 */
public record PhaseRoles(String phase, Map<String, SessionActivity> roles) {
  public static final String ROLLOUT = "rollout";
  public static final String REFERENCE = "ref_log_probs_values_reward";
  public static final String OLD = "old_log_probs_values";
  public static final String DIVERGENCES = "divergences";
  public static final String TRAIN = "train";

  /** The phases in which the models of {@code run} work, in the order of a step. */
  static List<PhaseRoles> of(RunConfig run) {
    List<PhaseRoles> phases = new ArrayList<>();
    Map<String, SessionActivity> playing = new LinkedHashMap<>();
    playing.put(Roles.ACTOR_INFER, SessionActivity.GENERATE);
    run.roles()
        .rewardModels()
        .values()
        .forEach(
            model ->
                playing.put(
                    model.worker().role(),
                    model.scores() ? SessionActivity.SCORE : SessionActivity.GENERATE));
    phases.add(new PhaseRoles(ROLLOUT, playing));
    references(run)
        .forEach(
            (phase, role) ->
                phases.add(new PhaseRoles(phase, Map.of(role, SessionActivity.SCORE))));
    CriticConfig critic = run.roles().critic();
    if (critic != null) {
      phases.add(
          new PhaseRoles(OLD + "/" + Roles.CRITIC, Map.of(Roles.CRITIC, SessionActivity.SCORE)));
    }
    if (run.algorithm().recomputeOldLogProbs()) {
      phases.add(new PhaseRoles(turn(OLD, run), Map.of(Roles.ACTOR_TRAIN, SessionActivity.SCORE)));
    }
    if (run.divergences()) {
      phases.add(new PhaseRoles(DIVERGENCES, compared(run)));
    }
    if (critic != null) {
      phases.add(
          new PhaseRoles(TRAIN + "/" + Roles.CRITIC, Map.of(Roles.CRITIC, SessionActivity.TRAIN)));
    }
    phases.add(new PhaseRoles(turn(TRAIN, run), trained(run)));
    return phases;
  }

  /** Returns the role that scores as a reference by its phase. */
  private static Map<String, String> references(RunConfig run) {
    ModelRoles roles = run.roles();
    Map<String, String> references = new LinkedHashMap<>();
    if (roles.reference() != null) {
      String role = roles.referenceIsActor() ? Roles.ACTOR_TRAIN : Roles.REFERENCE;
      references.put(roles.teachers().isEmpty() ? REFERENCE : REFERENCE + "/" + role, role);
    }
    for (TeacherConfig teacher : roles.teachers().values()) {
      String role = teacher.worker().role();
      references.put(REFERENCE + "/" + role, role);
    }
    return references;
  }

  private static Map<String, SessionActivity> trained(RunConfig run) {
    return run.algorithm().distill() == null || run.roles().referenceIsActor()
        ? Map.of(Roles.ACTOR_TRAIN, SessionActivity.TRAIN)
        : Map.of(Roles.ACTOR_TRAIN, SessionActivity.TRAIN, Roles.REFERENCE, SessionActivity.SCORE);
  }

  private static Map<String, SessionActivity> compared(RunConfig run) {
    return run.roles().referenceIsActor()
        ? Map.of(Roles.ACTOR_TRAIN, SessionActivity.SCORE)
        : Map.of(Roles.ACTOR_TRAIN, SessionActivity.SCORE, Roles.REFERENCE, SessionActivity.SCORE);
  }

  private static String turn(String phase, RunConfig run) {
    return run.roles().critic() == null ? phase : phase + "/" + Roles.ACTOR_TRAIN;
  }

  /**
   * Returns the activity of {@code role} in the phase; a role that generates ahead of training is
   * never idle.
   */
  SessionActivity of(String role, RunConfig run) {
    boolean ahead = role.equals(Roles.ACTOR_INFER) && run.schedule().asyncRatio() > 0;
    return roles.getOrDefault(role, ahead ? SessionActivity.GENERATE : SessionActivity.REST);
  }
}
