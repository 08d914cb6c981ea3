package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.ModelRoles;
import roll.runtime.config.TeacherConfig;

/** The section {@code teachers}: references of the samples of some tags. */
@NullMarked
class TeachersTest {
  private static final String LAKES =
      ConfigFiles.SMALL.replace("group_size: 4", "tags: [FrozenLake, Pond]\n  group_size: 4")
          + """
            Pond: {env_type: frozen_lake, max_steps: 5, env_config: {size: 3}}
          adv_estimator: distillation
          enable_reference: true
          """;

  private static final String TEACHERS =
      """
      teachers:
        lake: {model_args: {model_name_or_path: big}, tag_included: [FrozenLake]}
        pond: {model_args: {model_name_or_path: small, dtype: bf16}, tag_included: [Pond]}
      """;

  private final ConfigFiles files;

  TeachersTest(@TempDir Path folder) {
    files = new ConfigFiles(folder);
    files.write("big/config.json", "{}");
    files.write("small/config.json", "{}");
  }

  @Test
  void eachTagHasItsTeacherAndNoneIsLeftToTheReference() {
    LoadedConfig loaded =
        files.load(LAKES + TEACHERS + "reference: {infer_batch_size: 3, use_remove_padding: true}");
    ModelRoles roles = loaded.run().roles();
    assertNull(roles.reference());
    assertTrue(roles.compares());
    assertEquals(
        List.of("actor_train", "actor_infer", "teachers.lake", "teachers.pond"),
        List.copyOf(roles.byName().keySet()));
    TeacherConfig pond = Objects.requireNonNull(roles.teachers().get("pond"));
    assertEquals(List.of("Pond"), pond.tags());
    assertTrue(pond.worker().model().folder().endsWith("small"));
    assertEquals("reference", roles.worker("teachers.pond"));
    assertEquals(
        List.of("key 'reference' has no effect here: each tag has a teacher"),
        loaded.notices().stream().filter(line -> line.contains("'reference")).toList());
    assertEquals(loaded.run(), files.load(loaded.effectiveYaml()).run());
  }

  @Test
  void otherTagsAreLeftToAReferenceWithItsOwnModel() {
    String one = LAKES + TEACHERS.replaceAll("(?m)^  pond.*\n", "");
    ModelRoles roles =
        files.load(one + "reference: {model_args: {model_name_or_path: small}}").run().roles();
    assertEquals(
        List.of("actor_train", "actor_infer", "reference", "teachers.lake"),
        List.copyOf(roles.byName().keySet()));
    String complaint = files.complaint(one);
    assertTrue(
        complaint.endsWith(
            "teachers: no teacher has Pond: add to a tag_included, or give reference.model_args a"
                + " model of its own"),
        complaint);
  }

  @Test
  void teachersOfARunWithoutComparisonAreNotOpened() {
    LoadedConfig loaded = files.load(LAKES.replace("enable_reference: true\n", "") + TEACHERS);
    assertEquals(Map.of(), loaded.run().roles().teachers());
    assertFalse(loaded.run().roles().compares());
    assertTrue(
        loaded
            .notices()
            .contains(
                "key 'teachers' has no effect here: use_kl_loss, add_token_level_kl and"
                    + " enable_reference are false"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[Pond] | [] | teachers.pond.tag_included: expected at least one tag",
        "[Pond] | [Sea] | teachers.pond.tag_included: no environment 'Sea' in custom_envs (allowed:"
            + " FrozenLake, Pond)",
        "[Pond] | [Pond, FrozenLake] | teachers.pond.tag_included: FrozenLake is in that of"
            + " teachers.lake already: a tag has one teacher",
        "'[Pond]}' | '[Pond], opd_kl_coef: 2}' | teachers.pond.opd_kl_coef",
        "'teachers:' | 'distill: {}\nteachers:' | teachers: expected none with distill, which",
        "'teachers:' | 'kl_penalty: full\n"
            + "teachers:' | teachers: expected none with kl_penalty: full",
      })
  void mistakesAreNamed(String from, String to, String message) {
    assertTrue(TEACHERS.contains(from), from);
    String complaint = files.complaint(LAKES + TEACHERS.replace(from, to.replace("\\n", "\n")));
    assertTrue(complaint.contains(message), complaint);
  }

  /** Supervised training has no tags, but may have a teacher. */
  @Test
  void demonstrationsHaveOneTeacher() {
    String run =
        """
        sequence_length: 8
        pretrain: big
        sft: {train_files: a}
        distill: {beta: 1}
        """;
    String complaint =
        files.complaintAsWritten(run + "teachers: {lake: {tag_included: [FrozenLake]}}\n");
    assertTrue(complaint.contains("teachers: expected none with distill, which"), complaint);
  }

  @Test
  void devicesOfTeachersDoNotOverlapInPart() {
    String complaint =
        files.complaint(
            LAKES.replace("actor_train:\n", "actor_train:\n  device_mapping: [0, 1]\n")
                + "num_gpus_per_node: 3\nactor_infer: {device_mapping: [0, 1]}\n"
                + TEACHERS.replace("[Pond]}", "[Pond], device_mapping: [1, 2]}"));
    assertTrue(
        complaint.contains(
            "teachers.pond.device_mapping: [1, 2] and actor_train.device_mapping [0, 1] overlap"),
        complaint);
  }
}
