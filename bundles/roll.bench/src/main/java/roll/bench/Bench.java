package roll.bench;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.estimator.AdvantageEstimator;
import roll.api.loss.PolicyLoss;
import roll.torch.Device;
import roll.torch.LinearBackends;
import roll.torch.model.Decoder;

/** The measurements of GEMM, training and algorithms. Times are the best of several. */
final class Bench {
  private final PrintStream out;
  private final Device device;
  private final List<BenchModel> subjects;
  private final boolean quick;

  Bench(PrintStream out, Device device, List<BenchModel> subjects, boolean quick) {
    this.out = out;
    this.device = device;
    this.subjects = subjects;
    this.quick = quick;
  }

  /** Returns whether to stop; checked between measurements. */
  private static boolean stopped() {
    return Thread.currentThread().isInterrupted();
  }

  /** Prints a description of this machine. */
  static void machine(PrintStream out) {
    var system = ManagementFactory.getOperatingSystemMXBean();
    out.printf(
        "%s, %d processors, load %.1f; Java %s%n",
        system.getArch(),
        system.getAvailableProcessors(),
        system.getSystemLoadAverage(),
        Runtime.version());
  }

  /** Prints the models of {@link #gemm} and {@link #train}. */
  void models() {
    subjects.forEach(subject -> out.println("  " + subject));
  }

  /** Measures matrix products: 2048 × n × n, and the linear layers of each model. */
  void gemm() {
    out.println("\nGEMM, GFLOP/s (2·m·n·k operations; models: all linear layers and the head,");
    out.println("forward and backward)");
    BenchTable table = new BenchTable(out, 12, "shapes", "f32", "bf16", "bf16/f32");
    for (int n = 256; n <= (quick ? 512 : 2048) && !stopped(); n *= 2) {
      int width = n;
      row(table, "2048 x " + n + " x " + n, dtype -> square(width, dtype));
    }
    for (BenchModel subject : subjects) {
      String name = subject.name() + ", " + subject.tokens() + " tokens";
      row(table, name, dtype -> model(subject, dtype));
    }
    if (!stopped()) {
      linear();
    }
  }

  /** Prints the rates of both backends for the models' linear layers. */
  private void linear() {
    out.println("\nf32 linear layers, forward and backward, GFLOP/s, as stored for this machine");
    BenchTable table = new BenchTable(out, 12, "weight", "libtorch", "oneDNN", "oneDNN/libtorch");
    Set<LinearBackends.Shape> shapes = new LinkedHashSet<>();
    subjects.forEach(subject -> shapes.addAll(Decoder.linear(subject.spec())));
    device
        .call(() -> device.linear().rates(shapes))
        .forEach(
            (shape, rates) ->
                table.row(
                    shape.toString(),
                    rates.libtorch() * 1e-9,
                    rates.onednn() * 1e-9,
                    rates.onednn() / rates.libtorch()));
  }

  private void row(BenchTable table, String name, ToDoubleFunction<Dtype> rate) {
    if (stopped()) {
      return;
    }
    double single = device.call(() -> rate.applyAsDouble(Dtype.FP32));
    double half = device.call(() -> rate.applyAsDouble(Dtype.BF16));
    table.row(name, single, half, half / single);
  }

  private double square(int width, Dtype dtype) {
    try (Gemm gemm = new Gemm(device, quick ? 3 : 10)) {
      return gemm.forward(2048, width, width, dtype) * 1e-9;
    }
  }

  private double model(BenchModel subject, Dtype dtype) {
    try (Gemm gemm = new Gemm(device, quick ? 2 : 4)) {
      return gemm.model(subject, dtype) * 1e-9;
    }
  }

