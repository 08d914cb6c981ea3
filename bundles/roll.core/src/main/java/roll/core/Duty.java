package roll.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.strategy.Activity;
import roll.runtime.config.CriticConfig;
import roll.runtime.config.RunConfig;

/**
 * Who works in a phase of a step; all other roles rest.
 *
 * @param phase its name; where roles take turns in a phase, a slash and the role behind it
 * @param roles what each of those that work does
 */
record Duty(String phase, Map<String, Activity> roles) {
  static final String ROLLOUT = "rollout";
  static final String REFERENCE = "ref_log_probs_values_reward";
  static final String OLD = "old_log_probs_values";
  static final String TRAIN = "train";

  /** The phases in which the models of {@code run} work, in the order of a step. */
  static List<Duty> of(RunConfig run) {
    List<Duty> duties = new ArrayList<>();
    Map<String, Activity> playing = new LinkedHashMap<>();
    playing.put("actor_infer", Activity.GENERATE);
    run.rewardModels()
        .values()
        .forEach(model -> playing.put(model.worker().role(), Activity.GENERATE));
    duties.add(new Duty(ROLLOUT, playing));
    if (run.reference() != null) {
      String scores = run.referenceIsActor() ? "actor_train" : "reference";
      duties.add(new Duty(REFERENCE, Map.of(scores, Activity.SCORE)));
    }
    CriticConfig critic = run.critic();
    if (critic != null) {
      duties.add(new Duty(OLD + "/critic", Map.of("critic", Activity.SCORE)));
    }
    if (run.algorithm().recomputeOldLogProbs()) {
      duties.add(new Duty(turn(OLD, run), Map.of("actor_train", Activity.SCORE)));
    }
    if (critic != null) {
      duties.add(new Duty(TRAIN + "/critic", Map.of("critic", Activity.TRAIN)));
    }
    duties.add(new Duty(turn(TRAIN, run), Map.of("actor_train", Activity.TRAIN)));
    return duties;
  }

  private static String turn(String phase, RunConfig run) {
    return run.critic() == null ? phase : phase + "/actor_train";
  }

  /** What {@code role} does; one that samples ahead of training never rests. */
  Activity of(String role, RunConfig run) {
    boolean ahead = role.equals("actor_infer") && run.schedule().asyncRatio() > 0;
    return roles.getOrDefault(role, ahead ? Activity.GENERATE : Activity.REST);
  }
}
