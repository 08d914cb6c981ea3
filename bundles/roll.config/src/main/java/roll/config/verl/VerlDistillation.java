package roll.config.verl;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.config.dialect.TranslatedKeys;
import roll.config.tree.YamlTree;

/**
 * Translates verl's on-policy distillation where it is a policy gradient of the log-probs of
 * sampled tokens: the estimator {@code distillation}, with the teacher as reference.
 */
final class VerlDistillation {
  static final String ENABLED = "distillation.enabled";
  private static final String LOSS = "distillation.distillation_loss.";
  private static final String TEACHERS = "distillation.teacher_models";

  private final VerlOptions options;
  private final TranslatedKeys ours;

  VerlDistillation(VerlOptions options, TranslatedKeys ours) {
    this.options = options;
    this.ours = ours;
  }

  /**
   * Writes estimator and teacher if it is enabled.
   *
   * @throws roll.api.option.UserException naming the option of another kind of distillation
   */
  void put() {
    if (!options.flag(ENABLED)) {
      return;
    }
    require(
        LOSS + "loss_mode",
        "k1",
        "k1: a loss by the teacher's distribution is the section distill");
    require(LOSS + "use_policy_gradient", true, "true: the divergence is the advantage");
    require(LOSS + "use_task_rewards", false, "false: rewards have no part in the advantages");
    for (String penalty :
        List.of("actor_rollout_ref.actor.use_kl_loss", "algorithm.use_kl_in_reward")) {
      require(penalty, false, "false: the reference is the teacher");
    }
    ours.put("adv_estimator", "distillation", ENABLED);
    ours.put("enable_reference", true, ENABLED);
    ours.put("reference.model_args.model_name_or_path", teacher(), TEACHERS);
    ours.copy("advantage_clip", LOSS + "loss_max_clamp");
  }

  private void require(String path, Object only, String allowed) {
    Object found = options.value(path);
    if (!YamlTree.same(found, only)) {
      throw options.wrong(path, allowed, found);
    }
  }

  private String teacher() {
    Map<String, @Nullable Object> teachers = YamlTree.mapping(options.value(TEACHERS));
    Map<String, @Nullable Object> only =
        teachers != null && teachers.size() == 1
            ? YamlTree.mapping(teachers.values().iterator().next())
            : null;
    if (only == null || !(only.get("model_path") instanceof String path)) {
      throw options.wrong(
          TEACHERS,
          "one teacher, with model_path (several, each with its rows, are not built)",
          teachers == null ? null : String.join(", ", teachers.keySet()));
    }
    return path;
  }
}