  /** Measures training steps and their share of the GEMM rate. */
  void train() {
    out.println("\nTraining, whole steps. Operations: 6·W·tokens (W: weights of linear layers and");
    out.println(
        "head) + 6·layers·T²·width per sample (attention, causal half). GEMM: the rate of the");
    out.println("model's shapes, the better of one before and one after the steps. xN: N");
    out.println(
        "parallel micro-batches; ckpt: activation checkpointing by layer, whose second forward");
    out.println("pass counts as time, not as operations; LoRA: adapters of rank 16 everywhere,");
    out.println("operations 4·W·tokens and those of the adapters.");
    BenchTable table =
        new BenchTable(
            out,
            8,
            "model, dtype",
            "tokens",
            "tokens/s",
            "GFLOP/s",
            "of GEMM",
            "forward",
            "head",
            "backward",
            "AdamW",
            "outside",
            "peak MiB");
    for (BenchModel subject : subjects) {
      for (Dtype dtype : Dtype.values()) {
        for (int lanes : IntStream.of(1, subject.lanes()).distinct().toArray()) {
          row(table, subject, dtype, false, lanes);
        }
        row(table, subject, dtype, true, 1);
        row(table, subject.withAdapters(), dtype, false, 1);
        row(table, subject.withAdapters(), dtype, true, 1);
      }
    }
  }

  private void row(
      BenchTable table, BenchModel subject, Dtype dtype, boolean checkpointing, int lanes) {
    if (!stopped()) {
      table.row(device.call(() -> trained(subject, dtype, checkpointing, lanes)));
    }
  }

  private Object[] trained(BenchModel subject, Dtype dtype, boolean checkpointing, int lanes) {
    double before = model(subject, dtype);
    PeakMemory.reset();
    TrainBench.Step step;
    try (TrainBench training = new TrainBench(device, subject, dtype, checkpointing, lanes)) {
      step = training.best(quick ? 2 : 5);
    }
    String peak = PeakMemory.text();
    double ceiling = Math.max(before, model(subject, dtype));
    double rate = subject.trainingFlops() / step.seconds() * 1e-9;
    List<Object> row = new ArrayList<>();
    int tokens = subject.tokens() * subject.parts();
    String label = subject.label(dtype) + (checkpointing ? " ckpt" : lanes > 1 ? " x" + lanes : "");
    row.addAll(List.of(label, tokens, tokens / step.seconds(), rate));
    row.add(BenchTable.percent(rate / ceiling));
    for (double part :
        new double[] {step.forward(), step.head(), step.backward(), step.optimizer()}) {
      row.add(BenchTable.percent(part / step.seconds()));
    }
    row.add(BenchTable.percent(step.outside()));
    row.add(peak);
    return row.toArray();
  }

  /**
   * Measures the computations between rollout and training on one thread, for every estimator and
   * loss.
   *
   * @param estimators by name
   * @param losses by name
   */
  void algorithms(Map<String, AdvantageEstimator> estimators, Map<String, PolicyLoss> losses) {
    int samples = quick ? 64 : 1024;
    int tokens = quick ? 512 : 4096;
    int repetitions = quick ? 2 : 5;
    out.printf(
        "%nRewards, KL, advantages, whitening and policy loss with KL loss and gradient, ms%n"
            + "(%,d × %,d tokens, one thread)%n",
        samples, tokens);
    List<String> titles = new ArrayList<>(List.of("estimator", "no loss"));
    titles.addAll(losses.keySet());
    BenchTable table = new BenchTable(out, 28, 4, titles.toArray(String[]::new));
    AlgorithmBench algorithms = new AlgorithmBench(samples, tokens);
    double[] slowest = {0};
    estimators.forEach(
        (name, estimator) -> {
          if (!stopped()) {
            List<Object> row = new ArrayList<>();
            row.add(name);
            row.add(algorithms.measure(estimator, null, repetitions) * 1e3);
            for (PolicyLoss loss : losses.values()) {
              double time = algorithms.measure(estimator, loss, repetitions) * 1e3;
              slowest[0] = Math.max(slowest[0], time);
              row.add(time);
            }
            table.row(row.toArray());
          }
        });
    out.println("slowest: " + BenchTable.number(slowest[0]));
  }
}
