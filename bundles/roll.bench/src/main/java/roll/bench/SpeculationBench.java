package roll.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;

/**
 * Compares decoding with {@code speculative_config} and without, in alternation. Greedy responses
 * of random models repeat themselves; the higher the temperature, the less do sampled ones.
 */
final class SpeculationBench {
  private static final int PROMPT = 48;

  private static final Map<String, Object> CONFIG =
      Map.of(
          "speculative_config",
          Map.of(
              "method",
              "ngram",
              "num_speculative_tokens",
              8,
              "prompt_lookup_max",
              4,
              "prompt_lookup_min",
              1));

  private final PrintStream out;
  private final BenchStrategy strategy;
  private final boolean quick;

  /** Measures the strategy {@code vllm}. */
  SpeculationBench(PrintStream out, BenchStrategy strategy, boolean quick) {
    this.out = out;
    this.strategy = strategy;
    this.quick = quick;
  }

  /** Prints a row for each temperature and batch size. */
  void run(BenchModel subject) {
    int tokens = quick ? 32 : 96;
    int rounds = quick ? 1 : 2;
    out.printf(
        "%nDecoding with method ngram, 8 tokens from 1 to 4, against without, %s; responses%n"
            + "of %d tokens, tokens/s, the best of %d in alternation.%n",
        subject.name(), tokens, rounds);
    BenchTable table =
        new BenchTable(
            out,
            16,
            8,
            "temperature",
            "batch",
            "plain",
            "ngram",
            "ratio",
            "accepted",
            "tokens/step");
    int length = PROMPT + tokens + 1;
    for (int batch : quick ? new int[] {1, 4} : new int[] {1, 4, 8, 32}) {
      try (InferSession plain = strategy.open(subject, Dtype.FP32, batch, length);
          InferSession ngram =
              strategy.with("ngram", CONFIG).open(subject, Dtype.FP32, batch, length)) {
        for (double temperature : new double[] {0, 0.5, 1}) {
          if (Thread.currentThread().isInterrupted()) {
            return;
          }
          List<GenerationRequest> first = requests(subject, batch, 1, temperature);
          List<GenerationRequest> all = requests(subject, batch, tokens + 1, temperature);
          double without = Double.POSITIVE_INFINITY;
          double with = Double.POSITIVE_INFINITY;
          for (int round = 0; round < rounds; round++) {
            without = Math.min(without, -seconds(plain, first) + seconds(plain, all));
            with = Math.min(with, -seconds(ngram, first) + seconds(ngram, all));
          }
          Map<String, Double> metrics = ngram.metrics();
          double count = (double) batch * tokens;
          table.row(
              temperature,
              batch,
              count / without,
              count / with,
              without / with,
              InferBench.percent(metrics.getOrDefault("vllm/spec_accepted_rate", Double.NaN)),
              InferBench.number(metrics.getOrDefault("vllm/spec_tokens_per_step", Double.NaN)));
        }
      }
    }
  }

  private static double seconds(InferSession session, List<GenerationRequest> requests) {
    long begun = System.nanoTime();
    session.generate(requests).join();
    return (System.nanoTime() - begun) * 1e-9;
  }

  private static List<GenerationRequest> requests(
      BenchModel subject, int batch, int tokens, double temperature) {
    List<GenerationRequest> requests = new ArrayList<>();
    for (int i = 0; i < batch; i++) {
      int[] prompt =
          RandomStreams.of(1, "bench speculation", i)
              .ints(PROMPT, 0, subject.spec().vocabulary())
              .toArray();
      Sampling sampling = Sampling.of(tokens).withTemperature(temperature);
      requests.add(new GenerationRequest(prompt, sampling, List.of(), i));
    }
    return requests;
  }
}
