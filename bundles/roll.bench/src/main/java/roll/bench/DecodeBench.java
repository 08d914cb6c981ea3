package roll.bench;

import java.util.ArrayList;
import java.util.List;
import roll.api.data.RandomStreams;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;

/** Measures tokens/s of a session: prefill of new prompts, and decoding after cached prompts. */
final class DecodeBench {
  /** Metric with the share of a step outside the native call. */
  static final String OVERHEAD = "vllm/step_overhead";

  private final InferSession session;
  private final int vocabulary;
  private final DecodeWorkload load;

  /** Measures {@code session}, which has the model of {@code subject}. */
  DecodeBench(InferSession session, BenchModel subject, DecodeWorkload load) {
    this.session = session;
    this.vocabulary = subject.spec().vocabulary();
    this.load = load;
  }

  /**
   * Returns the prompt tokens/s of distinct prompts with a single response token, the best of all
   * rounds. The last round leaves the prompts in the cache for {@link #rate}, if they are as long.
   */
  double prefill() {
    seconds(prompts(load.rounds(), 1, load.prefill()), 2);
    double best = Double.POSITIVE_INFINITY;
    for (int round = load.rounds() - 1; round >= 0; round--) {
      best = Math.min(best, seconds(prompts(round, load.prompts(), load.prefill()), 1));
    }
    return load.prompts() * (double) load.prefill() / best;
  }

  /**
   * The decoding speed.
   *
   * @param rate tokens/s
   * @param overhead share of the steps outside the native call; NaN if unknown
   */
  record Rate(double rate, double overhead) {}

  /**
   * Returns the decoded tokens/s of {@code batch} sequences without prompts: the time of a response
   * minus that of a single token, the better of two.
   */
  Rate rate(int batch) {
    List<int[]> prompts = new ArrayList<>();
    List<int[]> different = prompts(0, Math.min(batch, load.prompts()), load.prompt());
    for (int i = 0; i < batch; i++) {
      prompts.add(different.get(i % different.size()));
    }
    int tokens = load.tokens(batch);
    seconds(prompts, Math.min(tokens, load.warm()) + 1);
    session.metrics();
    double first = Double.POSITIVE_INFINITY;
    double all = Double.POSITIVE_INFINITY;
    for (int i = 0; i < 2; i++) {
      first = Math.min(first, seconds(prompts, 1));
      all = Math.min(all, seconds(prompts, tokens + 1));
    }
    double overhead = session.metrics().getOrDefault(OVERHEAD, Double.NaN);
    return new Rate(batch * (double) tokens / (all - first), overhead);
  }

  private List<int[]> prompts(int round, int count, int length) {
    List<int[]> prompts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      prompts.add(
          RandomStreams.of(1, "bench prompt", round * load.prompts() + i)
              .ints(length, 0, vocabulary)
              .toArray());
    }
    return prompts;
  }

  private double seconds(List<int[]> prompts, int maxTokens) {
    List<GenerationRequest> requests = new ArrayList<>();
    for (int i = 0; i < prompts.size(); i++) {
      requests.add(new GenerationRequest(prompts.get(i), Sampling.of(maxTokens), List.of(), i));
    }
    long start = System.nanoTime();
    session.generate(requests).join();
    return (System.nanoTime() - start) * 1e-9;
  }
}
