package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.config.ModelConfig;
import roll.api.config.TokenBudgets;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.data.RandomStreams;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.api.model.family.ModelFamily;
import roll.api.strategy.Gradients;
import roll.api.strategy.LossFunction;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.UpdateReport;
import roll.api.strategy.ValueSession;
import roll.huggingface.HuggingFaceTokenizers;
import roll.image.FolderImageProcessors;
import roll.model.gemma.GemmaFamily;
import roll.model.llama.LlamaFamily;
import roll.model.qwen2.Qwen2Family;
import roll.model.qwen2_5_vl.Qwen25VlFamily;
import roll.model.qwen3.Qwen3Family;
import roll.model.qwen3_moe.Qwen3MoeFamily;
import roll.model.qwen3_vl.Qwen3VlFamily;
import roll.model.seed_oss.SeedOssFamily;
import roll.testkit.TestOptions;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.model.InferenceWeights;
import roll.torch.model.Models;

/** A folder with a tiny decoder and random weights, and batches for it. */
final class TinyModel implements AutoCloseable {
  static final int VOCABULARY = 160;

  private static final String CONFIG =
      """
      {
        "model_type": "tiny",
        "rms_norm_eps": 1e-05,
        "unknown <field>": [1, null, 2.50],
        "torch_dtype": "float16"
      }
      """;

  /** One thread, as tensors are too small for two. Shared, since it compiles kernels once. */
  private static final Devices DEVICES = Devices.on(Device.cpu(1));

  private final Device device = DEVICES.whole();
  private final Models models = new Models(DEVICES, new HuggingFaceTokenizers(DEVICES));
  final Path folder;

  TinyModel(Path folder) throws IOException {
    this(folder, CONFIG);
  }

  /** With another config.json, of this family or a real one. */
  TinyModel(Path folder, String text) throws IOException {
    this.folder = Files.createDirectories(folder);
    Files.writeString(folder.resolve("config.json"), text);
    Path shipped = Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");
    for (String file : List.of("tokenizer.json", "tokenizer_config.json")) {
      Files.copy(shipped.resolve(file), folder.resolve(file));
    }
    ModelFamily family = (where, config) -> spec(config);
    models.add(family, Map.of("roll.model", new String[] {"tiny"}));
    models.add(new GemmaFamily(), Map.of("roll.model", new String[] {"gemma"}));
    models.add(new LlamaFamily(), Map.of("roll.model", new String[] {"llama"}));
    models.add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
    models.add(new Qwen3Family(), Map.of("roll.model", new String[] {"qwen3"}));
    models.add(new Qwen3MoeFamily(), Map.of("roll.model", new String[] {"qwen3_moe"}));
    models.add(
        new Qwen3VlFamily(), Map.of("roll.model", new String[] {"qwen3_vl", "qwen3_vl_moe"}));
    models.add(new SeedOssFamily(), Map.of("roll.model", new String[] {"seed_oss"}));
    models.add(new Qwen25VlFamily(), Map.of("roll.model", new String[] {"qwen2_5_vl"}));
    models.setImageProcessors(new FolderImageProcessors());
  }

  /** The model as its family reads it. */
  DecoderSpec spec() {
    return models.folder(folder).spec();
  }

  private static DecoderSpec spec(Map<String, @Nullable Object> config) {
    Set<Trait> traits = EnumSet.of(Trait.QUERY_KEY_VALUE_BIAS);
    if (!Boolean.FALSE.equals(config.get("tie_word_embeddings"))) {
      traits.add(Trait.TIED_HEAD);
    }
    return new DecoderSpec(
        "tiny",
        VOCABULARY,
        32,
        48,
        2,
        new Attention(4, 2, 8),
        Rope.standard(1e4, 8),
        64,
        1e-5,
        traits,
        0.05);
  }

  LocalTrainStrategy strategy() {
    return new LocalTrainStrategy(models);
  }

  /** The frozen model of {@code config}, beside those in training; close it by {@link #compute}. */
  InferenceWeights serve(SessionConfig config) {
    return compute(() -> new InferenceWeights(models, device, models.folder(folder), config));
  }

  /** Runs {@code work} on the compute thread of the device. */
  <T> T compute(Callable<T> work) {
    return device.call(work);
  }

  TrainSession open(WorkerConfig.Dtype dtype, int microBatch) {
    return open(dtype, microBatch, 1);
  }

  TrainSession open(WorkerConfig.Dtype dtype, int microBatch, int lanes) {
    Map<String, Object> options = Map.of("parallel_micro_batches", lanes);
    return strategy().open(config(dtype, microBatch, options, 32));
  }

