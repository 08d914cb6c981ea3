package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

/** A file of ROLL's on-policy distillation is a run with a teacher as reference. */
class RollDistillationTest {
  private static final String DISTILLATION =
      RollRlvrTest.RLVR
              .replace("actor_train:", "student_train:")
              .replace("actor_infer:", "student_infer:")
              .replace("norm_mean_type: ~", "norm_mean_type: batch")
          + """
          teacher:
            model_args: {model_name_or_path: teacher}
            strategy_args: {strategy_name: megatron_infer}
          """;

  private final ConfigFiles files;

  RollDistillationTest(@TempDir Path folder) {
    files = new ConfigFiles(folder);
  }

  @Test
  void theTeacherIsTheReference() {
    files.write("teacher/config.json", "{}");
    LoadedConfig loaded = files.load(DISTILLATION);
    RunConfig run = loaded.run();
    assertEquals("distillation", run.algorithm().estimator().name());
    Path teacher = Objects.requireNonNull(run.roles().reference()).model().folder();
    assertTrue(teacher.endsWith("teacher"), teacher.toString());
    assertEquals(32, run.roles().actorTrain().training().accumulation());
    assertEquals(0.99, run.rollout().trainEnvs().sampling().temperature());
    assertEquals(
        "dataset", Objects.requireNonNull(run.rollout().customEnvs().get("math_rule")).envType());
    String first = loaded.notices().getFirst();
    assertTrue(first.startsWith("a file of ROLL's on-policy distillation: ./roll train"), first);
    assertTrue(
        loaded
            .notices()
            .contains("key 'norm_mean_type' has no effect here: the teacher alone judges"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'model_args: {model_name_or_path: teacher}' | 'math: {model_args: {}}' | teacher: expected"
            + " one teacher, with model_args",
        "'teacher:\n' | 'teacher:\n  tag_included: [a]\n' | the teacher judges all rows",
        "'teacher:\n' | 'teacher:\n  opd_kl_coef: 0.5\n' | the divergence has no coefficient",
        "reward_shift: false | use_opd: true | rewards have no part in the advantages",
        "reward_shift: false | kl_penalty: k3 | kl_penalty: expected kl, which compares",
        "reward_shift: false | pure_opd_pipeline_type: agentic | an agentic file names its",
        "MathRuleR | VideoR1R | ROLL's VideoR1RewardWorker: ",
      })
  void whatIsMissingIsNamed(String from, String to, String message) {
    assertTrue(DISTILLATION.contains(from), from);
    String complaint = files.complaint(DISTILLATION.replace(from, to));
    assertTrue(complaint.contains(message), complaint);
    assertTrue(complaint.endsWith("(a file of ROLL's on-policy distillation)"), complaint);
  }
}
