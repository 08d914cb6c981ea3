package roll.core.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import roll.api.config.EnvConfig;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.RewardNormalization.Scope;
import roll.runtime.config.CriticConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.TeacherConfig;
import roll.runtime.config.algorithm.DistillConfig;
import roll.runtime.config.algorithm.EstimatorConfig;

/** Settings with which a run is allowed, and learns nothing or less than it seems to. */
public final class LearningNotices {
  private static final String GROUP = "traj_group_id";

  private LearningNotices() {}

  /**
   * Returns the learning notices of {@code run}.
   *
   * @param byTurn whether the estimator normalizes the rewards of turns itself
   */
  static List<String> of(RunConfig run, boolean byTurn) {
    List<String> notices = new ArrayList<>();
    boolean single = run.rollout().trainEnvs().tags().stream().allMatch(tag -> single(run, tag));
    if (single && !byTurn && alone(run)) {
      notices.add(
          "train_env_manager.group_size: 1: reward_normalization compares an episode with its group"
              + " alone (grouping traj_group_id), so every reward becomes 0 and nothing is learned"
              + " from them");
    }
    notices.addAll(ofTeachers(run));
    CriticConfig critic = run.roles().critic();
    if (single) {
      warmup("actor_train", run.roles().actorTrain().training(), notices);
    }
    if (single && critic != null) {
      warmup("critic", critic.worker().training(), notices);
    }
    return notices;
  }

  /** Returns the learning notices of a supervised warm start. */
  public static List<String> ofSft(RunConfig run) {
    List<String> notices = new ArrayList<>();
    warmup("actor_train", run.roles().actorTrain().training(), notices);
    return notices;
  }

  /** A line for each teacher that is the policy, where nothing but teachers is learned from. */
  static List<String> ofTeachers(RunConfig run) {
    DistillConfig distill = run.algorithm().distill();
    EstimatorConfig estimator = run.algorithm().estimator();
    boolean alone =
        distill == null
            ? ModelChecks.DISTILLATION.contains(estimator.name())
                && !estimator.args().containsKey("reward_weight")
            : distill.weight() == 1
                && distill.divergence().temperature() == distill.divergence().teacherTemperature();
    if (!alone) {
      return List.of();
    }
    ModelConfig policy = run.roles().actorTrain().model();
    return Stream.concat(
            Stream.ofNullable(run.roles().reference()),
            run.roles().teachers().values().stream().map(TeacherConfig::worker))
        .filter(teacher -> teacher.model().folder().equals(policy.folder()))
        .filter(teacher -> Objects.equals(teacher.model().adapter(), policy.adapter()))
        .map(
            teacher ->
                "%s.model_args.model_name_or_path: the teacher is the policy itself (%s), so nothing is learned from it"
                    .formatted(teacher.role(), policy.folder()))
        .toList();
  }

  /**
   * Whether an episode is a single sample; otherwise samples are compared and updates cannot be
   * counted.
   */
  private static boolean single(RunConfig run, String tag) {
    EnvConfig environment = Objects.requireNonNull(run.rollout().customEnvs().get(tag), tag);
    return environment.manager().equals("trajectory");
  }

  private static boolean alone(RunConfig run) {
    RewardNormalization how = run.algorithm().rewards().normalization();
    return run.rollout().trainEnvs().groupSize() == 1
        && how.grouping().equals(GROUP)
        && (how.mean() == Scope.GROUP || how.std() != Scope.NONE);
  }

  private static void warmup(String role, TrainingConfig training, List<String> notices) {
    if (training.warmupSteps() > 0 && training.warmupSteps() >= training.totalSteps()) {
      notices.add(
          "%s.training_args.warmup_steps: the warm-up is %d optimizer steps and the run %d, so the learning rate never reaches its peak"
              .formatted(role, training.warmupSteps(), training.totalSteps()));
    }
  }
}
