package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.huggingface.TensorFormat.F32;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.option.UserException;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.ValueSession;
import roll.huggingface.Safetensors;
import roll.huggingface.SafetensorsWriter;
import roll.huggingface.StoredTensor;

/** Critics as folders: saved, loaded, of other makers, refused. */
class ValueModelFilesTest {
  private final Path folder;

  ValueModelFilesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @ParameterizedTest
  @ValueSource(strings = {"qwen2", "llama", "qwen3"})
  void isSavedAsATokenClassifierOfOneLabel(String type) throws IOException {
    TokenBatch batch = TinyModel.batch(2);
    Path saved = folder.resolve("saved");
    double[] values;
    try (TinyModel model = ValueModels.model(folder, type, false)) {
      try (ValueSession session = model.openValues(Dtype.FP32, 4, 1)) {
        session.update(batch, ValueModels.distance(batch, ValueModels.targets(batch))).join();
        session.save(saved).join();
        values = session.values(batch).join();
      }
      JsonObject expected = json(model.folder);
      expected.add(
          "architectures",
          JsonParser.parseString("['%sForTokenClassification']".formatted(ValueModels.name(type))));
      expected.add("id2label", JsonParser.parseString("{'0': 'LABEL_0'}"));
      expected.add("label2id", JsonParser.parseString("{'LABEL_0': 0}"));
      expected.addProperty("classifier_dropout", 0.0);
      expected.addProperty("torch_dtype", "float32");
      assertEquals(expected, json(saved));
      assertTrue(Files.readString(saved.resolve("config.json")).contains("\"my_note\": 1.50"));
    }
    try (Safetensors files = Safetensors.open(saved)) {
      Set<String> names = files.tensors().keySet();
      assertTrue(names.containsAll(Set.of("score.weight", "score.bias", "model.norm.weight")));
      assertFalse(names.contains("lm_head.weight"));
    }
    try (TinyModel again = copyOf(saved);
        ValueSession session = again.openValues(Dtype.FP32, 4, 1)) {
      assertArrayEquals(values, session.values(batch).join());
    }
  }

  /** A critic starts from the trained policy: the same layers, and a head of the seed. */
  @Test
  void startsFromALanguageModel() throws IOException {
    TokenBatch batch = TinyModel.batch(3);
    Path saved = folder.resolve("policy");
    try (TinyModel model = ValueModels.model(folder, "qwen2", false);
        TrainSession policy = model.open(Dtype.FP32, 4)) {
      policy.update(batch, TinyModel.likelihood(batch)).join();
      policy.save(saved).join();
    }
    Path critic = folder.resolve("critic");
    try (TinyModel model = copyOf(saved);
        ValueSession session = model.openValues(Dtype.FP32, 4, 1);
        ValueSession other = model.openValues(Dtype.FP32, 4, 1)) {
      assertArrayEquals(session.values(batch).join(), other.values(batch).join());
      session.save(critic).join();
    }
    try (Safetensors from = Safetensors.open(saved);
        Safetensors files = Safetensors.open(critic)) {
      for (String name : files.tensors().keySet()) {
        if (!name.startsWith("score.")) {
          assertArrayEquals(floats(from, name), floats(files, name), name);
        }
      }
      float[] head = floats(files, "score.weight");
      double square = IntStream.range(0, head.length).mapToDouble(i -> head[i] * head[i]).sum();
      assertEquals(0.05, Math.sqrt(square / head.length), 0.02); // initializer_range
      assertArrayEquals(new float[] {0}, floats(files, "score.bias"));
    }
  }

  /** TRL keeps the head beside the token head; a reward model has one without a bias. */
  @Test
  void readsHeadsOfOtherMakers() throws IOException {
    TokenBatch batch = TinyModel.batch(2);
    Path saved = folder.resolve("saved");
    double[] values;
    try (TinyModel model = ValueModels.model(folder, "llama", true);
        ValueSession session = model.openValues(Dtype.FP32, 4, 1)) {
      for (int i = 0; i < 3; i++) { // the first has rate 0
        session.update(batch, ValueModels.distance(batch, ValueModels.targets(batch))).join();
      }
      session.save(saved).join();
      values = session.values(batch).join();
    }
    double bias;
    try (Safetensors files = Safetensors.open(saved)) {
      bias = floats(files, "score.bias")[0];
      assertNotEquals(0, bias);
    }
    rewrite(saved, tensor -> renamed(tensor, "score.", "v_head.summary."));
    assertArrayEquals(values, values(saved, "LlamaForCausalLM", batch));
    rewrite(
        saved,
        tensor ->
            tensor.name().equals("v_head.summary.bias")
                ? Stream.of()
                : renamed(tensor, "v_head.summary.", "score."));
    double[] unbiased = values(saved, "LlamaForSequenceClassification", batch);
    for (int t : ValueModels.scored(batch)) {
      assertEquals(values[t] - bias, unbiased[t], 1e-6);
    }
  }

