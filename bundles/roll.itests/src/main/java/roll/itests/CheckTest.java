package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.Trainer;

/** {@code check} and {@code train} refuse malformed configurations with equal messages. */
@Tag("framework")
@Timeout(240)
class CheckTest {
  private static final String LAKE = "custom_envs.FrozenLake.";
  private static final String TRAIN = "actor_train.";
  private static final String TRAINING = TRAIN + "training_args.";
  private static final String STRATEGY = "strategy_args.strategy_name=";
  private static final String OPTIONS = "strategy_args.strategy_config=";

  private final Path folder;

  CheckTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @TestFactory
  Stream<DynamicTest> bothRefuseInTheSameWords() throws IOException {
    return Stream.of(
            // the model
            row("no weights (neither", "random_weights=false"),
            row("4096 is more than max_position_embeddings 512", "sequence_length=4096"),
            row("no room is left for a response", "sequence_length=6"),
            row("nowhere", "pretrain=nowhere"),
            row(
                "pretrain: '" + folder("empty") + "' is no model folder",
                "pretrain=" + folder("empty")),
            row("tokenizer.json is missing", "pretrain=" + without("tokenizer.json")),
            row("model_type 'gpt9' is not supported", "pretrain=" + changed("model_type", "gpt9")),
            row("vocab_size of config.json is 16", "pretrain=" + changed("vocab_size", 16)),
            row("head", "pretrain=" + changed("num_attention_heads", 5)),
            row("lora_target", TRAIN + "model_args.lora_target=nothing_like_it"),
            row("no folder 'nowhere'", TRAIN + "model_args.adapter_name_or_path=nowhere"),
            row(
                "both need the same tokenizer, except with adv_estimator: distillation",
                "use_kl_loss=true",
                "reference.model_args.model_name_or_path="
                    + SmallRuns.config("models/arithmetic-tiny"),
                "reference.data_args.template=qwen2_5",
                "reference." + STRATEGY + "hf_infer"),
            row(
                "is not that of the policy in",
                "use_kl_loss=true",
                "reference.model_args.model_name_or_path="
                    + SmallRuns.config("models/click-and-read-words")),
            row(
                "has a vocabulary of 115 tokens",
                "adv_estimator=gae",
                "reward_pretrain=" + SmallRuns.config("models/arithmetic-tiny"),
                "critic." + STRATEGY + "local_train"),
            // plugins and their options
            row("adv_estimator: no roll.estimator 'grop'", "adv_estimator=grop"),
            row("pg_variant", TRAIN + "pg_variant=pppo"),
            row("track_with", "track_with=[jsonn]"),
            row("roll.strategy 'local'", TRAIN + STRATEGY + "local"),
            row("'hf_infer'", TRAIN + STRATEGY + "hf_infer"),
            row("parallel_micro_batches", TRAIN + OPTIONS + "{parallel_micro_batches: 65}"),
            row("unknown key 'block'", "actor_infer." + OPTIONS + "{block: 65}"),
            row("data_args.template", "actor_infer.data_args.template=llama9"),
            row("needs sum_pi_squared", "adv_estimator=optimal_token_baseline"),
            row("enable_reference: true gives", "adv_estimator=distillation"),
            row(
                "'hf_infer' has no partial_rollout,",
                "async_generation_ratio=1",
                "partial_rollout=true",
                "actor_infer." + STRATEGY + "hf_infer"),
            row(
                "tracker_kwargs.alerts.rules.low.when: expected a metric, <,",
                "track_with=[alerts]",
                "tracker_kwargs={alerts: {rules: {low: {when: score, run: [true]}}}}"),
            row("adv_estimator_args", "adv_estimator_args={k: 3}"),
            row("frozen_lakes", LAKE + "env_type=frozen_lakes"),
            row("env_manager_cls", LAKE + "env_manager_cls=trajectorie"),
            row("size", LAKE + "env_config.size=1"),
            row("sizes", LAKE + "env_config.sizes=4"),
            row("{observation} is missing", LAKE + "agent_template=look"),
            row("rewards", LAKE + "rewards={maths: 1}"),
            row("rewards.em", LAKE + "rewards={em: {weight: 1, wrong: 2}}"),
            row("agent.tools", LAKE + "agent={agent_type: hf, tools: [calculater]}"),
            row("agent_type", LAKE + "agent={agent_type: hff, tools: [calculator]}"),
            row("judge", LAKE + "rewards={llm_judge: {weight: 1, model: judge}}"),
            row("group_filter_cls", "train_env_manager.group_filter_cls=best"),
            row("proxy_type", "train_env_manager.llm_proxy.proxy_type=random"),
            row(
                "nowhere.jsonl",
                LAKE + "env_type=dataset",
                LAKE + "no_reward=true",
                files("nowhere.jsonl")),
            // invalid numbers
            row("rollout_batch_size", "rollout_batch_size=33"),
            row("val_batch_size", "val_batch_size=7"),
            row("num_groups_partition", "train_env_manager.num_groups_partition=[3]"),
            row("max_prompt_length", LAKE + "max_prompt_length=3"),
            row("device_mapping", TRAIN + "device_mapping=[0,1]"),
            row("there is no device 999: this machine has", TRAIN + "device_mapping=[999]"),
            row("num_nodes", "num_gpus_per_node=1", "num_nodes=1", TRAIN + "device_mapping=[7]"),
            row("tensor_model_parallel_size", megatron("tensor_model_parallel_size: 3")),
            row("pipeline_model_parallel_size", megatron("pipeline_model_parallel_size: 2")),
            row("lr_scheduler_type", TRAINING + "lr_scheduler_type=cosinus"),
            row(
                "async_generation_ratio",
                "async_generation_ratio=1",
                "adv_estimator=remax",
                "reward_normalization={grouping: batch, method: identity}"),
            // output folders
            row("cannot be written", "output_dir=" + file("flat")),
            row("cannot be written", "output_dir=" + file("flatter") + "/deep"),
            row("no folder", "resume_from_checkpoint=" + folder.resolve("gone")),
            row("no checkpoint", "resume_from_checkpoint=" + folder("other")),
            row("rollout_mock", "rollout_mock={mode: mock, path: nowhere}"))
        .map(row -> DynamicTest.dynamicTest(row.name(), () -> assertBothRefuse(row)));
  }

