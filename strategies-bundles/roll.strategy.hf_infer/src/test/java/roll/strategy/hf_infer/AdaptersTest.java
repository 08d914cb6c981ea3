package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.strategy.InferSession;
import roll.decoder.DecoderParameters;
import roll.huggingface.ModelFolder;
import roll.huggingface.Safetensors;
import roll.huggingface.SafetensorsWriter;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.torch.Device;
import roll.torch.model.AdapterMerger;
import roll.torch.model.Parameters;
import roll.torch.model.PeftAdapters;

/** Low-rank adapters, against a reference that computes with weights merged by hand. */
class AdaptersTest {
  private static final String QWEN2 =
      """
      {"model_type": "qwen2", "hidden_size": 24, "num_attention_heads": 4,
       "num_key_value_heads": 2, "rope_theta": 1000.0, "tie_word_embeddings": true}
      """;

  /** α / rank. */
  private static final double SCALE = 6.0 / 4;

  private final Path folder;
  @AutoClose private final RandomModel model;

  AdaptersTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.model = new RandomModel(Files.createDirectory(folder.resolve("base")), QWEN2);
  }

  /** Adapters of every projection of layer 1 and of all queries, with random numbers. */
  private Parameters adapted() {
    return adapted(model.device);
  }

  private Parameters adapted(Device device) {
    ModelFolder base = model.models.folder(model.folder);
    Set<String> modules =
        Set.copyOf(
            DecoderParameters.projections(base.spec()).stream()
                .filter(name -> name.contains("layers.1.") || name.endsWith("q_proj"))
                .toList());
    return device.call(
        () -> {
          Parameters adapted =
              model.models.read(device, base.with(new Adapter(4, 6, false, 0.5, modules)), 1);
          change(adapted, 1);
          return adapted;
        });
  }

  /** Sets the adapters to numbers that are a function of {@code seed}. */
  private static void change(Parameters adapted, long seed) {
    RandomGenerator random = RandomStreams.of(seed, "adapters");
    List<DecoderSpec.Parameter> all = DecoderParameters.of(adapted.spec());
    for (int i = 0; i < all.size(); i++) {
      MemorySegment memory = adapted.memory(i);
      for (long at = 0; all.get(i).adapts() && at < memory.byteSize(); at += Float.BYTES) {
        memory.set(ValueLayout.JAVA_FLOAT, at, (float) (0.2 * random.nextGaussian()));
      }
    }
  }

  /** Adds B A, times {@code scale}, to the reference's weights. */
  private void merge(Parameters adapted, double scale) {
    List<DecoderSpec.Parameter> all = DecoderParameters.of(adapted.spec());
    for (int i = 0; i < all.size(); i++) {
      String name = all.get(i).name();
      if (name.endsWith(Adapter.A) && all.get(i).size() > 0) {
        float[] a = adapted.memory(i).toArray(ValueLayout.JAVA_FLOAT);
        float[] b = adapted.memory(i + 1).toArray(ValueLayout.JAVA_FLOAT);
        float[] weight =
            Objects.requireNonNull(model.weights.get(name.replace(Adapter.A, ".weight")));
        int columns = a.length / 4;
        for (int cell = 0; cell < weight.length; cell++) {
          double sum = 0;
          for (int r = 0; r < 4; r++) {
            sum += b[cell / columns * 4 + r] * a[r * columns + cell % columns];
          }
          weight[cell] += (float) (scale * sum);
        }
      }
    }
  }

  @Test
  void aTrainersAdaptersAreUsedInPlace() {
    Parameters adapted = adapted();
    try (InferSession session = Sessions.session(model, Dtype.FP32)) {
      assertIsReference(session);
      session.update(adapted).join();
      model.device.call(
          () -> {
            merge(adapted, SCALE);
            return 0;
          });
      assertIsReference(session);
      model.device.call(
          () -> {
            merge(adapted, -SCALE);
            change(adapted, 2);
            merge(adapted, SCALE);
            return 0;
          });
      adapted.version(1);
      assertIsReference(session);
    } finally {
      model.device.call(
          () -> {
            adapted.close();
            return 0;
          });
    }
  }

  /** A trainer on the other device; what it changes is used when it is given again. */
  @Test
  void anotherDevicesAdaptersAreCopied() {
    Parameters adapted = adapted(model.devices.of(List.of(0), 2));
    try (InferSession session = Sessions.session(model, model.folder, Dtype.FP32, List.of(1))) {
      assertIsReference(session);
      session.update(adapted).join();
      merge(adapted, SCALE);
      assertIsReference(session);
      model
          .devices
          .of(List.of(0), 2)
          .call(
              () -> {
                change(adapted, 2);
                return 0;
              });
      adapted.version(1);
      assertIsReference(session);
      try (Parameters before = adapted()) {
        merge(before, -SCALE);
      }
      merge(adapted, SCALE);
      session.update(adapted).join();
      assertIsReference(session);
    } finally {
      adapted
          .device()
          .call(
              () -> {
                adapted.close();
                return 0;
              });
    }
  }

  /** A folder of adapters; the reference has them merged. */
  private Path saved() throws IOException {
    Path adapters = Files.createDirectory(folder.resolve("adapters"));
    Parameters adapted = adapted();
    model.device.call(
        () -> {
          PeftAdapters.write(adapters, adapted, "../base");
          merge(adapted, SCALE);
          adapted.close();
          return 0;
        });
    return adapters;
  }

  @Test
  void aFolderOfAdaptersIsAModel() throws IOException {
    try (InferSession session = Sessions.session(model, saved(), Dtype.FP32)) {
      assertIsReference(session);
    }
  }

  @Test
  void mergedTheyAreAModelOfTheirOwn() throws IOException {
    Path adapters = saved();
    Path merged = folder.resolve("new/merged");
    AdapterMerger merging = new AdapterMerger(model.models);
    merging.merge(adapters, null, merged);
    try (InferSession session = Sessions.session(model, merged, Dtype.FP32)) {
      assertIsReference(session);
    }
    assertEquals(
        Set.of("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"),
        Set.of(Objects.requireNonNull(merged.toFile().list())));
    assertEquals(
        List.of("merged"), List.of(Objects.requireNonNull(merged.getParent().toFile().list())));
    String taken = userError(() -> merging.merge(adapters, null, merged));
    assertEquals(merged + ": exists already; a new folder is needed", taken);
  }

  @Test
  void mergedTheyKeepTheNumberFormat() throws IOException {
    Path adapters = saved();
    Path rounded = Files.createDirectory(folder.resolve("rounded"));
    for (String file : List.of("config.json", "tokenizer.json")) {
      Files.copy(model.folder.resolve(file), rounded.resolve(file));
    }
    AdapterMerger merging = new AdapterMerger(model.models);
    Path target = folder.resolve("merged");
    assertEquals(
        rounded + ": has no weights to merge adapters into",
        userError(() -> merging.merge(adapters, rounded, target)));
    model.write(rounded, TensorFormat.BF16, SafetensorsWriter.SHARD_BYTES);
    merging.merge(adapters, rounded, target);
    try (Safetensors files = Safetensors.open(target)) {
      for (StoredTensor tensor : files.tensors().values()) {
        assertEquals(TensorFormat.BF16, tensor.format());
      }
    }
    assertTrue(
        Files.readString(target.resolve("config.json")).contains("\"torch_dtype\": \"bfloat16\""));
  }

  private void assertIsReference(InferSession session) {
    Sessions.assertScored(model.reference().logits(Sessions.TOKENS), session);
    Sessions.assertGenerated(model, session);
  }

  @Test
  void refusesWeightsOfAnotherModel() throws IOException {
    String other = QWEN2.replace("\"num_key_value_heads\": 2", "\"num_key_value_heads\": 1");
    try (RandomModel another =
            new RandomModel(Files.createDirectory(folder.resolve("other")), other);
        InferSession session = Sessions.session(another, Dtype.FP32)) {
      Parameters adapted = adapted();
      Throwable refused =
          assertThrows(CompletionException.class, () -> session.update(adapted).join()).getCause();
      assertTrue(refused instanceof IllegalArgumentException, () -> String.valueOf(refused));
      assertEquals("weights of another model: " + adapted.spec(), refused.getMessage());
    }
  }
}