  ValueSession openValues(WorkerConfig.Dtype dtype, int microBatch, int lanes) {
    Map<String, Object> options = Map.of("parallel_micro_batches", lanes);
    return strategy().openValues(config(dtype, microBatch, options, 32));
  }

  SessionConfig config(
      WorkerConfig.Dtype dtype, int microBatch, Map<String, Object> options, int length) {
    return config(ModelConfig.of(folder, dtype), microBatch, options, length);
  }

  SessionConfig config(ModelConfig model, int microBatch, Map<String, Object> options, int length) {
    TrainingConfig training =
        new TrainingConfig(0.01, 0.01, 0.9, 0.999, microBatch, 4, "cosine", 0, 20);
    WorkerConfig worker =
        new WorkerConfig(
            "actor_train",
            model,
            "qwen2",
            "local_train",
            TestOptions.strategy("actor_train", options),
            training,
            List.of(),
            8);
    return new SessionConfig(worker, 5, 1.0, length);
  }

  /** On the devices {@code numbers} of {@code count}. */
  SessionConfig onDevices(List<Integer> numbers, int count) {
    WorkerConfig worker =
        config(WorkerConfig.Dtype.FP32, 1, Map.of(), 32).worker().withDevices(numbers);
    return new SessionConfig(worker, 5, 1.0, 32, false, count);
  }

  /** Micro-batches of at most {@code train} tokens, and of {@code infer} where only scored. */
  TrainSession openByTokens(int train, int infer) {
    WorkerConfig budgeted =
        config(WorkerConfig.Dtype.FP32, 1, Map.of(), 32)
            .worker()
            .withBudgets(new TokenBudgets(train, infer));
    return strategy().open(new SessionConfig(budgeted, 5, 1.0, 32));
  }

  /** Scores after each of six steps; with a checkpoint, the second half in a new session. */
  List<double[]> scores(SessionConfig config, @Nullable Path checkpoint) {
    List<double[]> scores = new ArrayList<>();
    TrainSession session = strategy().open(config);
    try {
      for (int i = 0; i < 6; i++) {
        if (checkpoint != null && i == 3) {
          session.save(checkpoint).join();
          session.close();
          session = strategy().open(config);
          session.restore(checkpoint).join();
          assertEquals(3, session.weights().version());
        }
        assertFalse(step(session, batch(i)).skipped());
        scores.add(session.score(batch(0)).join().logProbs());
      }
      return scores;
    } finally {
      session.close();
    }
  }

  /** Seven samples of 3 to 20 tokens; all but the first three tokens of each are scored. */
  static TokenBatch batch(long seed) {
    RandomGenerator random = RandomStreams.of(seed, "batch");
    int[] offsets = new int[8];
    for (int i = 0; i < 7; i++) {
      offsets[i + 1] = offsets[i] + 3 + random.nextInt(18);
    }
    int[] tokens = random.ints(offsets[7], 0, VOCABULARY).toArray();
    boolean[] scored = new boolean[offsets[7]];
    for (int i = 0; i < 7; i++) {
      for (int t = offsets[i] + 3; t < offsets[i + 1]; t++) {
        scored[t] = true;
      }
    }
    return new TokenBatch(offsets, tokens, scored);
  }

  /** Minus the mean log-prob of the scored tokens, less a little of the mean entropy. */
  static LossFunction likelihood(TokenBatch batch) {
    long count = IntStream.range(0, batch.tokens().length).filter(t -> batch.scored()[t]).count();
    return (samples, scores) -> {
      double[] byLogProb = new double[scores.logProbs().length];
      double[] byEntropy = new double[byLogProb.length];
      int cell = 0;
      for (int sample : samples) {
        for (int t = batch.offsets()[sample]; t < batch.offsets()[sample + 1]; t++) {
          byLogProb[cell] = batch.scored()[t] ? -1.0 / count : 0;
          byEntropy[cell++] = batch.scored()[t] ? -0.01 / count : 0;
        }
      }
      return new Gradients(byLogProb, byEntropy);
    };
  }

  /** One optimizer step with {@link #likelihood}, and what it reports but for the time it took. */
  static UpdateReport step(TrainSession session, TokenBatch batch) {
    UpdateReport report = session.update(batch, likelihood(batch)).join();
    return new UpdateReport(report.gradNorm(), report.learningRate(), report.skipped(), 0);
  }

  /** Waits for what was begun; the shared device stays open. */
  @Override
  public void close() {
    device.call(() -> true);
  }
}