  /** Overrides, and a part of their refusal. */
  private record Row(String part, List<String> overrides) {
    String name() {
      return String.join(" ", overrides) + " → " + part;
    }
  }

  private static Row row(String part, Object... overrides) {
    List<String> all = new ArrayList<>();
    for (Object override : overrides) {
      if (override instanceof List<?> several) {
        several.forEach(one -> all.add(String.valueOf(one)));
      } else {
        all.add(String.valueOf(override));
      }
    }
    return new Row(part, all);
  }

  private void assertBothRefuse(Row row) throws Exception {
    String checked = refusal(row, false);
    String started = refusal(row, true);
    assertEquals(checked, started);
    assertTrue(checked != null && checked.contains(row.part()), () -> "said: " + checked);
    assertFalse(String.valueOf(checked).contains("\n"), checked);
    assertFalse(Files.exists(folder.resolve("runs")), "something was left");
  }

  /** Returns the refusal by a check or by a start, or null. */
  private @Nullable String refusal(Row row, boolean start) throws Exception {
    List<String> overrides = new ArrayList<>(List.of("max_steps=1", "exp_name=new"));
    overrides.addAll(row.overrides());
    Trainer trainer = SmallRuns.service(Trainer.class);
    try {
      LoadedConfig config = SmallRuns.load("frozen_lake.yaml", folder.resolve("runs"), overrides);
      if (!start) {
        trainer.checkStart(config);
        return null;
      }
      trainer.start(config).outcome().get();
      return null;
    } catch (UserException e) {
      return e.getMessage();
    } catch (ExecutionException e) {
      return e.getCause() instanceof UserException mistake ? mistake.getMessage() : "failed: " + e;
    }
  }

  private static List<String> megatron(String option) {
    return List.of(
        TRAIN + STRATEGY + "megatron_train",
        TRAIN + OPTIONS + "{" + option + "}",
        "num_gpus_per_node=3",
        TRAIN + "device_mapping=[0,1,2]",
        "rollout_batch_size=32");
  }

