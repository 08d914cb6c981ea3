package roll.config.roll;

import java.util.List;

/**
 * Translates files of ROLL's on-policy distillation, which are those of the RLVR pipeline with
 * other names of roles. The teacher alone judges; rewards are but measured.
 */
final class RollDistillation {
  private static final String TEACHER = "teacher";
  private static final String ESTIMATOR = "adv_estimator";

  private RollDistillation() {}

  /** Replaces the keys of the pipeline by ours. */
  static void translate(PipelineFile file) {
    file.draft()
        .notice(
            "a file of ROLL's on-policy distillation: ./roll train runs it, with student_train as"
                + " actor_train, student_infer as actor_infer and teacher as reference");
    file.refuse("pure_opd_pipeline_type", "rlvr", "an agentic file names its custom_envs");
    file.refuse("use_opd", false, "rewards have no part in the advantages");
    file.take("is_pure_opd");
    teacher(file);
    file.move("student_train", "actor_train", null);
    file.move("student_infer", "actor_infer", null);
    new RollRlvr(file).translateRollouts();
    estimator(file);
  }

  private static void teacher(PipelineFile file) {
    if (file.get(TEACHER + ".model_args") == null) {
      throw file.wrong(
          TEACHER,
          "expected one teacher, with model_args: several, each with its tags, are not built");
    }
    file.refuse(TEACHER + ".tag_included", List.of(), "the teacher judges all rows");
    file.refuse(TEACHER + ".opd_kl_coef", 1.0, "the divergence has no coefficient");
    file.move(TEACHER, "reference", null);
    file.put("enable_reference", true);
  }

  /** ROLL sets the estimator and the discount itself, and what rewards become is not read. */
  private static void estimator(PipelineFile file) {
    Object penalty = file.get("kl_penalty");
    if (penalty != null && !"kl".equals(penalty)) {
      throw file.wrong("kl_penalty", "expected kl, which compares teacher and student");
    }
    file.drop(ESTIMATOR, "reinforce", "the estimator is distillation");
    file.put(ESTIMATOR, "distillation");
    for (String key : List.of("norm_mean_type", "norm_std_type", "gamma", "lambd")) {
      file.drop(key, null, "the teacher alone judges");
    }
  }
}
