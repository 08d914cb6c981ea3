package roll.config.verl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.runtime.config.RunConfig;

/** verl's on-policy distillation by policy gradient is the estimator distillation. */
class VerlDistillationTest {
  private static final String LOSS = "distillation.distillation_loss.";

  /** Options of {@code verl-project/verl@1dda039b:examples/on_policy_distillation_trainer}. */
  private static final List<String> OPTIONS =
      List.of(
          "distillation.enabled=True",
          "distillation.n_gpus_per_node=4",
          "distillation.teacher_models.teacher_model.model_path=teacher",
          "distillation.teacher_models.teacher_model.inference.name=vllm",
          LOSS + "loss_mode=k1",
          LOSS + "topk=64",
          LOSS + "use_task_rewards=False",
          LOSS + "use_policy_gradient=True",
          LOSS + "loss_max_clamp=10.0",
          LOSS + "log_prob_min_clamp=-10.0");

  private final Path folder;
  private final VerlFiles verl;

  VerlDistillationTest(@TempDir Path folder) {
    this.folder = folder;
    verl = new VerlFiles(folder);
  }

  @BeforeEach
  void teacher() throws Exception {
    Files.createDirectories(folder.resolve("teacher"));
  }

  private static String[] with(String... more) {
    List<String> all = new ArrayList<>(OPTIONS);
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void theTeacherIsTheReference() {
    RunConfig run = verl.run(with());
    assertEquals("distillation", run.algorithm().estimator().name());
    assertEquals(10.0, run.algorithm().advantages().clip());
    Path teacher = Objects.requireNonNull(run.roles().reference()).model().folder();
    assertTrue(teacher.endsWith("teacher"), teacher.toString());
    assertNull(run.roles().critic());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "distillation.distillation_loss.loss_mode=forward_kl_topk |"
            + " distillation.distillation_loss.loss_mode: expected k1: a loss by the teacher's"
            + " distribution is the section distill, found 'forward_kl_topk'",
        "distillation.distillation_loss.use_task_rewards=True |"
            + " distillation.distillation_loss.use_task_rewards: expected false: rewards have no"
            + " part in the advantages, found 'true'",
        "actor_rollout_ref.actor.use_kl_loss=True | actor_rollout_ref.actor.use_kl_loss: expected"
            + " false: the reference is the teacher, found 'true'",
        "+distillation.teacher_models.other.model_path=x | distillation.teacher_models: expected"
            + " one teacher, with model_path (several, each with its rows, are not built), found"
            + " 'teacher_model, other'",
      })
  void otherDistillationIsNamed(String option, String message) {
    String complaint = verl.complaint(with(option));
    assertTrue(complaint.endsWith(": " + message), complaint);
  }
}
