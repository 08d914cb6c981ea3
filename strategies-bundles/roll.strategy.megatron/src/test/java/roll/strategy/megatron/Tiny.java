package roll.strategy.megatron;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.model.qwen2.Qwen2Family;
import roll.torch.Decoder;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.HuggingFaceTokenizers;
import roll.torch.Models;
import roll.torch.Parameters;
import roll.torch.Precision;
import roll.torch.Scorer;
import roll.torch.collective.ThreadCollectives;

/** The random model that plays FrozenLake: 3 layers, 6 heads, 144 words. */
final class Tiny implements AutoCloseable {
  static final int VOCABULARY = 144;

  static final Path SHIPPED =
      Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");

  private static final int LENGTH = 32;
  private static final int SEED = 5;

  /** One thread: the tensors are too small for two. */
  private final Device device = Device.cpu(1);

  private final Devices devices = Devices.on(device);
  private final Models models = new Models(devices, new HuggingFaceTokenizers(devices));

  Tiny() {
    models.add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
  }

  /** Keys and values, one after the other. */
  static Map<String, Object> options(@Nullable Object... given) {
    Map<String, Object> options = new LinkedHashMap<>();
    for (int i = 0; i < given.length; i += 2) {
      options.put((String) given[i], given[i + 1]);
    }
    return options;
  }

  /** A trainer on {@code devices} devices, none of which means the CPU. */
  static WorkerConfig worker(int devices, Map<String, Object> options) {
    return worker("actor_train", ModelConfig.of(SHIPPED, Dtype.FP32), devices, options);
  }

  static WorkerConfig worker(
      String role, ModelConfig model, int devices, Map<String, Object> options) {
    TrainingConfig training = new TrainingConfig(0.01, 0.01, 0.9, 0.999, 2, 1, "constant", 0, 20);
    List<Integer> numbers = IntStream.range(0, devices).boxed().toList();
    return new WorkerConfig(
        role, model, "qwen2_5", "megatron_train", options, training, numbers, 8);
  }

  static SessionConfig config(WorkerConfig worker) {
    return new SessionConfig(worker, SEED, 1.0, LENGTH, false, worker.devices().size());
  }

  MegatronTrainStrategy strategy() {
    return new MegatronTrainStrategy(models, new ThreadCollectives());
  }

  MegatronInferStrategy frozen() {
    return new MegatronInferStrategy(models, new ThreadCollectives());
  }

  /** What one device says of {@code batch} before anything is learned. */
  double[] logProbs(TokenBatch batch) {
    return device.call(
        () -> {
          var folder = models.folder(SHIPPED);
          Decoder decoder = new Decoder(device, folder.spec(), Precision.of(Dtype.FP32), LENGTH);
          try (decoder;
              Parameters parameters = models.read(device, folder, SEED)) {
            return new Scorer(device, decoder, 1000).score(parameters, batch).logProbs();
          }
        });
  }

  /** Seven samples of 4 to 20 tokens; all but the first three of each are scored. */
  static TokenBatch batch(long seed) {
    RandomGenerator random = RandomStreams.of(seed, "batch");
    int[] offsets = new int[8];
    for (int i = 0; i < 7; i++) {
      offsets[i + 1] = offsets[i] + 4 + random.nextInt(17);
    }
    boolean[] scored = new boolean[offsets[7]];
    for (int i = 0; i < 7; i++) {
      for (int t = offsets[i] + 3; t < offsets[i + 1]; t++) {
        scored[t] = true;
      }
    }
    return new TokenBatch(offsets, random.ints(offsets[7], 0, VOCABULARY).toArray(), scored);
  }

  @Override
  public void close() {
    devices.close();
  }
}
