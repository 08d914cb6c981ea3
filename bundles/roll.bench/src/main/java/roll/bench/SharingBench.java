package roll.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import roll.api.config.ModelConfig;
import roll.api.config.TokenBudgets;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.strategy.Gradients;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.TrainStrategy;
import roll.runtime.option.YamlOptions;

/** Compares training and scoring with {@code sequence_sharing} and without, in alternation. */
final class SharingBench {
  private static final int MICRO_BATCH = 8;

  private final PrintStream out;
  private final TrainStrategy strategy;
  private final BenchModel subject;
  private final boolean quick;

  SharingBench(PrintStream out, TrainStrategy strategy, BenchModel subject, boolean quick) {
    this.out = out;
    this.strategy = strategy;
    this.subject = subject;
    this.quick = quick;
  }

  /** Measures all workloads; {@code quick} with prompts of a quarter of the length. */
  void run() {
    out.printf(
        "%nTraining and scoring with common prefixes computed once, against without; %s,%n"
            + "micro-batches of %d samples. Seconds are the best of %d, in alternation.%n",
        subject.name(), MICRO_BATCH, repeats());
    BenchTable table =
        new BenchTable(
            out,
            34,
            8,
            "samples",
            "tokens",
            "train s",
            "shared s",
            "ratio",
            "score s",
            "shared s",
            "ratio");
    int prompt = quick ? 256 : 1024;
    int response = quick ? 32 : 128;
    for (Dtype dtype : quick ? List.of(Dtype.FP32) : List.of(Dtype.values())) {
      row(table, dtype, "group of 8, %d + %d".formatted(prompt, response), group(prompt, response));
      row(table, dtype, "10 turns, a sample each", turns(prompt / 8, response / 8));
      row(table, dtype, "nothing in common", alone(prompt + response));
    }
  }

  private int repeats() {
    return quick ? 1 : 2;
  }

  private void row(BenchTable table, Dtype dtype, String label, TokenBatch batch) {
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    int length = longest(batch);
    try (TrainSession plain = strategy.open(config(dtype, length, false));
        TrainSession shared = strategy.open(config(dtype, length, true))) {
      double[] train = best(plain, shared, session -> update(session, batch));
      double[] score = best(plain, shared, session -> session.score(batch).join());
      table.row(
          label + (dtype == Dtype.BF16 ? ", bf16" : ", f32"),
          batch.tokens().length,
          train[0],
          train[1],
          train[0] / train[1],
          score[0],
          score[1],
          score[0] / score[1]);
    }
  }

  private double[] best(TrainSession plain, TrainSession shared, Consumer<TrainSession> work) {
    double[] best = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
    for (int i = 0; i < repeats(); i++) {
      best[0] = Math.min(best[0], seconds(plain, work));
      best[1] = Math.min(best[1], seconds(shared, work));
    }
    return best;
  }

  private static double seconds(TrainSession session, Consumer<TrainSession> work) {
    long start = System.nanoTime();
    work.accept(session);
    return (System.nanoTime() - start) * 1e-9;
  }

  private static void update(TrainSession session, TokenBatch batch) {
    double each = -1.0 / batch.tokens().length;
    var unused =
        session
            .update(
                batch,
                (samples, scores) -> {
                  double[] by = new double[scores.logProbs().length];
                  Arrays.fill(by, each);
                  return new Gradients(by, new double[by.length]);
                })
            .join();
  }

  private SessionConfig config(Dtype dtype, int length, boolean sharing) {
    TrainingConfig training =
        new TrainingConfig(1e-4, 0, 0.9, 0.999, MICRO_BATCH, 1, "constant", 0, 100);
    WorkerConfig worker =
        new WorkerConfig(
            "actor_train",
            ModelConfig.of(subject.folder(), dtype),
            "native",
            "local_train",
            YamlOptions.strategy("actor_train", Map.of()),
            training,
            List.of(),
            MICRO_BATCH);
    TokenBudgets budgets = new TokenBudgets(0, 0, null, sharing);
    return new SessionConfig(worker.withBudgets(budgets), 1, 1, length, true, 1);
  }

  /** Returns 8 responses to one prompt. */
  private TokenBatch group(int prompt, int response) {
    Samples samples = new Samples();
    int[] question = samples.tokens(prompt);
    for (int i = 0; i < 8; i++) {
      samples.add(question, response);
    }
    return samples.batch();
  }

  /** Returns an episode whose turns are samples that repeat their history. */
  private TokenBatch turns(int observation, int response) {
    Samples samples = new Samples();
    int[] history = samples.tokens(observation);
    for (int i = 0; i < 10; i++) {
      history = join(samples.add(history, response), samples.tokens(observation));
    }
    return samples.batch();
  }

  private TokenBatch alone(int length) {
    Samples samples = new Samples();
    for (int i = 0; i < 4; i++) {
      samples.add(samples.tokens(1), length - 1);
    }
    return samples.batch();
  }

  private static int longest(TokenBatch batch) {
    int longest = 0;
    for (int i = 0; i < batch.samples(); i++) {
      longest = Math.max(longest, batch.offsets()[i + 1] - batch.offsets()[i]);
    }
    return longest;
  }

  private static int[] join(int[] first, int[] second) {
    int[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }

  /** Samples of random tokens. */
  private final class Samples {
    private final RandomGenerator random = RandomStreams.of(1, "sharing");
    private final List<int[]> samples = new ArrayList<>();
    private final List<Integer> prompts = new ArrayList<>();

    int[] tokens(int count) {
      return random.ints(count, 0, subject.spec().vocabulary()).toArray();
    }

    /** Adds a sample with a random response, of which the tokens are scored, and returns it. */
    int[] add(int[] prompt, int response) {
      int[] sample = join(prompt, tokens(response));
      samples.add(sample);
      prompts.add(prompt.length);
      return sample;
    }

    TokenBatch batch() {
      int[] offsets = new int[samples.size() + 1];
      for (int i = 0; i < samples.size(); i++) {
        offsets[i + 1] = offsets[i] + samples.get(i).length;
      }
      boolean[] scored = new boolean[offsets[samples.size()]];
      for (int i = 0; i < samples.size(); i++) {
        Arrays.fill(scored, offsets[i] + prompts.get(i), offsets[i + 1], true);
      }
      return new TokenBatch(
          offsets, samples.stream().flatMapToInt(Arrays::stream).toArray(), scored);
    }
  }
}
