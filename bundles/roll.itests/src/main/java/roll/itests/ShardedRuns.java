package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import roll.api.option.UserException;

/**
 * Runs of the lake that are the same except for how the trainer is spread. One of them writes its
 * rollouts down and the others read them: rollouts are sampled, so that a last bit of a weight can
 * turn one token and with it the rest of a trajectory, and runs would be compared that were trained
 * on different data.
 */
final class ShardedRuns {
  private final Path folder;

  /** Creates runs in {@code folder}. */
  ShardedRuns(Path folder) {
    this.folder = folder;
  }

  /**
   * A layout of a role.
   *
   * @param strategy name of the strategy
   * @param config its {@code strategy_config}
   * @param devices number of devices
   * @param replicas number of data-parallel ranks
   */
  record Spread(String strategy, String config, int devices, int replicas) {
    /** One device. */
    static final Spread ALONE = new Spread("local_train", "{}", 1, 1);

    /** ZeRO stage {@code stage} on {@code devices} ranks, with all large parameters sharded. */
    static Spread zero(int devices, int stage) {
      return new Spread(
          "deepspeed_train",
          "{zero_optimization: {stage: %d, stage3_param_persistence_threshold: 200}}"
              .formatted(stage),
          devices,
          devices);
    }

    /** {@code data} replicas, each on {@code pipeline} × {@code tensor} ranks. */
    static Spread megatron(int data, int pipeline, int tensor, String more) {
      return new Spread(
          "megatron_train",
          "{pipeline_model_parallel_size: %d, tensor_model_parallel_size: %d%s}"
              .formatted(pipeline, tensor, more),
          data * pipeline * tensor,
          data);
    }

    /** Returns the settings of {@code role} for optimizer steps of {@code batch} samples. */
    List<String> of(String role, int batch) {
      return List.of(
          "num_gpus_per_node=" + devices,
          role + ".device_mapping=list(range(0," + devices + "))",
          "%s.strategy_args={strategy_name: %s, strategy_config: %s}"
              .formatted(role, strategy, config),
          role + ".training_args.per_device_train_batch_size=" + batch / replicas / 2,
          role + ".training_args.gradient_accumulation_steps=2");
    }

    @Override
    public String toString() {
      return strategy + " on " + devices + " " + config;
    }
  }

  /** Returns the override that records the rollouts of a run on one device. */
  String dump() {
    return mock("dump");
  }

  /** Returns the override that reads these rollouts. */
  String read() {
    return mock("mock");
  }

  private String mock(String mode) {
    return "rollout_mock={enable: true, mode: %s, dump_dir: %s}"
        .formatted(mode, folder.resolve("rollouts"));
  }

  /** Runs to the end with two optimizer steps per step and a sharded actor. */
  Path train(String name, Spread spread, String... more) throws Exception {
    List<String> overrides = new ArrayList<>(spread.of("actor_train", 16));
    overrides.add("actor_infer.device_mapping=list(range(0," + spread.devices() + "))");
    overrides.addAll(List.of(more));
    return train("frozen_lake.yaml", name, overrides);
  }

  /** Runs {@code config} to the end; rethrows the cause of a failure. */
  Path train(String config, String name, List<String> more) throws Exception {
    List<String> overrides =
        new ArrayList<>(
            List.of(
                "exp_name=" + name,
                "eval_steps=0",
                "logging_steps=0",
                "track_with=jsonl",
                "actor_train.training_args.warmup_steps=0",
                "actor_train.training_args.learning_rate=3e-4",
                "actor_infer.strategy_args={strategy_name: hf_infer}"));
    overrides.addAll(more);
    return SmallRuns.finish(SmallRuns.start(config, folder, overrides));
  }

  /** Returns the one-line refusal of a run with {@code more}. */
  String mistake(Spread spread, String... more) {
    Exception refused =
        assertThrows(Exception.class, () -> train("mistake" + System.nanoTime(), spread, more));
    String message =
        refused instanceof UserException
            ? String.valueOf(refused.getMessage())
            : fail("not a mistake of the user's", refused);
    assertEquals(1, message.lines().count(), message);
    return message;
  }

  /** Returns all weights of a saved model. */
  static Map<String, float[]> weights(Path checkpoint) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.wrap(Files.readAllBytes(checkpoint.resolve("model.safetensors")))
            .order(ByteOrder.LITTLE_ENDIAN);
    int length = Math.toIntExact(bytes.getLong(0));
    JsonObject table =
        JsonParser.parseString(
                new String(bytes.array(), Long.BYTES, length, StandardCharsets.UTF_8))
            .getAsJsonObject();
    Map<String, float[]> weights = new TreeMap<>();
    for (Map.Entry<String, JsonElement> entry : table.entrySet()) {
      if (!entry.getKey().equals("__metadata__")) {
        var offsets = entry.getValue().getAsJsonObject().getAsJsonArray("data_offsets");
        int first = offsets.get(0).getAsInt();
        float[] numbers = new float[(offsets.get(1).getAsInt() - first) / Float.BYTES];
        bytes
            .slice(Long.BYTES + length + first, numbers.length * Float.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .asFloatBuffer()
            .get(numbers);
        weights.put(entry.getKey(), numbers);
      }
    }
    return weights;
  }

  /**
   * Every parameter is the same within 1e-5 of its size. AdamW's first steps divide a gradient by
   * its own size, so that where it is but rounding it still makes a step of the learning rate:
   * biases are as small as the steps they were made in, and the slow rotations hardly tell a bias
   * of keys from none.
   */
  static void assertClose(Path expected, Path found, Object what) throws IOException {
    Map<String, float[]> one = weights(expected);
    Map<String, float[]> other = weights(found);
    assertEquals(one.keySet(), other.keySet());
    one.forEach(
        (name, numbers) -> {
          float[] others = Objects.requireNonNull(other.get(name));
          double difference = 0;
          double size = 0;
          for (int i = 0; i < numbers.length; i++) {
            difference += Math.pow(numbers[i] - others[i], 2);
            size += Math.pow(numbers[i], 2);
          }
          double relative = Math.sqrt(difference / size);
          double most = name.endsWith("k_proj.bias") ? 1e-2 : name.endsWith("bias") ? 3e-5 : 1e-5;
          assertTrue(relative <= most, () -> what + ": " + name + " is off by " + relative);
        });
  }

  /** Returns a metric of one step of a run. */
  static double metric(Map<Integer, Map<String, String>> metrics, int step, String name) {
    return Double.parseDouble(
        Objects.requireNonNull(Objects.requireNonNull(metrics.get(step)).get(name), name));
  }
}
