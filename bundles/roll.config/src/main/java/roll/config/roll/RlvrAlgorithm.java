package roll.config.roll;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.YamlTree;

/** Translates estimator, normalization and policy loss of a file of ROLL's RLVR pipeline. */
final class RlvrAlgorithm {
  private static final String ESTIMATOR = "adv_estimator";
  private static final String RATIO_OF = "importance_sampling";

  private final PipelineFile file;

  RlvrAlgorithm(PipelineFile file) {
    this.file = file;
  }

  /**
   * Replaces the estimator and the normalization of rewards.
   *
   * @throws UserException if there are none like them here
   */
  void translateEstimator() {
    Object mean = file.take("norm_mean_type");
    Object deviation = file.take("norm_std_type");
    Object name = file.get(ESTIMATOR) == null ? "gae" : file.get(ESTIMATOR);
    if ("grpo".equals(name)) {
      mean = "group";
      deviation = "group";
      file.put(ESTIMATOR, "reinforce");
    } else if ("gae".equals(name) || "reinforce".equals(name)) {
      file.put(ESTIMATOR, name);
    } else {
      throw file.wrong(ESTIMATOR, "expected gae, reinforce or grpo, found " + YamlTree.shown(name));
    }
    if ("group".equals(deviation) && !"group".equals(mean)) {
      throw file.wrong("norm_std_type", "group needs norm_mean_type: group, here as in ROLL");
    }
    boolean grouped = "group".equals(mean);
    if (grouped && "batch".equals(deviation)) {
      throw file.wrong("norm_std_type", "batch with norm_mean_type: group is not by domain here");
    }
    mean = grouped || !"batch".equals(mean) ? mean : "group"; // that of the tag
    deviation = grouped || !"batch".equals(deviation) ? deviation : "group";
    Map<String, @Nullable Object> normalization = new LinkedHashMap<>();
    normalization.put("grouping", grouped ? "traj_group_id" : "tags");
    normalization.put("norm_mean_type", mean);
    normalization.put("norm_std_type", deviation);
    file.put("reward_normalization", normalization);
    for (String type : List.of("norm_mean_type", "norm_std_type")) {
      file.draft().moved().accept("reward_normalization." + type, type);
    }
  }

  /**
   * Replaces the policy loss. ROLL's usual worker has the clipped one; another one has that of
   * {@code pg_variant}.
   *
   * @throws UserException if the worker is neither
   */
  void translateLoss() {
    Object worker = file.take("actor_train.worker_cls");
    String variant = "actor_train.pg_variant";
    String cls = String.valueOf(worker).replaceFirst(".*\\.", "");
    if (worker == null || cls.equals("ActorWorker")) {
      file.drop(variant, "ppo", "ROLL's ActorWorker has the clipped loss alone");
      ratio();
    } else if (!cls.equals("ActorPGWorker")) {
      throw file.wrong(
          "actor_train.worker_cls",
          "expected ActorWorker or ActorPGWorker, found " + YamlTree.shown(worker));
    } else if (file.get(variant) == null) {
      file.put(variant, "vanilla");
    }
    file.drop(RATIO_OF, "token", "ROLL's ActorPGWorker does not read it either");
  }

  /** The ratio of a sequence is that of its only turn. */
  private void ratio() {
    Object of = file.take(RATIO_OF);
    if ("seq".equals(of)) {
      file.put("ratio_type", "segment");
    } else if (of != null && !"token".equals(of)) {
      throw file.wrong(RATIO_OF, "expected token or seq, found " + YamlTree.shown(of));
    }
  }
}
