package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import roll.api.data.RandomStreams;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;

/** Steps of several passes draw what single ones draw: a listener waits for each token. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MultiPassTest {
  private static final int LONGEST = 512;

  @AutoClose private final Tiny tiny = new Tiny();

  /** With settings that depend on earlier tokens, and all kinds of ends. */
  private static List<GenerationRequest> requests() {
    RandomGenerator random = RandomStreams.of(6, "passes");
    return IntStream.range(0, 12)
        .mapToObj(
            i -> {
              int[] prompt = random.ints(1 + random.nextInt(90), 0, Tiny.VOCABULARY).toArray();
              Sampling sampling =
                  Sampling.of(20 + random.nextInt(60))
                      .withTemperature(i % 3)
                      .withRepetitionPenalty(i % 2 == 0 ? 1 : 1.2)
                      .withMinNewTokens(i % 4);
              List<Integer> stops =
                  i % 5 == 0 ? List.of() : random.ints(6, 0, Tiny.VOCABULARY).boxed().toList();
              return new GenerationRequest(prompt, sampling, stops, i);
            })
        .toList();
  }

  private static void same(List<Generation> one, List<Generation> other) {
    assertEquals(one.size(), other.size());
    for (int i = 0; i < one.size(); i++) {
      assertArrayEquals(one.get(i).tokens(), other.get(i).tokens());
      assertEquals(one.get(i).stopped(), other.get(i).stopped());
      assertArrayEquals(one.get(i).logProbs(), other.get(i).logProbs(), 1e-5);
      assertArrayEquals(one.get(i).samplingLogProbs(), other.get(i).samplingLogProbs(), 1e-5);
    }
  }

  /** Returns the number of computed tokens. */
  private static double tokens(Map<String, Double> metrics) {
    return metrics.get("vllm/steps") * metrics.get("vllm/tokens_per_step");
  }

  @Test
  void severalPassesDrawWhatSingleOnesDo() {
    try (VllmSession session =
        tiny.open(
            "num_gpu_blocks_override", 800, "block_size", 4, "enable_prefix_caching", false)) {
      List<Generation> single = session.generate(requests(), (i, token) -> {}).join();
      Map<String, Double> alone = session.metrics();
      same(single, session.generate(requests()).join());
      Map<String, Double> together = session.metrics();
      assertTrue(2 * together.get("vllm/steps") < alone.get("vllm/steps"));
      assertEquals(tokens(alone), tokens(together), 1e-6);
      assertTrue(single.stream().anyMatch(Generation::stopped));
      assertTrue(single.stream().anyMatch(generation -> !generation.stopped()));
      assertEquals(800, session.engine().freeBlocks());
    }
  }

  @Test
  void theLastPositionIsReachedAndNotPassed() {
    List<GenerationRequest> requests =
        List.of(
            Tiny.request(new int[LONGEST - 13], Sampling.greedy(13), 1),
            Tiny.request(new int[LONGEST - 6], Sampling.greedy(20), 2));
    try (VllmSession session = tiny.open("max_model_len", LONGEST)) {
      List<Generation> single = session.generate(requests, (i, token) -> {}).join();
      same(single, session.generate(requests).join());
      assertEquals(13, single.getFirst().tokens().length);
      assertEquals(6, single.getLast().tokens().length);
    }
  }

  /** The last token of a response is in the cache as if nothing had come behind it. */
  @Test
  void whatWasWrittenIsFoundAgain() {
    GenerationRequest first = Tiny.request(new int[] {3, 4, 5}, Sampling.greedy(11), 1);
    GenerationRequest longer = Tiny.request(new int[] {6, 7}, Sampling.greedy(19), 1);
    try (VllmSession session = tiny.open("block_size", 4, "num_gpu_blocks_override", 100);
        VllmSession fresh = tiny.open("enable_prefix_caching", false)) {
      Generation written = session.generate(List.of(first, longer)).join().getFirst();
      int[] text =
          IntStream.concat(IntStream.of(3, 4, 5), IntStream.of(written.tokens())).toArray();
      GenerationRequest next = Tiny.request(text, Sampling.greedy(9), 1);
      session.metrics();
      same(List.of(Tiny.one(fresh, next)), List.of(Tiny.one(session, next)));
      assertTrue(session.metrics().get("vllm/prefix_cache_hit_rate") > 0.9);
    }
  }
}
