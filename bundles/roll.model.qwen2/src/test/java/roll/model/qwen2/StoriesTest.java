package roll.model.qwen2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import com.google.gson.Gson;
import com.google.gson.annotations.SerializedName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.Tokenizer;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.huggingface.HuggingFaceTokenizers;
import roll.huggingface.ModelFolder;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.Models;
import roll.torch.model.Parameters;
import roll.torch.model.Scorer;

/** A real little model, stories260K, against a float64 forward pass on its weights. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StoriesTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("roll.root"), "../shared/data/tiny-models/stories260K-qwen2");

  @AutoClose private final Device device = Device.cpu(1);
  private final HuggingFaceTokenizers tokenizers = new HuggingFaceTokenizers(Devices.on(device));
  private final Models models = new Models(Devices.on(device), tokenizers);

  /** expected.json. */
  record Expected(List<Case> cases) {}

  /** One prompt of expected.json. */
  record Case(
      String prompt,
      @SerializedName("input_ids") int[] tokens,
      @SerializedName("last_logits") float[] lastLogits,
      @SerializedName("token_logprobs") double[] logProbs,
      double[] entropy) {}

  @BeforeAll
  void register() {
    models.add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
  }

  private static List<Case> cases() throws IOException {
    Assumptions.assumeTrue(Files.exists(FOLDER), "no model at " + FOLDER);
    String text = Files.readString(FOLDER.resolve("expected.json"));
    List<Case> cases = new Gson().fromJson(text, Expected.class).cases();
    assertTrue(cases.size() > 2);
    return cases;
  }

  @Test
  void promptsGiveTheirIds() throws IOException {
    List<Case> cases = cases();
    try (Tokenizer tokenizer = tokenizers.load(FOLDER)) {
      for (Case one : cases) {
        assertArrayEquals(one.tokens(), tokenizer.encodePrompt(one.prompt()));
      }
    }
  }

  @Test
  void scoresMatch() throws IOException {
    List<Case> cases = cases();
    int[] offsets = new int[cases.size() + 1];
    for (int i = 0; i < cases.size(); i++) {
      offsets[i + 1] = offsets[i] + cases.get(i).tokens().length;
    }
    int[] tokens = cases.stream().flatMapToInt(c -> Arrays.stream(c.tokens())).toArray();
    boolean[] scored = new boolean[tokens.length];
    Arrays.fill(scored, true);
    Arrays.stream(offsets).limit(cases.size()).forEach(first -> scored[first] = false);
    Scores scores =
        withModel(
            (parameters, decoder) ->
                new Scorer(device, decoder, 1 << 14)
                    .score(parameters, new TokenBatch(offsets, tokens, scored)));
    for (int i = 0; i < cases.size(); i++) {
      Case one = cases.get(i);
      int from = offsets[i] + 1;
      int to = offsets[i + 1];
      assertArrayEquals(one.logProbs(), Arrays.copyOfRange(scores.logProbs(), from, to), 1e-4);
      assertArrayEquals(
          Arrays.copyOf(one.entropy(), to - from),
          Arrays.copyOfRange(scores.entropies(), from, to),
          1e-4);
    }
  }

  @Test
  void lastLogitsMatch() throws IOException {
    for (Case one : cases()) {
      float[] logits =
          withModel(
              (parameters, decoder) -> {
                try (NDManager manager = device.newManager()) {
                  int length = one.tokens().length;
                  long[] ids = IntStream.of(one.tokens()).asLongStream().toArray();
                  NDArray row =
                      decoder.hidden(
                          manager,
                          parameters,
                          manager.create(ids, new Shape(1, length)),
                          manager.create(new long[] {length - 1}));
                  NDArray head = parameters.tensors().get(0);
                  return decoder
                      .kernels()
                      .call(manager, "logits", row, head)
                      .singletonOrThrow()
                      .toFloatArray();
                }
              });
      assertArrayEquals(one.lastLogits(), logits, 1e-4f);
    }
  }

  /** Uses the model. */
  private interface Use<T> {
    T with(Parameters parameters, Decoder decoder);
  }

  private <T> T withModel(Use<T> use) {
    ModelFolder folder = models.folder(FOLDER);
    assertTrue(folder.hasWeights());
    return device.call(
        () -> {
          try (Parameters parameters = models.read(device, folder, 0);
              Decoder decoder = new Decoder(device, folder.spec(), Precision.of(Dtype.FP32), 512)) {
            return use.with(parameters, decoder);
          }
        });
  }

  @Test
  void aFolderWithoutWeightsStartsRandom(@TempDir Path folder) throws IOException {
    cases();
    Files.copy(FOLDER.resolve("config.json"), folder.resolve("config.json"));
    Files.copy(FOLDER.resolve("tokenizer.json"), folder.resolve("tokenizer.json"));
    ModelFolder found = models.folder(folder);
    assertFalse(found.hasWeights());
    float[] first = embedding(found, 3);
    assertArrayEquals(first, embedding(found, 3));
    assertFalse(Arrays.equals(first, embedding(found, 4)));
    double square = IntStream.range(0, first.length).mapToDouble(i -> first[i] * first[i]).sum();
    assertEquals(0.02, Math.sqrt(square / first.length), 0.0005); // initializer_range
  }

  private float[] embedding(ModelFolder folder, long seed) {
    return device.call(
        () -> {
          try (Parameters parameters = models.read(device, folder, seed)) {
            return parameters.tensors().get(0).toFloatArray();
          }
        });
  }

  @Test
  void foldersThatCannotBeUsedAreRefused(@TempDir Path folder) throws IOException {
    cases();
    assertRefused(folder.resolve("none"), ": no such model folder");
    Path config = folder.resolve("config.json");
    Files.writeString(config, "{");
    assertRefused(folder, "config.json: is not a JSON object: ");
    Files.writeString(config, "{\"model_type\": \"qwen3\"}");
    assertRefused(
        folder, "model_type 'qwen3' is not supported (registered: qwen2); did you mean 'qwen2'?");
    String text = Files.readString(FOLDER.resolve("config.json"));
    Files.writeString(config, text);
    assertRefused(folder, ": tokenizer.json is missing");
    Files.copy(FOLDER.resolve("tokenizer.json"), folder.resolve("tokenizer.json"));
    Files.writeString(folder.resolve("pytorch_model.bin"), "");
    assertRefused(folder, "pickle files are not read");
    Files.delete(folder.resolve("pytorch_model.bin"));
    Files.writeString(config, text.replace("\"vocab_size\": 512", "\"vocab_size\": 500"));
    assertRefused(folder, "the tokenizer has 512 tokens, but vocab_size of config.json is 500");
  }

  private void assertRefused(Path folder, String part) {
    String message = userError(() -> models.folder(folder));
    assertTrue(message.contains(part), message);
    assertEquals(1, message.lines().count());
  }
}
