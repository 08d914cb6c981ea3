package roll.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.strategy.LossFunction;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.model.Parameters;
import roll.torch.training.AdamW;
import roll.torch.training.GradientAccumulator;
import roll.torch.training.HeadOutputLoss;
import roll.torch.training.Optimizer;

/**
 * Trains a model in whole steps: forward, head, loss, backward, clipping, AdamW, as the strategy
 * {@code local_train} does. Only on the compute thread.
 */
final class TrainBench implements AutoCloseable {
  private static final Set<String> HEAD = Set.of("head_forward", "head_backward");

  private final Parameters parameters;
  private final GradientAccumulator accumulation;
  private final Optimizer optimizer;
  private final TokenBatch batch;
  private final BenchModel subject;

  TrainBench(Device device, BenchModel subject, Dtype dtype, boolean checkpointing, int lanes) {
    this.subject = subject;
    this.parameters = Parameters.random(device, subject.spec(), 1);
    if (dtype == Dtype.BF16) {
      parameters.narrow(device);
    }
    parameters.join();
    this.accumulation =
        new GradientAccumulator(
            device, parameters, Precision.of(dtype), subject.length(), checkpointing, lanes);
    this.optimizer =
        new Optimizer(device, parameters.trained(), new AdamW.Settings(0.9, 0.999, 1e-8, 0, 1));
    this.batch = batch(subject);
  }

  /** Returns random tokens, all but the first of each sample scored. */
  static TokenBatch batch(BenchModel subject) {
    int samples = subject.samples() * subject.parts();
    int length = subject.length();
    int[] offsets = IntStream.rangeClosed(0, samples).map(i -> i * length).toArray();
    int[] tokens =
        RandomStreams.of(1, "bench")
            .ints((long) samples * length, 0, subject.spec().vocabulary())
            .toArray();
    boolean[] scored = new boolean[tokens.length];
    for (int t = 0; t < tokens.length; t++) {
      scored[t] = t % length != 0;
    }
    return new TokenBatch(offsets, tokens, scored);
  }

  /** Returns the fastest of {@code repeats} steps after a warm-up step. */
  Step best(int repeats) {
    step();
    Step best = step();
    for (int i = 1; i < repeats; i++) {
      Step next = step();
      best = next.seconds() < best.seconds() ? next : best;
    }
    return best;
  }

  private Step step() {
    Map<String, Double> before = accumulation.seconds();
    long start = System.nanoTime();
    Cutting cutting = new Cutting.Samples(subject.samples());
    accumulation.run(batch, cutting, HeadOutputLoss.ofScores(likelihood()), 1);
    long applied = System.nanoTime();
    optimizer.step(accumulation.gradients().tensors(), 1e-4);
    long end = System.nanoTime();
    Map<String, Double> spent = new LinkedHashMap<>(accumulation.seconds());
    spent.replaceAll((kernel, time) -> time - before.getOrDefault(kernel, 0.0));
    double head = HEAD.stream().mapToDouble(kernel -> spent.getOrDefault(kernel, 0.0)).sum();
    return new Step(
        (end - start) * 1e-9,
        spent.getOrDefault("forward_pieces", 0.0),
        head,
        spent.getOrDefault("backward_pieces", 0.0),
        (end - applied) * 1e-9);
  }

  private LossFunction likelihood() {
    double each = -1.0 / batch.tokens().length;
    return (samples, scores) -> {
      double[] byLogProb = new double[scores.logProbs().length];
      Arrays.fill(byLogProb, each);
      return new roll.api.strategy.Gradients(byLogProb, new double[byLogProb.length]);
    };
  }

  @Override
  public void close() {
    optimizer.close();
    accumulation.close();
    parameters.close();
  }

  /**
   * The seconds of one step; those of kernels are means over parallel micro-batches.
   *
   * @param seconds total
   * @param forward layers, forward
   * @param head forward and backward
   * @param backward layers, backward
   * @param optimizer norm, clipping and AdamW
   */
  record Step(double seconds, double forward, double head, double backward, double optimizer) {
    /**
     * Returns the share of the step in which no kernel ran: batching, copies to and from Java,
     * loss, synchronization.
     */
    double outside() {
      return 1 - (forward + head + backward + optimizer) / seconds;
    }
  }
}
