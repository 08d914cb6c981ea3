package roll.config.roll;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * ROLL's pipelines beside its agentic one, by the keys at the top of their files. First those whose
 * files also have keys of a later one.
 */
public enum RollPipeline {
  /** The student is trained on its own responses, with the teacher's log-probs. */
  ON_POLICY_DISTILLATION(
      "on-policy distillation",
      "train",
      List.of("pure_opd_pipeline_type", "is_pure_opd", "student_train", "student_infer")),
  /** The student is trained on given responses, with the teacher's distribution. */
  DISTILLATION(
      "distillation pipeline",
      "sft",
      List.of("student_pretrain", "teacher_pretrain", "student", "kd_objective", "logits_topk")),
  /** Training on pairs of answers. */
  DPO("DPO pipeline", "dpo", List.of("chosen_key", "rejected_key", "ipo")),
  /** Training on demonstrations. */
  SFT("SFT pipeline", "sft", List.of("sft_train")),
  /** Reinforcement learning on single responses to questions, with rewards by domain. */
  RLVR(
      "RLVR pipeline",
      "train",
      List.of(
          "rewards",
          "num_return_sequences_in_group",
          "global_template",
          "tag_to_template",
          "dataset_filter",
          "validation",
          "max_len_mask",
          "mask_type",
          "difficulty_mask",
          "difficulty_loss_weight",
          "length_loss_weight",
          "rl_loss_coef",
          "postive_loss_coef",
          "use_topr_neg_loss_coef",
          "use_topr_loss",
          "use_policy_loss_type",
          "importance_sampling",
          "save_logging_board_dir",
          "minibatch_data_iter_num"));

  /** By these a file is an agentic one, or one of ours, whatever else is in it. */
  private static final Set<String> OTHERS =
      Set.of(
          "custom_envs",
          "custom_env",
          "train_env_manager",
          "val_env_manager",
          "sft",
          "preference",
          "data");

  private final String title;
  private final String command;

  @SuppressWarnings("ImmutableEnumChecker") // by List.of
  private final List<String> keys;

  RollPipeline(String title, String command, List<String> keys) {
    this.title = title;
    this.command = command;
    this.keys = keys;
  }

  /** Returns the pipeline whose file {@code tree} is, or null if it is the agentic or none. */
  public static @Nullable RollPipeline of(Map<String, ?> tree) {
    if (tree.keySet().stream().anyMatch(OTHERS::contains)) {
      return null;
    }
    for (RollPipeline pipeline : values()) {
      if (pipeline.keys.stream().anyMatch(tree::containsKey)) {
        return pipeline;
      }
    }
    return null;
  }

  /** Returns what its files are called, with the key of {@code tree} that tells. */
  public String told(Map<String, ?> tree) {
    return "a file of ROLL's %s (key '%s')".formatted(title, key(tree));
  }

  /** Returns the first key of {@code tree} that tells it. */
  public String key(Map<String, ?> tree) {
    return keys.stream().filter(tree::containsKey).findFirst().orElse("");
  }

  /** Returns its name. */
  public String title() {
    return title;
  }

  /** Returns the command that runs its files. */
  public String command() {
    return command;
  }
}
