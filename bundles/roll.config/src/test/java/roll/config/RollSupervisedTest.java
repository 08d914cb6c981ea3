package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.WorkerConfig;
import roll.runtime.config.ContextFields;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.PreferenceConfig;
import roll.runtime.config.SftConfig;
import roll.runtime.config.SftConfig.Truncation;

/** Files of ROLL's SFT and DPO pipelines train as there. */
class RollSupervisedTest {
  /** The keys of {@code alibaba/ROLL@8eb27cc2:examples/qwen2.5-7B-sft_megatron}. */
  private static final String SFT =
      """
      hydra: {run: {dir: .}, output_subdir: null}
      exp_name: sft
      sequence_length: 2048
      pretrain: model
      prompt_key: instruction
      query_key: input
      response_key: output
      validation:
        data_args: {file_name: v.json, template: qwen2_5}
      sft_train:
        training_args:
          num_train_epochs: 2
          per_device_train_batch_size: 2
          gradient_accumulation_steps: 16
          learning_rate: 5.0e-6
        data_args: {file_name: a.json, template: qwen2_5, preprocessing_num_workers: 4}
        strategy_args: {strategy_name: megatron_train}
        use_sequence_packing: true
      """;

  /** The keys of {@code alibaba/ROLL@8eb27cc2:examples/dpo_examples}. */
  private static final String DPO =
      """
      exp_name: dpo
      sequence_length: 512
      pretrain: model
      ipo: false
      beta: 0.2
      label_smoothing: 0.0
      chosen_key: better
      rejected_key: worse
      global_template: qwen2_5
      validation: {data_args: {file_name: v.json}}
      actor_train:
        training_args: {lr_scheduler_type: constant, warmup_steps: 20, num_train_epochs: 10.0}
        data_args: {file_name: [a.json, b.json], dataset_dir: data}
        strategy_args: {strategy_name: megatron_train}
      reference:
        strategy_args: {strategy_name: megatron_infer}
      """;

  private final YamlConfigLoader loader = new YamlConfigLoader(name -> null);
  private final ConfigFiles files;

  RollSupervisedTest(@TempDir Path folder) {
    files = new ConfigFiles(folder);
  }

  private LoadedConfig load(String text) {
    return loader.loadAsWritten(files.write("run.yaml", text), List.of());
  }

  @Test
  void demonstrationsAreReadAndOrderedAsInRoll() {
    LoadedConfig loaded = load(SFT + "max_steps: 7\n");
    assertEquals(
        new SftConfig(
            List.of(Path.of("a.json")),
            List.of(Path.of("v.json")),
            "instruction",
            "output",
            "",
            null,
            Truncation.ERROR,
            false,
            true,
            2,
            7,
            null,
            new ContextFields("input", "", "")),
        loaded.sft());
    WorkerConfig trained = loaded.run().roles().actorTrain();
    assertEquals("native", trained.template());
    assertEquals(Map.of(), trained.chatTemplateKwargs());
    assertEquals(32, trained.training().effectiveBatch());
    assertTrue(
        loaded
            .notices()
            .getFirst()
            .startsWith("a file of ROLL's SFT pipeline: ./roll sft runs it"));
    assertTrue(
        loaded
            .notices()
            .contains(
                "max_steps ends the run too; in ROLL's SFT pipeline num_train_epochs alone does"));
  }

  @Test
  void theTrackerOfRollsHouseIsNone() {
    LoadedConfig loaded = load(SFT + "track_with: ml_tracker\ntracker_kwargs: {tags: [a]}\n");
    assertTrue(
        loaded
            .notices()
            .contains("key 'track_with' has no effect here: there is no tracker ml_tracker"));
  }

  @Test
  void fieldsThatAreNotNamedAreNotRead() {
    LoadedConfig loaded =
        load(SFT.replaceAll("(?m)^\\w+_key: .*\n", "").replace("qwen2_5", "qwen3"));
    SftConfig sft = Objects.requireNonNull(loaded.sft());
    assertEquals(new ContextFields("", "", ""), sft.context());
    assertEquals("instruction", sft.promptKey());
    assertEquals(
        Map.of("enable_thinking", true), loaded.run().roles().actorTrain().chatTemplateKwargs());
    assertEquals(
        new ContextFields("input", "told", ""),
        Objects.requireNonNull(load(SFT + "system_key: told\n").sft()).context());
  }

  @Test
  void pairsAreThoseOfTheInstruction() {
    LoadedConfig loaded = load(DPO);
    assertEquals(
        new SftConfig(
            List.of(Path.of("a.json"), Path.of("b.json")),
            List.of(Path.of("v.json")),
            "instruction",
            "completion",
            "messages",
            null,
            Truncation.DROP,
            true,
            true,
            10,
            500,
            new PreferenceConfig(
                "dpo", Map.of("beta", 0.2, "label_smoothing", 0.0), "better", "worse", "label"),
            new ContextFields("", "", "")),
        loaded.sft());
    assertEquals(
        "megatron_infer", Objects.requireNonNull(loaded.run().roles().reference()).strategy());
    assertEquals(20, loaded.run().roles().actorTrain().training().warmupSteps());
    SftConfig ipo = Objects.requireNonNull(load(DPO.replace("ipo: false", "ipo: true")).sft());
    PreferenceConfig squared = Objects.requireNonNull(ipo.preference());
    assertEquals("ipo", squared.objective());
    assertEquals(Map.of("beta", 0.2, "per_token", false), squared.args());
  }

  /** Eight devices in pairs of a sequence each: four have a sequence of their own. */
  @Test
  void devicesThatShareASequenceAreLeftOut() {
    String text =
        SFT.replace("accumulation_steps: 16", "accumulation_steps: 1")
            .replace("batch_size: 2", "batch_size: 1")
            .replace("sft_train:\n", "sft_train:\n  device_mapping: list(range(0,8))\n")
            .replace("sft_train:\n", "sft_train:\n  model_args: {ulysses_size: 2}\n");
    WorkerConfig trained = load(text).run().roles().actorTrain();
    assertEquals(List.of(0, 1, 2, 3), trained.devices());
    assertEquals(4, trained.training().effectiveBatch());
  }

  /** FSDP2 has the constant rate of transformers. */
  @Test
  void aConstantRateWarmsUpInMegatronOnly() {
    LoadedConfig loaded = load(DPO.replace("megatron_train", "fsdp2_train"));
    assertEquals(0, loaded.run().roles().actorTrain().training().warmupSteps());
    assertTrue(
        loaded
            .notices()
            .contains(
                "key 'actor_train.training_args.warmup_steps' has no effect here: a constant rate"
                    + " has no warm-up with ROLL's fsdp2_train"));
  }

  @Test
  void whatIsWrongIsToldWithTheKeyAsWritten() {
    refused(
        "run.yaml:16: actor_train.data_args.template: expected one of native",
        SFT.replace("a.json, template: qwen2_5", "a.json, template: empty"));
    refused("run.yaml:12: sft.epochs: expected", SFT.replace("epochs: 2", "epochs: 0.5"));
    refused("run.yaml:5: sft.prompt_key: expected text", SFT.replace("key: instruction", "key: 3"));
    refused(
        "unknown key 'validation.dataargs'",
        SFT.replace("  data_args: {file_name: v", "  dataargs: {file_name: v"));
    refused("run.yaml:4: ipo: expected a boolean", DPO.replace("ipo: false", "ipo: 'no'"));
    refused("sft.train_files is missing", SFT.replace("file_name: a.json, ", ""));
  }

  private void refused(String message, String text) {
    String refusal = userError(() -> load(text));
    assertTrue(refusal.contains(message), refusal);
  }
}
