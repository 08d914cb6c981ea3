package roll.config.roll;

import java.util.Map;
import roll.config.tree.YamlTree;

/** Translates the models and the loss of ROLL's distillation pipeline. */
final class RollTeacher {
  /** β of the generalized Jensen–Shannon divergence for each objective that is one. */
  private static final Map<String, Double> OBJECTIVES =
      Map.of("forward_kl", 0.0, "reverse_kl", 1.0, "js_divergence", 0.5);

  private static final String OBJECTIVE = "kd_objective";
  private static final String CLIP = "max_grad_norm";

  /** A norm that no gradient has: ROLL's default does not clip. */
  private static final double UNCLIPPED = 1e9;

  private RollTeacher() {}

  /** Replaces roles and keys of the loss by ours. */
  static void translate(PipelineFile file) {
    file.draft()
        .notice(
            "a file of ROLL's distillation pipeline: ./roll sft runs it, with student as"
                + " actor_train and teacher as reference");
    file.refuse("distill_on_prompt", false, "responses alone are trained on");
    file.move("student", "actor_train", null);
    file.move("student_pretrain", "pretrain", null);
    file.take("teacher.data_args"); // the student's template and tokens
    file.move("teacher", "reference", null);
    if (file.get("reference.model_args.model_name_or_path") == null) {
      file.move("teacher_pretrain", "reference.model_args.model_name_or_path", null);
    }
    if (file.get("reference.model_args.model_name_or_path") == null) {
      throw file.wrong("teacher_pretrain", "expected the model folder of the teacher");
    }
    file.drop("teacher_pretrain", null, "teacher.model_args names another");
    file.drop("logits_transfer_backend", null, "both models are on one device");
    divergence(file);
    Object clip = file.get(CLIP);
    if (clip == null || YamlTree.same(clip, 0) || YamlTree.same(clip, 0.0)) {
      file.put(CLIP, UNCLIPPED);
    }
  }

  private static void divergence(PipelineFile file) {
    Object named = file.take(OBJECTIVE);
    String objective = named == null ? "forward_kl" : String.valueOf(named);
    Double beta = OBJECTIVES.get(objective);
    if (beta == null) {
      throw file.wrong(
          OBJECTIVE,
          "expected forward_kl, reverse_kl or js_divergence, found '%s': adaptive and skewed"
                  .formatted(objective)
              + " divergences are not built");
    }
    file.give(OBJECTIVE, "distill.beta", beta, named != null);
    file.drop("adaptive_kl_alpha", 0.5, OBJECTIVE + " is " + objective);
    file.drop("skew_lambda", 0.1, OBJECTIVE + " is " + objective);
    Object own = file.get("kd_temperature");
    Object teacher = file.take("teacher_temperature");
    if (teacher != null) { // the teacher's logits are divided by both
      double shared = own instanceof Number number ? number.doubleValue() : 1;
      file.give(
          "teacher_temperature",
          "distill.teacher_temperature",
          teacher instanceof Number number ? shared * number.doubleValue() : teacher,
          true);
    }
    file.move("kd_temperature", "distill.temperature", 1.0);
    file.move("logits_topk", "distill.top_k", 64);
    file.move("distill_loss_weight", "distill.loss_weight", 0.5);
  }
}
