package roll.core.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.ModelConfig;
import roll.api.config.PromptConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.scoring.GeneralizedJsd;
import roll.api.strategy.Sampling;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.ModelRoles;
import roll.runtime.config.RolloutConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.algorithm.AlgorithmConfig;
import roll.runtime.config.algorithm.DistillConfig;
import roll.runtime.config.algorithm.EstimatorConfig;
import roll.testkit.ExampleRunConfigs;

/** A run whose rewards are compared within groups, with other groups and another warm-up. */
class LearningNoticesTest {
  private static final RunConfig RUN = ExampleRunConfigs.small(Path.of("model"), 1);
  private static final String ALONE =
      "train_env_manager.group_size: 1: reward_normalization compares an episode with its group"
          + " alone (grouping traj_group_id), so every reward becomes 0 and nothing is learned from"
          + " them";

  private static RunConfig run(int groupSize, String manager, int warmup) {
    EnvConfig game =
        new EnvConfig(
            "Game",
            "game",
            manager,
            EnvLimits.steps(2),
            PromptConfig.of("{observation}"),
            Map.of());
    ModelRoles roles = RUN.roles();
    TrainingConfig training = new TrainingConfig(1, 0, 0.9, 0.99, 2, 2, "linear", warmup, 9);
    RunConfig warmed =
        ExampleRunConfigs.with(
            RUN,
            new ModelRoles(
                roles.pretrain(),
                ExampleRunConfigs.with(roles.actorTrain(), training),
                roles.actorInfer(),
                roles.reference(),
                null,
                Map.of()));
    return ExampleRunConfigs.with(
        warmed,
        new RolloutConfig(
            new EnvManagerConfig(
                List.of("Game"), List.of(12), groupSize, 0, "none", Sampling.of(4)),
            RUN.rollout().valEnvs(),
            Map.of("Game", game),
            RUN.rollout().monitor(),
            null));
  }

  @Test
  void anEpisodeThatIsAloneInItsGroupIsTold() {
    assertEquals(List.of(ALONE), LearningNotices.of(run(1, "trajectory", 0), false));
    assertEquals(List.of(), LearningNotices.of(run(2, "trajectory", 0), false));
    assertEquals(List.of(), LearningNotices.of(run(1, "trajectory", 0), true), "of turns");
    assertEquals(List.of(), LearningNotices.of(run(1, "step", 0), false), "turns are compared");
  }

  @Test
  void aWarmUpThatOutlastsTheRunIsTold() {
    assertEquals(
        List.of(
            "actor_train.training_args.warmup_steps: the warm-up is 9 optimizer steps and the run"
                + " 9, so the learning rate never reaches its peak"),
        LearningNotices.of(run(2, "trajectory", 9), false));
    assertEquals(List.of(), LearningNotices.of(run(2, "trajectory", 8), false));
    assertEquals(1, LearningNotices.ofSft(run(2, "trajectory", 9)).size());
    assertEquals(List.of(), LearningNotices.ofSft(run(2, "trajectory", 8)));
    assertEquals(List.of(), LearningNotices.of(run(2, "step", 9), false), "it has more updates");
  }

  @Test
  void aTeacherThatIsThePolicyIsTold() {
    Path other = Path.of("teacher");
    DistillConfig alone = new DistillConfig(new GeneralizedJsd(0.5, 1, 1, 0), 1);
    List<String> told =
        List.of(
            "reference.model_args.model_name_or_path: the teacher is the policy itself (model), so"
                + " nothing is learned from it");
    assertEquals(
        told, LearningNotices.ofTeachers(taught("grpo", Map.of(), alone, Path.of("model"))));
    assertEquals(
        told, LearningNotices.ofTeachers(taught("distillation", Map.of(), null, Path.of("model"))));
    List<String> none = List.of();
    assertEquals(none, LearningNotices.ofTeachers(taught("grpo", Map.of(), alone, other)));
    assertEquals(
        none, LearningNotices.ofTeachers(taught("grpo", Map.of(), null, Path.of("model"))));
    DistillConfig half = new DistillConfig(alone.divergence(), 0.5);
    assertEquals(
        none, LearningNotices.ofTeachers(taught("grpo", Map.of(), half, Path.of("model"))));
    DistillConfig sharper = new DistillConfig(new GeneralizedJsd(0.5, 1, 0.5, 0), 1);
    assertEquals(
        none, LearningNotices.ofTeachers(taught("grpo", Map.of(), sharper, Path.of("model"))));
    Map<String, Object> rewards = Map.of("reward_weight", 1);
    assertEquals(
        none, LearningNotices.ofTeachers(taught("distillation", rewards, null, Path.of("model"))));
  }

  private static RunConfig taught(
      String estimator, Map<String, Object> args, @Nullable DistillConfig distill, Path teacher) {
    ModelRoles roles = RUN.roles();
    AlgorithmConfig known = RUN.algorithm();
    WorkerConfig reference =
        ExampleRunConfigs.with(
            Objects.requireNonNull(roles.reference()),
            ModelConfig.of(teacher, WorkerConfig.Dtype.FP32));
    return ExampleRunConfigs.with(
        ExampleRunConfigs.with(
            RUN,
            new ModelRoles(
                roles.pretrain(),
                roles.actorTrain(),
                roles.actorInfer(),
                reference,
                null,
                Map.of())),
        new AlgorithmConfig(
            new EstimatorConfig(estimator, args, Map.of(), 1, 1),
            known.ppoEpochs(),
            known.adjustment(),
            known.recomputeOldLogProbs(),
            known.maxGradNorm(),
            known.loss(),
            known.rewards(),
            known.masks(),
            known.advantages(),
            known.kl(),
            distill));
  }
}