  private static List<String> files(String name) {
    return List.of(LAKE + "env_config={train_files: " + name + ", val_files: " + name + "}");
  }

  private Path folder(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name));
  }

  private Path file(String name) throws IOException {
    return Files.writeString(folder.resolve(name), "not a folder");
  }

  private Path copy(String name) throws IOException {
    Path copy = folder(name);
    try (Stream<Path> files = Files.list(SmallRuns.config("models/frozen-lake-tiny"))) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName().toString()));
      }
    }
    return copy;
  }

  private Path without(String name) throws IOException {
    Path copy = copy("without-" + name);
    Files.delete(copy.resolve(name));
    return copy;
  }

  private Path changed(String key, Object value) throws IOException {
    Path copy = copy("changed-" + key);
    Path file = copy.resolve("config.json");
    JsonObject json = new Gson().fromJson(Files.readString(file), JsonObject.class);
    json.add(key, new Gson().toJsonTree(value));
    Files.writeString(file, new Gson().toJson(json));
    return copy;
  }

  /** An output folder that holds a run is refused and left unchanged. */
  @Test
  void aFolderThatHoldsARunIsLeftAsItIs() throws Exception {
    Path held = Files.createDirectories(folder.resolve("held/frozen_lake"));
    Files.writeString(held.resolve("metrics.jsonl"), "{}\n");
    Files.writeString(held.resolve("run.log"), "before\n");
    Map<String, String> before = content(held);
    Trainer trainer = SmallRuns.service(Trainer.class);
    LoadedConfig taken = config("held");
    assertTrue(
        trainer.checkStart(taken).stream().anyMatch(line -> line.contains("already holds a run")));
    LoadedConfig resumed = config("held", "resume_from_checkpoint=true", "sequence_length=4096");
    for (LoadedConfig config : List.of(taken, resumed)) {
      try {
        trainer.start(config).outcome().get();
      } catch (UserException | ExecutionException e) {
        assertEquals(before, content(held));
        continue;
      }
      throw new AssertionError("it was started");
    }
  }

  /** A refusal while models are opened leaves no new folder, and an existing one unchanged. */
  @Test
  void whatIsRefusedWhileItIsOpenedLeavesNothing() throws Exception {
    Path sick = folder("sick");
    RandomModelFolder.write(
        sick,
        "qwen2",
        Map.of("hidden_size", 32, "num_attention_heads", 4, "num_key_value_heads", 2));
    RandomModelFolder.spoil(sick, "model.layers.0.mlp.up_proj.weight", Float.NaN);
    String pretrain = "pretrain=" + sick;
    Trainer trainer = SmallRuns.service(Trainer.class);
    for (boolean resume : new boolean[] {false, true}) {
      Path run = folder.resolve("opened" + resume + "/frozen_lake");
      Map<String, String> before = Map.of();
      if (resume) {
        Files.createDirectories(run);
        Files.writeString(run.resolve("metrics.jsonl"), "{}\n");
        before = content(run);
      }
      LoadedConfig config =
          config(
              "opened" + resume,
              pretrain,
              "sequence_length=100",
              "resume_from_checkpoint=" + resume);
      try {
        trainer.start(config).outcome().get();
        throw new AssertionError("it was trained");
      } catch (ExecutionException e) {
        String said = String.valueOf(e.getMessage());
        assertTrue(said.contains("numbers that are not finite"), said);
        assertTrue(said.contains("tensor 'model.layers.0.mlp.up_proj.weight'"), said);
      }
      assertEquals(before, content(run));
      assertEquals(resume, Files.exists(folder.resolve("opened" + resume)));
    }
  }

  private LoadedConfig config(String output, String... more) {
    List<String> overrides =
        SmallRuns.overrides(
            more, "output_dir=" + folder.resolve(output), "max_steps=1", "eval_steps=0");
    return SmallRuns.service(ConfigLoader.class)
        .load(SmallRuns.config("frozen_lake.yaml"), overrides);
  }

  private static Map<String, String> content(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return Map.of();
    }
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> entries = Files.walk(folder)) {
      for (Path entry : entries.filter(Files::isRegularFile).toList()) {
        content.put(folder.relativize(entry).toString(), Files.readString(entry));
      }
    }
    return content;
  }
}
