package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.scoring.GeneralizedJsd;
import roll.runtime.config.ContextFields;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.SftConfig;
import roll.runtime.config.SftConfig.Truncation;
import roll.runtime.config.algorithm.DistillConfig;

/** Files of ROLL's distillation pipeline, and the section {@code distill} without one. */
class RollTeacherTest {
  /** The keys of {@code alibaba/ROLL@8eb27cc2:examples/qwen2.5-7B-distill_megatron}. */
  private static final String DISTILLATION =
      """
      hydra: {run: {dir: .}, output_subdir: null}
      exp_name: distill
      sequence_length: 2048
      student_pretrain: model
      teacher_pretrain: teacher
      logits_topk: 32
      distill_loss_weight: 0.85
      kd_objective: js_divergence
      kd_temperature: 2
      teacher_temperature: 1.5
      distill_on_prompt: false
      logits_transfer_backend: nccl-only
      question_key: question_zh
      answer_key: answer_zh
      validation: {data_args: {file_name: [v.json], template: qwen2_5}}
      student:
        model_args: {attn_implementation: fa2, dtype: bf16, model_type: ~}
        training_args:
          lr_scheduler_type: constant
          per_device_train_batch_size: 8
          gradient_accumulation_steps: 4
          num_train_epochs: 3
        data_args: {template: qwen2_5, file_name: [a.json], preprocessing_num_workers: 16}
        strategy_args: {strategy_name: megatron_train}
        device_mapping: list(range(0,8))
        infer_batch_size: 2
      teacher:
        model_args: {dtype: bf16}
        data_args: {template: qwen2_5}
        training_args: {per_device_train_batch_size: 8}
        strategy_args: {strategy_name: megatron_infer}
        device_mapping: list(range(0,8))
      """;

  private final YamlConfigLoader loader = new YamlConfigLoader(name -> null);
  private final ConfigFiles files;

  RollTeacherTest(@TempDir Path folder) {
    files = new ConfigFiles(folder);
    files.write("teacher/config.json", "{}");
  }

  private LoadedConfig load(String text) {
    return loader.loadAsWritten(files.write("run.yaml", text), List.of());
  }

  @Test
  void theStudentIsTrainedWithTheTeacherAsReference() {
    LoadedConfig loaded = load(DISTILLATION);
    RunConfig run = loaded.run();
    assertEquals(
        new SftConfig(
            List.of(Path.of("a.json")),
            List.of(Path.of("v.json")),
            "question_zh",
            "answer_zh",
            "",
            null,
            Truncation.RIGHT,
            true,
            true,
            3,
            0,
            null,
            new ContextFields("", "", "")),
        loaded.sft());
    assertEquals(
        new DistillConfig(new GeneralizedJsd(0.5, 2, 3, 32), 0.85), run.algorithm().distill());
    Path teacher = Objects.requireNonNull(run.roles().reference()).model().folder();
    assertTrue(teacher.endsWith("teacher"), teacher.toString());
    assertTrue(run.roles().actorTrain().model().folder().endsWith("model"));
    assertEquals(4, run.roles().actorTrain().training().accumulation());
    assertEquals(1e9, run.algorithm().maxGradNorm());
    assertTrue(
        loaded.notices().stream()
            .anyMatch(
                line -> line.startsWith("a file of ROLL's distillation pipeline: ./roll sft")),
        loaded.notices().toString());
    Path effective = files.write("effective.yaml", loaded.effectiveYaml());
    assertEquals(run, loader.loadForSft(effective, List.of()).config().run());
  }

  @Test
  void rollsDefaultsApply() {
    String few = DISTILLATION.replaceAll("(?m)^(logits_topk|distill_loss_w|kd_|teacher_t).*\n", "");
    assertEquals(
        new DistillConfig(new GeneralizedJsd(0, 1, 1, 64), 0.5),
        load(few).run().algorithm().distill());
  }

  @Test
  void ourKeysStay() {
    String few = DISTILLATION.replaceAll("(?m)^(logits_topk|distill_loss_w|kd_|teacher_t).*\n", "");
    assertEquals(
        new DistillConfig(new GeneralizedJsd(1, 1, 1, 8), 0.5),
        load(few + "distill: {beta: 1, top_k: 8}\n").run().algorithm().distill());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kd_objective: js_divergence | kd_objective: adaptive_kl | kd_objective: expected"
            + " forward_kl,",
        "distill_on_prompt: false | distill_on_prompt: true | distill_on_prompt: 'true' is not",
        "teacher_pretrain: teacher | skew_lambda: 0.1 | teacher_pretrain: expected the model"
            + " folder",
        "logits_topk: 32 | 'logits_topk: 32\ndistill: {top_k: 8}' | logits_topk: sets the same"
            + " value as distill.top_k: keep one of them",
        "kd_objective: js_divergence | 'kd_objective: js_divergence\ndistill: {beta: 1}' |"
            + " kd_objective: sets the same value as distill.beta: keep one of them",
        "exp_name: distill | 'exp_name: distill\n"
            + "actor_train: {infer_batch_size: 3}' | student: sets the same value as actor_train:"
            + " keep one of them",
        "template: qwen2_5, file_name: [a | template: qwen2-vl, file_name: [a | found 'qwen2-vl'",
      })
  void whatIsMissingIsNamed(String from, String to, String message) {
    assertTrue(DISTILLATION.contains(from), from);
    String complaint = userError(() -> load(DISTILLATION.replace(from, to)));
    assertTrue(complaint.contains(message), complaint);
    assertTrue(complaint.endsWith("(a file of ROLL's distillation pipeline)"), complaint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "distill: {} | 0.5 | 1 | 1 | 0 | 1",
        "'distill: {beta: 1, temperature: 2, top_k: 8, loss_weight: 0.3}' | 1 | 2 | 2 | 8 | 0.3",
        "'distill: {beta: 0, temperature: 2, teacher_temperature: 1}' | 0 | 2 | 1 | 0 | 1",
      })
  void theSectionNeedsNoOtherKey(
      String keys, double beta, double own, double teachers, int topK, double weight) {
    RunConfig run = files.load(ConfigFiles.SMALL + keys + "\n").run();
    assertEquals(
        new DistillConfig(new GeneralizedJsd(beta, own, teachers, topK), weight),
        run.algorithm().distill());
    assertTrue(run.comparesDistributions());
    assertNull(files.load(ConfigFiles.SMALL).run().algorithm().distill());
  }

  @Test
  void preferencesHaveNoTeacher() {
    String text =
        """
        exp_name: a
        sequence_length: 8
        pretrain: model
        preference: {train_files: a}
        distill: {beta: 1}
        """;
    String complaint = userError(() -> load(text));
    assertTrue(complaint.contains("distill: a run on preferences has no teacher"), complaint);
  }
}
