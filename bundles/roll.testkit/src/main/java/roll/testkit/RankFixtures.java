package roll.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.config.ModelConfig;
import roll.api.config.TokenBudgets;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.memory.SessionActivity;
import roll.api.model.DecoderSpec;
import roll.api.rank.CollectiveVolume;
import roll.api.strategy.Gradients;
import roll.api.strategy.LossFunction;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainStrategy;
import roll.runtime.option.YamlOptions;

/**
 * Workers on several devices with their sessions, batches and losses, for tests of strategies.
 *
 * @param strategy name of the training strategy
 * @param model folder of a small model
 * @param vocabulary size of its vocabulary
 * @param positions its maximum sequence length
 */
public record RankFixtures(String strategy, Path model, int vocabulary, int positions) {
  private static final int SAMPLES = 7;

  /** Maximum sequence length of a session. */
  public static final int LENGTH = 32;

  /** Seed of a session. */
  public static final int SEED = 5;

  /** Returns the fixtures of {@code strategy} for the shipped random model of FrozenLake. */
  public static RankFixtures frozenLake(String strategy) {
    Path model = Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");
    return new RankFixtures(strategy, model, 144, 512);
  }

  /** Returns options from alternating keys and values. */
  public static Map<String, Object> options(@Nullable Object... given) {
    Map<String, Object> options = new LinkedHashMap<>();
    for (int i = 0; i < given.length; i += 2) {
      options.put((String) given[i], given[i + 1]);
    }
    return options;
  }

  /** Returns a training worker on {@code devices} devices; 0 means the CPU. */
  public WorkerConfig worker(int devices, Map<String, Object> options) {
    return worker("actor_train", ModelConfig.of(model, Dtype.FP32), devices, options);
  }

  /** Returns a worker of another role or model on {@code devices} devices. */
  public WorkerConfig worker(
      String role, ModelConfig model, int devices, Map<String, Object> options) {
    TrainingConfig training = new TrainingConfig(0.01, 0.01, 0.9, 0.999, 2, 1, "constant", 0, 20);
    List<Integer> numbers = IntStream.range(0, devices).boxed().toList();
    return new WorkerConfig(
        role,
        model,
        "qwen2_5",
        strategy,
        YamlOptions.strategy(role, options),
        training,
        numbers,
        8);
  }

  /** Returns {@code worker} with {@code sequence_sharing}. */
  public static WorkerConfig sharing(WorkerConfig worker) {
    return worker.withBudgets(new TokenBudgets(0, 0, null, true));
  }

  /** Returns the session configuration of {@code worker}. */
  public static SessionConfig config(WorkerConfig worker) {
    return new SessionConfig(worker, SEED, 1.0, LENGTH, false, worker.devices().size());
  }

  /** Returns seven samples of 4 to 20 tokens; the first three tokens of each are not scored. */
  public TokenBatch batch(long seed) {
    RandomGenerator random = RandomStreams.of(seed, "batch");
    int[] offsets = new int[SAMPLES + 1];
    for (int i = 0; i < SAMPLES; i++) {
      offsets[i + 1] = offsets[i] + 4 + random.nextInt(17);
    }
    boolean[] scored = new boolean[offsets[SAMPLES]];
    for (int i = 0; i < SAMPLES; i++) {
      for (int t = offsets[i] + 3; t < offsets[i + 1]; t++) {
        scored[t] = true;
      }
    }
    return new TokenBatch(offsets, random.ints(offsets[SAMPLES], 0, vocabulary).toArray(), scored);
  }

  /**
   * Returns two groups of four samples with a common prompt of 18 tokens, a turn that continues one
   * of them, and a sample that appears twice; the tokens after the prompts are scored.
   */
  public TokenBatch groups(long seed) {
    RandomGenerator random = RandomStreams.of(seed, "groups");
    List<int[]> samples = new ArrayList<>();
    for (int group = 0; group < 2; group++) {
      int[] prompt = random.ints(18, 0, vocabulary).toArray();
      for (int i = 0; i < 4; i++) {
        samples.add(join(prompt, random.ints(1 + random.nextInt(8), 0, vocabulary).toArray()));
      }
    }
    samples.add(join(samples.getLast(), random.ints(5, 0, vocabulary).toArray()));
    samples.add(samples.getFirst());
    int[] offsets = new int[samples.size() + 1];
    for (int i = 0; i < samples.size(); i++) {
      offsets[i + 1] = offsets[i] + samples.get(i).length;
    }
    boolean[] scored = new boolean[offsets[samples.size()]];
    for (int i = 0; i < samples.size(); i++) {
      Arrays.fill(scored, offsets[i] + 18, offsets[i + 1], true);
    }
    return new TokenBatch(offsets, samples.stream().flatMapToInt(Arrays::stream).toArray(), scored);
  }

  private static int[] join(int[] first, int[] second) {
    return IntStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray();
  }

  /**
   * Returns {@code samples} samples of {@link #LENGTH} tokens; the first token of each is not
   * scored.
   */
  public TokenBatch full(int samples) {
    int[] offsets = new int[samples + 1];
    Arrays.setAll(offsets, i -> i * LENGTH);
    boolean[] scored = new boolean[offsets[samples]];
    for (int t = 0; t < scored.length; t++) {
      scored[t] = t % LENGTH > 0;
    }
    int[] tokens = RandomStreams.of(1, "batch").ints(scored.length, 0, vocabulary).toArray();
    return new TokenBatch(offsets, tokens, scored);
  }

  /** Returns the loss −weight · sum of the log-probs of scored tokens. */
  public static LossFunction likelihood(TokenBatch batch, double weight) {
    return (samples, scores) -> {
      double[] by = new double[scores.logProbs().length];
      int cell = 0;
      for (int sample : samples) {
        for (int t = batch.offsets()[sample]; t < batch.offsets()[sample + 1]; t++) {
          by[cell++] = batch.scored()[t] ? -weight : 0;
        }
      }
      return new Gradients(by, new double[by.length]);
    };
  }

  /** Returns a loss with zero gradients. */
  public static LossFunction flat() {
    return (samples, scores) -> {
      int size = scores.logProbs().length;
      return new Gradients(new double[size], new double[size]);
    };
  }

  /** Returns the bytes that a rank of {@code strategy} plans to send. */
  public static double planned(
      TrainStrategy strategy,
      SessionConfig config,
      DecoderSpec model,
      SessionActivity activity,
      int samples) {
    return strategy.traffic(config, model, activity, samples).stream()
        .mapToDouble(CollectiveVolume::sent)
        .sum();
  }
}
