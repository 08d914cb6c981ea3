package roll.bench;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionActivity;
import roll.api.memory.SessionMemory;
import roll.api.option.UserException;
import roll.api.strategy.Gradients;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.TrainStrategy;
import roll.runtime.option.YamlOptions;

/**
 * Compares training on ranks with training on one device with the same cores: seconds per step, and
 * memory per rank against theory. All layers are recomputed in the backward pass.
 */
final class ShardingBench {
  private static final double MIB = 1 << 20;
  private static final String ALONE = "local_train";

  private final PrintStream out;
  private final Map<String, TrainStrategy> strategies;

  ShardingBench(PrintStream out, Map<String, TrainStrategy> strategies) {
    this.out = out;
    this.strategies = strategies;
  }

  /** A training setup of the sharding bench. */
  private record Way(String label, String strategy, int ranks, Map<String, Object> options) {}

  private static List<Way> ways() {
    return List.of(
        new Way("one device", ALONE, 1, Map.of("parallel_micro_batches", 1)),
        new Way("one device x2", ALONE, 1, Map.of("parallel_micro_batches", 2)),
        zero(0, Map.of()),
        zero(1, Map.of()),
        zero(2, Map.of()),
        zero(3, Map.of()),
        zero(3, Map.of("offload_optimizer", Map.of("device", "cpu"))),
        zero(
            3,
            Map.of(
                "offload_optimizer",
                Map.of("device", "cpu"),
                "offload_param",
                Map.of("device", "cpu"))),
        megatron("tp 2", Map.of("tensor_model_parallel_size", 2)),
        megatron("tp 2 sp", Map.of("tensor_model_parallel_size", 2, "sequence_parallel", true)),
        megatron("pp 2", Map.of("pipeline_model_parallel_size", 2)));
  }

  private static Way zero(int stage, Map<String, Object> more) {
    Map<String, Object> zero = new LinkedHashMap<>(more);
    zero.put("stage", stage);
    String away = more.isEmpty() ? "" : more.size() == 1 ? " o" : " o+p";
    return new Way("zero " + stage + away, "zero3", 2, Map.of("zero_optimization", zero));
  }

  private static Way megatron(String label, Map<String, Object> options) {
    return new Way(label, "megatron_train", 2, options);
  }

  /** Measures {@code subject} in f32; {@code quick} measures one step instead of three. */
  void run(BenchModel subject, boolean quick) {
    out.println("\nTraining on 2 ranks with half of the cores each, f32, all layers recomputed;");
    out.println(
        "one device has all cores; x2: two parallel micro-batches. Held: maximum that a rank");
    out.println("held of its state and of gathered parameters; expected: by theory; without");
    out.println("activations. o, p: moments, parameters offloaded to files.");
    BenchTable table =
        new BenchTable(
            out, 8, subject.name(), "s/step", "/ one", "/ x2", "held MiB", "expected", "in files");
    double one = 0;
    double two = 0;
    for (Way way : ways()) {
      TrainStrategy strategy = strategies.get(way.strategy());
      if (strategy == null) {
        throw new UserException("bench spread: no strategy '" + way.strategy() + "' is registered");
      }
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      SessionConfig config = config(subject, way);
      double seconds;
      SessionMemory held;
      try (TrainSession session = strategy.open(config)) {
        seconds = best(session, subject, quick ? 1 : 3);
        held = session.peakMemory().getFirst();
      }
      SessionMemory theory =
          strategy.expected(config, subject.spec(), SessionActivity.TRAIN).getFirst();
      one = way.label().equals("one device") ? seconds : one;
      two = way.label().equals("one device x2") ? seconds : two;
      table.row(
          way.label(),
          seconds,
          seconds / one,
          two == 0 ? "" : BenchTable.number(seconds / two),
          state(held),
          state(theory),
          theory.bytes().getOrDefault(MemoryKind.OFFLOADED, 0L) / MIB);
    }
  }

  private static double state(SessionMemory memory) {
    return (memory.resident() - memory.bytes().getOrDefault(MemoryKind.ACTIVATIONS, 0L)) / MIB;
  }

  private static double best(TrainSession session, BenchModel subject, int repeats) {
    TokenBatch batch = TrainBench.batch(subject);
    double each = -1.0 / batch.tokens().length;
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i <= repeats; i++) {
      long start = System.nanoTime();
      Objects.requireNonNull(
          session
              .update(
                  batch,
                  (samples, scores) -> {
                    double[] by = new double[scores.logProbs().length];
                    Arrays.fill(by, each);
                    return new Gradients(by, new double[by.length]);
                  })
              .join());
      double seconds = (System.nanoTime() - start) * 1e-9;
      best = i == 0 ? best : Math.min(best, seconds);
    }
    return best;
  }

  private static SessionConfig config(BenchModel subject, Way way) {
    int parts = subject.parts();
    TrainingConfig training =
        new TrainingConfig(1e-4, 0, 0.9, 0.999, subject.samples(), parts, "constant", 0, 100);
    WorkerConfig worker =
        new WorkerConfig(
            "actor_train",
            ModelConfig.of(subject.folder(), Dtype.FP32),
            "native",
            way.strategy(),
            YamlOptions.strategy("actor_train", way.options()),
            training,
            way.ranks() == 1 ? List.of() : IntStream.range(0, way.ranks()).boxed().toList(),
            1);
    return new SessionConfig(worker, 1, 1, subject.length(), true, way.ranks());
  }
}
