package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.torch.model.Parameters;

/** Responses with speculative decoding are those without it. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SpeculationTest {
  private static final int PROPOSED = 6;

  static final Map<String, Object> CONFIG =
      Map.of(
          "method",
          "ngram",
          "num_speculative_tokens",
          PROPOSED,
          "prompt_lookup_max",
          3,
          "prompt_lookup_min",
          1);

  /** Metrics of speculative decoding only. */
  static final Set<String> METRICS = Set.of("vllm/spec_accepted_rate", "vllm/spec_tokens_per_step");

  private static final int SEQUENCES = 4;
  private static final double TEMPERATURE = 0.7;

  @AutoClose private final Tiny tiny = new Tiny();

  private static VllmSession open(Tiny model, Object... options) {
    Map<String, Object> all = new HashMap<>(Map.of("max_num_seqs", SEQUENCES, "block_size", 4));
    all.putAll(Tiny.options(options));
    return model.open(
        all.entrySet().stream().flatMap(e -> Stream.of(e.getKey(), e.getValue())).toArray());
  }

  private static VllmSession speculating(Tiny model, Object... options) {
    Object[] all = Arrays.copyOf(options, options.length + 2);
    all[options.length] = "speculative_config";
    all[options.length + 1] = CONFIG;
    return open(model, all);
  }

  /** A text of a few tokens again and again. */
  private static int[] prompt(int number, int length) {
    RandomGenerator random = RandomStreams.of(4, "prompt", number);
    int[] period = random.ints(5, 0, Tiny.VOCABULARY).toArray();
    return IntStream.range(0, length).map(i -> period[i % period.length]).toArray();
  }

  /** All settings of sampling. */
  private static List<GenerationRequest> requests(int tokens) {
    Sampling warm = Sampling.of(tokens).withTemperature(0.1);
    List<Sampling> samplings =
        List.of(
            Sampling.greedy(tokens),
            warm,
            warm.withTopK(3),
            warm.withTopP(0.8),
            warm.withRepetitionPenalty(1.01),
            warm.withMinNewTokens(20),
            warm.withLogitBias(Map.of(40, 2.0)),
            Sampling.of(tokens).withAllowedTokenIds(List.of(4, 40, 75)),
            Sampling.of(tokens));
    List<GenerationRequest> requests = new ArrayList<>();
    for (int i = 0; i < 3 * samplings.size(); i++) {
      requests.add(
          new GenerationRequest(
              prompt(i, 11 + i),
              samplings.get(i % samplings.size()),
              i % 2 == 0 ? List.of() : List.of(i, 2 * i, 50 + i),
              i));
    }
    return requests;
  }

  private static void assertSame(List<Generation> expected, List<Generation> found) {
    assertEquals(expected.size(), found.size());
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i).tokens(), found.get(i).tokens(), "tokens of " + i);
      assertEquals(expected.get(i).stopped(), found.get(i).stopped());
      assertArrayEquals(expected.get(i).logProbs(), found.get(i).logProbs(), 1e-4);
      assertArrayEquals(expected.get(i).samplingLogProbs(), found.get(i).samplingLogProbs(), 1e-4);
    }
  }

  private static void assertSpeculated(Map<String, Double> metrics) {
    double rate = metrics.getOrDefault("vllm/spec_accepted_rate", 0.0);
    assertTrue(rate > 0 && rate < 1, metrics::toString);
    assertTrue(metrics.getOrDefault("vllm/spec_tokens_per_step", 0.0) > 1, metrics::toString);
  }

  @Test
  void responsesAreTheSame() {
    try (VllmSession plain = open(tiny);
        VllmSession session = speculating(tiny)) {
      List<GenerationRequest> requests = requests(60);
      List<Generation> expected = plain.generate(requests).join();
      assertSame(expected, session.generate(requests).join());
      assertSpeculated(session.metrics());
      assertTrue(expected.stream().anyMatch(Generation::stopped));
      List<List<Integer>> heard = new ArrayList<>();
      requests.forEach(request -> heard.add(new ArrayList<>()));
      session.generate(requests, (i, token) -> heard.get(i).add(token)).join();
      for (int i = 0; i < heard.size(); i++) {
        assertEquals(Arrays.stream(expected.get(i).tokens()).boxed().toList(), heard.get(i));
      }
    }
  }

  /** Steps of several hundred thousand weights and more compute one token of each sequence. */
  @Test
  void responsesOfAWideModelAreTheSame(@TempDir Path folder) throws IOException {
    new RandomQwen2(2, 512, 1024, 8, 2, Tiny.VOCABULARY).describe(folder);
    try (Tiny model = new Tiny(folder);
        VllmSession plain = open(model);
        VllmSession session = speculating(model)) {
      List<GenerationRequest> requests = requests(40);
      assertSame(plain.generate(requests).join(), session.generate(requests).join());
      assertSpeculated(session.metrics());
    }
  }

  /** Bit for bit, since a token does not depend on the others of its step. */
  @Test
  void batchInvariantResponsesHaveTheSameBits() {
    try (VllmSession plain = tiny.openInvariant(Dtype.FP32);
        VllmSession session =
            tiny.openInvariant(Dtype.FP32, "max_num_seqs", 4, "speculative_config", CONFIG)) {
      List<GenerationRequest> requests = requests(60);
      List<Generation> expected = plain.generate(requests).join();
      List<Generation> found = session.generate(requests).join();
      for (int i = 0; i < requests.size(); i++) {
        assertArrayEquals(expected.get(i).tokens(), found.get(i).tokens());
        assertArrayEquals(expected.get(i).logProbs(), found.get(i).logProbs());
      }
      assertSpeculated(session.metrics());
    }
  }

  @Test
  void preemptedResponsesAreTheSame() {
    try (VllmSession plain = open(tiny);
        VllmSession session = speculating(tiny, "num_gpu_blocks_override", 40)) {
      List<GenerationRequest> requests = requests(60);
      assertSame(plain.generate(requests).join(), session.generate(requests).join());
      Map<String, Double> metrics = session.metrics();
      assertSpeculated(metrics);
      assertTrue(metrics.getOrDefault("vllm/num_preemptions_max", 0.0) > 0, metrics::toString);
      assertEquals(40, session.engine().freeBlocks());
      // the prefix cache has accepted tokens only
      List<GenerationRequest> next = new ArrayList<>();
      List<Generation> before = session.generate(requests).join();
      for (int i = 0; i < requests.size(); i++) {
        int[] all = joined(requests.get(i).prompt(), before.get(i).tokens());
        next.add(Tiny.request(all, Sampling.greedy(20), i));
      }
      assertSame(plain.generate(next).join(), session.generate(next).join());
    }
  }

  /** A prompt and the first part of its greedy response, before tokens of so long a period. */
  private static int[] repeating(VllmSession plain, int period) {
    for (int number = 0; number < 20; number++) {
      int[] prompt = prompt(number, 12);
      int[] tokens = Tiny.one(plain, Tiny.request(prompt, Sampling.greedy(80), 1)).tokens();
      for (int at = 4; at < tokens.length - 8; at++) {
        int from = at - period;
        if (Arrays.equals(tokens, from, from + 8, tokens, at, at + 8)
            && (period == 1 || tokens[at] != tokens[at + 1])) {
          return joined(prompt, Arrays.copyOf(tokens, at));
        }
      }
    }
    throw new AssertionError("no response repeats " + period + " tokens");
  }

  private static int[] joined(int[] one, int[] other) {
    return IntStream.concat(IntStream.of(one), IntStream.of(other)).toArray();
  }

  @Test
  void anAcceptedRunEndsAtTheLimit() {
    try (VllmSession plain = open(tiny);
        VllmSession session = speculating(tiny)) {
      int[] prompt = repeating(plain, 1);
      int[] expected = Tiny.one(plain, Tiny.request(prompt, Sampling.greedy(12), 1)).tokens();
      for (int limit = 1; limit < 12; limit++) {
        Generation found = Tiny.one(session, Tiny.request(prompt, Sampling.greedy(limit), 1));
        assertArrayEquals(Arrays.copyOf(expected, limit), found.tokens());
        assertFalse(found.stopped());
        double steps = session.metrics().get("vllm/steps");
        assertTrue(steps <= 2 + limit / 3, steps + " steps for " + limit);
      }
    }
  }

  /** The tokens proposed behind it would be accepted too. */
  @Test
  void anAcceptedRunEndsAtAStopTokenOrText() {
    try (VllmSession plain = open(tiny);
        VllmSession session = speculating(tiny)) {
      int[] prompt = repeating(plain, 2);
      int[] expected = Tiny.one(plain, Tiny.request(prompt, Sampling.greedy(8), 1)).tokens();
      Generation stopped =
          Tiny.one(
              session, new GenerationRequest(prompt, Sampling.greedy(40), List.of(expected[1]), 1));
      assertArrayEquals(Arrays.copyOf(expected, 2), stopped.tokens());
      assertTrue(stopped.stopped());
      assertEquals(0, session.metrics().get("vllm/spec_accepted_rate"));
      Sampling sampling =
          Sampling.greedy(40).withMinNewTokens(5).withStopStrings(List.of(tiny.text(expected[1])));
      GenerationRequest request = Tiny.request(prompt, sampling, 1);
      Generation found = Tiny.one(session, request);
      assertArrayEquals(Arrays.copyOf(expected, 6), found.tokens());
      assertTrue(found.stopped());
      assertTrue(session.metrics().get("vllm/steps") <= 3);
      assertSame(List.of(Tiny.one(plain, request)), List.of(found));
    }
  }

  /** Waits until the engine yields to other work after this step. */
  private static void endTurn() {
    long end = System.nanoTime() + EngineLoop.TURN;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  @Test
  void newWeightsContinueAResponse() {
    Parameters next = tiny.weights(2);
    next.version(7);
    GenerationRequest request = Tiny.request(prompt(1, 12), Sampling.greedy(100), 1);
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<Void> asked = new CompletableFuture<>();
    try (VllmSession old = open(tiny);
        VllmSession fresh = open(tiny);
        VllmSession session = speculating(tiny)) {
      fresh.update(next).join();
      int[] heard = {0};
      CompletableFuture<List<Generation>> running =
          session.generate(
              List.of(request),
              (i, token) -> {
                if (++heard[0] == 40) {
                  begun.complete(null);
                  asked.join();
                  endTurn();
                }
              });
      begun.join();
      CompletableFuture<Void> updated = session.update(next);
      asked.complete(null);
      updated.join();
      Generation found = running.join().getFirst();
      int since = (int) Arrays.stream(found.weightVersions()).filter(v -> v == 0).count();
      assertTrue(since >= 40 && since <= 40 + PROPOSED, "new weights from " + since);
      assertEquals(7, found.weightVersions()[since]);
      assertEquals(7, found.weightVersions()[99]);
      double[] expected = SessionTest.scores(fresh, request.prompt(), found.tokens());
      double[] first = SessionTest.scores(old, request.prompt(), found.tokens());
      System.arraycopy(first, 0, expected, 0, since);
      assertArrayEquals(expected, found.logProbs(), 1e-4);
      assertTrue(session.metrics().getOrDefault("vllm/spec_accepted_rate", 0.0) > 0);
    } finally {
      tiny.free(next);
    }
  }

  /** Pearson's test of triples of tokens against the products of the scored probabilities. */
  @Test
  void sampledTokensHaveTheModelsDistribution() {
    int samples = 3000;
    try (VllmSession plain = open(tiny);
        VllmSession session = speculating(tiny)) {
      int[] prompt = repeating(plain, 1);
      Sampling sampling = Sampling.of(3).withTemperature(TEMPERATURE).withTopK(2);
      List<GenerationRequest> requests =
          IntStream.range(0, samples).mapToObj(i -> Tiny.request(prompt, sampling, i)).toList();
      Map<List<Integer>, Integer> counts = new HashMap<>();
      for (Generation generation : session.generate(requests).join()) {
        counts.merge(Arrays.stream(generation.tokens()).boxed().toList(), 1, Integer::sum);
      }
      assertSpeculated(session.metrics());
      Map<List<Integer>, Double> expected = new HashMap<>(Map.of(List.of(), (double) samples));
      for (int position = 0; position < 3; position++) {
        Map<List<Integer>, Double> longer = new HashMap<>();
        expected.forEach((text, count) -> split(plain, prompt, text, count, longer));
        expected = longer;
      }
      assertTrue(expected.keySet().containsAll(counts.keySet()), () -> "others in " + counts);
      double square = 0;
      for (var entry : expected.entrySet()) {
        double difference = counts.getOrDefault(entry.getKey(), 0) - entry.getValue();
        assertTrue(entry.getValue() > 5, "a triple is too rare");
        square += difference * difference / entry.getValue();
      }
      assertEquals(8, expected.size());
      assertTrue(square < 24.3, "chi-square " + square); // 7 degrees of freedom, p = 0.001
    }
  }

  /** Divides {@code count} by the probabilities of the two likeliest next tokens. */
  private static void split(
      VllmSession plain,
      int[] prompt,
      List<Integer> text,
      double count,
      Map<List<Integer>, Double> to) {
    double[] scores = new double[Tiny.VOCABULARY];
    for (int token = 0; token < scores.length; token++) {
      int[] all = joined(text.stream().mapToInt(t -> t).toArray(), new int[] {token});
      scores[token] = SessionTest.scores(plain, prompt, all)[text.size()];
    }
    List<Integer> best =
        IntStream.range(0, scores.length)
            .boxed()
            .sorted((a, b) -> Double.compare(scores[b], scores[a]))
            .limit(2)
            .toList();
    double all = best.stream().mapToDouble(token -> Math.exp(scores[token] / TEMPERATURE)).sum();
    for (int token : best) {
      List<Integer> longer = new ArrayList<>(text);
      longer.add(token);
      to.put(longer, count * Math.exp(scores[token] / TEMPERATURE) / all);
    }
  }
}