  private double[] values(Path saved, String architecture, TokenBatch batch) throws IOException {
    JsonObject config = json(saved);
    config.add("architectures", JsonParser.parseString("['%s']".formatted(architecture)));
    Files.writeString(saved.resolve("config.json"), config.toString());
    try (TinyModel model = copyOf(saved);
        ValueSession session = model.openValues(Dtype.FP32, 4, 1)) {
      return session.values(batch).join();
    }
  }

  @Test
  void refusesWhatIsNoValueModelAndNoPolicy() throws IOException {
    Path policy = folder.resolve("policy");
    Path critic = folder.resolve("critic");
    try (TinyModel model = ValueModels.model(folder, "qwen2", true);
        TrainSession train = model.open(Dtype.FP32, 4);
        ValueSession values = model.openValues(Dtype.FP32, 4, 1)) {
      train.save(policy).join();
      values.save(critic).join();
      assertRefused(
          () -> train.restore(critic).join(),
          "critic/config.json: architectures name a value model,"
              + " but a language model (…ForCausalLM) is needed");
      assertRefused(() -> values.restore(policy).join(), "tensor 'score.weight' is missing");
    }
    try (TinyModel model = copyOf(critic)) {
      assertRefused(() -> model.open(Dtype.FP32, 4), "architectures name a value model");
    }
    rewrite(
        critic,
        tensor ->
            tensor.name().equals("score.weight")
                ? Stream.of(
                    new StoredTensor(
                        "score.weight", F32, List.of(2L, 16L), tensor.map(Arena.ofAuto())))
                : Stream.of(tensor));
    try (TinyModel model = copyOf(critic)) {
      assertRefused(
          () -> model.openValues(Dtype.FP32, 4, 1),
          "tensor 'score.weight' has shape [2, 16], the model needs [1, 32]");
    }
  }

  private static JsonObject json(Path model) throws IOException {
    return JsonParser.parseString(Files.readString(model.resolve("config.json"))).getAsJsonObject();
  }

  /** A folder with the config.json and the weights of {@code saved}. */
  private TinyModel copyOf(Path saved) throws IOException {
    Path target = Files.createTempDirectory(folder, "copy");
    TinyModel copy = new TinyModel(target, Files.readString(saved.resolve("config.json")));
    Files.copy(saved.resolve("model.safetensors"), target.resolve("model.safetensors"));
    return copy;
  }

  private static float[] floats(Safetensors files, String name) {
    StoredTensor stored = Objects.requireNonNull(files.tensors().get(name), name);
    float[] floats = new float[(int) stored.size()];
    stored.readFloats(0, MemorySegment.ofArray(floats));
    return floats;
  }

  /** Writes the weights anew, each as what {@code change} makes of it. */
  private static void rewrite(Path model, Function<StoredTensor, Stream<StoredTensor>> change)
      throws IOException {
    List<StoredTensor> tensors;
    try (Safetensors files = Safetensors.open(model)) {
      tensors =
          files.tensors().values().stream().flatMap(change).map(ValueModelFilesTest::copy).toList();
    }
    SafetensorsWriter.writeModel(model, tensors, F32, SafetensorsWriter.SHARD_BYTES);
  }

  private static StoredTensor copy(StoredTensor tensor) {
    MemorySegment bytes = tensor.map(Arena.ofAuto());
    MemorySegment data = Arena.ofAuto().allocate(bytes.byteSize()).copyFrom(bytes);
    return new StoredTensor(tensor.name(), F32, tensor.shape(), data);
  }

  private static Stream<StoredTensor> renamed(StoredTensor tensor, String from, String to) {
    String name = tensor.name().replace(from, to);
    return Stream.of(new StoredTensor(name, F32, tensor.shape(), tensor.map(Arena.ofAuto())));
  }

  private static void assertRefused(Executable action, String part) {
    Throwable found = assertThrows(RuntimeException.class, action);
    Throwable cause = found instanceof CompletionException ? found.getCause() : found;
    assertTrue(cause instanceof UserException, () -> String.valueOf(cause));
    assertTrue(String.valueOf(cause.getMessage()).contains(part), () -> cause.getMessage());
    assertEquals(1, String.valueOf(cause.getMessage()).lines().count());
  }
}
