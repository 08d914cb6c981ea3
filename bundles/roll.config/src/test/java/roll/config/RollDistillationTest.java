package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.ModelRoles;
import roll.runtime.config.RunConfig;
import roll.runtime.config.TeacherConfig;

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

  private static final String SEVERAL =
      DISTILLATION.replaceFirst(
          "(?s)teacher:\n.*",
          """
          teacher:
            one: {model_args: {model_name_or_path: teacher}, infer_batch_size: 4, \
          opd_kl_coef: 1.0, tag_included: [deepmath_103k], data_args: {template: qwen2_5}}
          """);

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

  /** A teacher judges the domains in which its tags are. */
  @Test
  void teachersAreThoseOfDomains() {
    files.write("teacher/config.json", "{}");
    LoadedConfig loaded =
        files.load(
            SEVERAL.replace("reward_shift: false", "tag_to_template: {deepmath_103k: qwen2_5}"));
    ModelRoles roles = loaded.run().roles();
    assertNull(roles.reference());
    TeacherConfig one = Objects.requireNonNull(roles.teachers().get("one"));
    assertEquals(List.of("math_rule"), one.tags());
    assertEquals(4, one.worker().inferBatchSize());
    assertTrue(one.worker().model().folder().endsWith("teacher"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "deepmath_103k], | other], | tag_included: expected tags of rewards (deepmath_103k), found"
            + " 'other'",
        "opd_kl_coef: 1.0 | opd_kl_coef: 0.5 | the divergence has no coefficient",
        "'one: {model_args: {model_name_or_path: teacher}' | 'one: {strategy_args: {}' |"
            + " teacher: expected one teacher, with model_args, or several by name",
        "reward_shift: false | tag_to_template: {deepmath_103k: qwen3} | one chat template",
      })
  void whatIsMissingOfSeveralIsNamed(String from, String to, String message) {
    assertTrue(SEVERAL.contains(from), from);
    String complaint = files.complaint(SEVERAL.replace(from, to));
    assertTrue(complaint.contains(message), complaint);
    assertTrue(complaint.endsWith("(a file of ROLL's on-policy distillation)"), complaint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'model_args: {model_name_or_path: teacher}' | 'tag_included: []' | teacher: expected"
            + " one teacher, with model_args, or several by name",
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
