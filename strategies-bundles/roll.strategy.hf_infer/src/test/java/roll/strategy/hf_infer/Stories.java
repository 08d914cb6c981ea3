package roll.strategy.hf_infer;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Assumptions;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;
import roll.api.strategy.SessionConfig;
import roll.huggingface.HuggingFaceTokenizers;
import roll.huggingface.ModelFolder;
import roll.model.qwen2.Qwen2Family;
import roll.testkit.TestOptions;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.Models;
import roll.torch.model.Parameters;

/** Sessions of the 260 thousand weights that tell stories, and what is expected of them. */
final class Stories implements AutoCloseable {
  /**
   * Tolerance of log-probs for products of other shapes; the maximum over 6,700 tokens was 1.7e-5.
   */
  static final double ROUNDING = 4e-5;

  static final Sampling GREEDY = Sampling.greedy(24);

  /** Neither too sure nor too wild. */
  static final Sampling WARM = Sampling.of(24).withTemperature(0.9).withTopP(0.95).withTopK(40);

  /** One thread, as tensors are too small for two. Shared, since it compiles kernels once. */
  static final Devices DEVICES = Devices.on(Device.cpu(1));

  final Device device = DEVICES.whole();
  final Models models;
  private final Path folder;

  Stories() {
    Path root = Path.of(System.getProperty("roll.root"));
    folder = root.resolve("../shared/data/tiny-models/stories260K-qwen2").normalize();
    Assumptions.assumeTrue(Files.exists(folder), "no model stories260K-qwen2 on this machine");
    models = new Models(DEVICES, new HuggingFaceTokenizers(DEVICES));
    models.add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
  }

  /** A session that runs {@code batchSize} sequences at once. */
  InferSession open(WorkerConfig.Dtype dtype, int batchSize, Map<String, Object> options) {
    WorkerConfig worker =
        new WorkerConfig(
            "actor_infer",
            ModelConfig.of(folder, dtype),
            "native",
            "hf_infer",
            TestOptions.strategy("actor_infer", options),
            TrainingConfig.NONE,
            List.of(),
            batchSize);
    return new HfInferStrategy(models, new HuggingFaceTokenizers(DEVICES))
        .open(new SessionConfig(worker, 1, 1.0, 512));
  }

  InferSession open(int batchSize) {
    return open(WorkerConfig.Dtype.FP32, batchSize, Map.of());
  }

  ModelFolder folder() {
    return models.folder(folder);
  }

  Tokenizer tokenizer() {
    return new HuggingFaceTokenizers(DEVICES).load(folder);
  }

  JsonObject expected() throws IOException {
    return JsonParser.parseString(Files.readString(folder.resolve("expected.json")))
        .getAsJsonObject();
  }

  static GenerationRequest request(int[] prompt, Sampling sampling, long seed) {
    return new GenerationRequest(prompt, sampling, List.of(), seed);
  }

  /** Logits of the token behind each of {@code tokens}, all run at once without a cache. */
  float[][] logits(int[] tokens) {
    ModelFolder opened = folder();
    return device.call(
        () -> {
          try (Parameters parameters = models.read(device, opened, 0);
              Decoder decoder =
                  new Decoder(device, opened.spec(), Precision.of(WorkerConfig.Dtype.FP32), 512);
              NDManager owner = device.newManager()) {
            long[] ids = Arrays.stream(tokens).asLongStream().toArray();
            long[] rows = LongStream.range(0, ids.length).toArray();
            NDArray input = owner.create(ids, new Shape(1, ids.length));
            NDArray hidden = decoder.hidden(owner, parameters, input, owner.create(rows));
            float[] all =
                decoder
                    .kernels()
                    .call(owner, "logits", hidden, parameters.tensors().get(0))
                    .singletonOrThrow()
                    .toFloatArray();
            int size = opened.spec().vocabulary();
            float[][] logits = new float[ids.length][];
            Arrays.setAll(logits, i -> Arrays.copyOfRange(all, i * size, (i + 1) * size));
            return logits;
          }
        });
  }

  /** The only response to {@code request}. */
  static Generation one(InferSession session, GenerationRequest request) {
    return session.generate(List.of(request)).join().get(0);
  }

  /** Prompts of 1 to {@code count} tokens of a story. */
  static List<int[]> prompts(int count) {
    int[] story = {1, 403, 407, 261, 378, 281, 397, 277, 278, 281, 432, 415, 286, 365, 299, 295};
    return java.util.stream.IntStream.rangeClosed(1, count)
        .mapToObj(n -> java.util.Arrays.copyOf(story, Math.min(n, story.length)))
        .toList();
  }

  /** Waits for what was begun; the shared device stays open. */
  @Override
  public void close() {
    device.call(() -> true);
  }
}
