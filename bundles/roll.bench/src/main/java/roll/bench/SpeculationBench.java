package roll.bench;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;

/**
 * Compares decoding with {@code speculative_config} and without, in alternation, on a model whose
 * likeliest next token is the number after the last one ({@link RandomModel#saveCounting}): a
 * response repeats what follows its first token in the prompt, as far as the prompt has it.
 */
final class SpeculationBench {
  private static final int PROMPT = 128;
  private static final int WORDS = 50;

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

  /** A kind of responses. */
  private enum Text {
    /** All tokens are in the prompt, in this order. */
    QUOTED,
    /** The first half is. */
    HALF,
    /** No token occurs twice. */
    NEW,
    /** Few words in random order: each occurred before, what followed it seldom follows again. */
    SHUFFLED
  }

  /** Prints a row for each kind of responses and batch size. */
  void run(BenchModel subject) {
    int tokens = quick ? 32 : 96;
    int rounds = quick ? 1 : 7;
    out.printf(
        "%nDecoding with method ngram, 8 tokens from 1 to 4, against without, %s; responses%nof %d"
            + " tokens, tokens/s, the best of %d rounds; ratio: the median of theirs; cpu: that of"
            + " processor times.%n",
        subject.name(), tokens, rounds);
    BenchTable table =
        new BenchTable(
            out,
            10,
            8,
            "text",
            "batch",
            "plain",
            "ngram",
            "ratio",
            "cpu",
            "accepted",
            "tokens/step");
    int length = PROMPT + tokens + 1;
    for (int batch : quick ? new int[] {1, 4} : new int[] {4, 1, 8, 32}) {
      try (InferSession plain = strategy.open(subject, Dtype.FP32, batch, length);
          InferSession ngram =
              strategy.with("ngram", CONFIG).open(subject, Dtype.FP32, batch, length)) {
        for (Text text : Text.values()) {
          if (Thread.currentThread().isInterrupted()) {
            return;
          }
          List<GenerationRequest> first = requests(subject, text, batch, 1, tokens);
          List<GenerationRequest> all = requests(subject, text, batch, tokens + 1, tokens);
          Spent _ =
              Spent.by(plain, first, all); // not counted: kernels are compiled, prompts are cached
          Spent _ = Spent.by(ngram, first, all);
          List<Spent> without = new ArrayList<>();
          List<Spent> with = new ArrayList<>();
          for (int round = 0; round < rounds; round++) {
            without.add(Spent.by(plain, first, all));
            with.add(Spent.by(ngram, first, all));
          }
          Map<String, Double> metrics = ngram.metrics();
          double count = (double) batch * tokens;
          table.row(
              text.name().toLowerCase(Locale.ROOT),
              batch,
              count / least(without),
              count / least(with),
              ratio(without, with, Spent::seconds),
              ratio(without, with, Spent::processor),
              InferBench.percent(metrics.getOrDefault("vllm/spec_accepted_rate", Double.NaN)),
              InferBench.number(metrics.getOrDefault("vllm/spec_tokens_per_step", Double.NaN)));
        }
      }
    }
  }

  private static double least(List<Spent> rounds) {
    return rounds.stream().mapToDouble(Spent::seconds).min().orElseThrow();
  }

  private static double ratio(
      List<Spent> without, List<Spent> with, ToDoubleFunction<Spent> measure) {
    double[] ratios =
        IntStream.range(0, with.size())
            .mapToDouble(
                i -> measure.applyAsDouble(without.get(i)) / measure.applyAsDouble(with.get(i)))
            .sorted()
            .toArray();
    return ratios[ratios.length / 2];
  }

  /** Time of the tokens after the first, in seconds. */
  private record Spent(double seconds, double processor) {
    static Spent by(
        InferSession session, List<GenerationRequest> first, List<GenerationRequest> all) {
      Spent one = of(session, first);
      Spent whole = of(session, all);
      return new Spent(whole.seconds - one.seconds, whole.processor - one.processor);
    }

    private static Spent of(InferSession session, List<GenerationRequest> requests) {
      long begun = System.nanoTime();
      double before = processorSeconds();
      session.generate(requests).join();
      return new Spent((System.nanoTime() - begun) * 1e-9, processorSeconds() - before);
    }

    private static double processorSeconds() {
      return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toMillis()
          * 1e-3;
    }
  }

  /**
   * Returns requests with prompts of equal length, for responses of at most {@code most} tokens.
   */
  private static List<GenerationRequest> requests(
      BenchModel subject, Text text, int batch, int most, int tokens) {
    int vocabulary = subject.spec().vocabulary();
    int quoted =
        switch (text) {
          case QUOTED -> tokens + 1;
          case HALF -> tokens / 2 + 1;
          case NEW, SHUFFLED -> 0;
        };
    Sampling sampling =
        text == Text.SHUFFLED
            ? Sampling.of(most)
                .withAllowedTokenIds(IntStream.range(0, WORDS).mapToObj(i -> 2 * i).toList())
            : Sampling.greedy(most);
    List<GenerationRequest> requests = new ArrayList<>();
    for (int i = 0; i < batch; i++) {
      int[] prompt =
          RandomStreams.of(1, "bench speculation", i).ints(PROMPT, 0, vocabulary).toArray();
      int begin = prompt[PROMPT - 1];
      for (int at = 0; at < quoted; at++) {
        prompt[8 + at] = (begin + at) % vocabulary;
      }
      requests.add(new GenerationRequest(prompt, sampling, List.of(), i));
    }
    return requests;
  }
}
