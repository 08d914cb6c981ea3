package roll.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.Composition;
import roll.config.tree.KeyOrigins;
import roll.config.tree.YamlReader;
import roll.config.tree.YamlTree;

/**
 * ROLL has a pipeline for each kind of training, whose files have keys of their own. Those of its
 * agentic pipeline are read; a file of another one is refused as what it is.
 */
final class RollPipelines {
  /** By these a file is an agentic one, or one of ours, whatever else is in it. */
  private static final Set<String> READ =
      Set.of(
          "custom_envs",
          "custom_env",
          "train_env_manager",
          "val_env_manager",
          "sft",
          "preference",
          "data");

  private RollPipelines() {}

  /** ROLL's pipelines; first those whose files also have keys of a later one. */
  private enum Pipeline {
    ON_POLICY_DISTILLATION(
        "on-policy distillation",
        "adv_estimator: distillation trains on the log-probs of a reference, the teacher",
        List.of("pure_opd_pipeline_type", "is_pure_opd", "student_train", "student_infer")),
    DISTILLATION(
        "distillation pipeline",
        "training on a teacher's distribution is not built",
        List.of("student_pretrain", "teacher_pretrain", "student", "kd_objective", "logits_topk")),
    DPO(
        "DPO pipeline",
        "./roll dpo trains on pairs, which a section preference names",
        List.of("chosen_key", "rejected_key", "ipo")),
    SFT(
        "SFT pipeline",
        "./roll sft trains on demonstrations, which a section sft names",
        List.of("sft_train")),
    RLVR(
        "RLVR pipeline",
        "an environment with env_type: dataset asks the questions of files, and its rewards grade",
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

    private final String title;
    private final String instead;

    @SuppressWarnings("ImmutableEnumChecker") // by List.of
    private final List<String> keys;

    Pipeline(String title, String instead, List<String> keys) {
      this.title = title;
      this.instead = instead;
      this.keys = keys;
    }
  }

  /**
   * Reads the configuration {@code file} and the files of its {@code defaults} list. A file of
   * another pipeline is called by its name although what it builds on is missing.
   *
   * @throws UserException if it is of another pipeline, or cannot be read
   */
  static Composition compose(Path file) {
    try {
      return Composition.of(file);
    } catch (UserException unread) {
      YamlReader.Document alone = YamlReader.read(file);
      Map<String, @Nullable Object> own = YamlTree.mapping(alone.root());
      if (own != null) {
        check(own, alone.origins());
      }
      throw unread;
    }
  }

  /**
   * Accepts files of the agentic pipeline and files that are not ROLL's.
   *
   * @throws UserException naming the pipeline that {@code tree} is of
   */
  static void check(Map<String, @Nullable Object> tree, KeyOrigins origins) {
    if (tree.keySet().stream().anyMatch(READ::contains)) {
      return;
    }
    for (Pipeline pipeline : Pipeline.values()) {
      for (String key : pipeline.keys) {
        if (tree.containsKey(key)) {
          throw new UserException(
              "%s: a file of ROLL's %s (key '%s'); files of its agentic pipeline are read here: %s"
                  .formatted(origins.of(key), pipeline.title, key, pipeline.instead));
        }
      }
    }
  }
}
