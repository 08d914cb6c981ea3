package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import roll.api.data.RandomStreams;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.testkit.WrittenFlash;
import roll.torch.CardOperators;
import roll.torch.Device;

/** The kernel texts for cards, with flash attention written out, sample what the others do. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CardTextsTest {
  private static final int TURNS = 3;

  @AutoClose private final Tiny processor = new Tiny();

  @AutoClose
  private final Tiny card =
      new Tiny(
          Tiny.SHIPPED,
          Device.cpuWithCardTexts(1, new CardOperators(WrittenFlash.source(), null, null), null));

  private final RerunRecorder recorder = new RerunRecorder();

  /** A card that records its steps of decoding. */
  @AutoClose
  private final Tiny recording =
      new Tiny(
          Tiny.SHIPPED,
          Device.cpuWithCardTexts(
              1, new CardOperators(WrittenFlash.source(), null, null), recorder));

  /**
   * Enough memory; so little that sequences are preempted; prompts in pieces; a cache in bf16; no
   * cache of prefixes.
   */
  static Stream<Map<String, Object>> engines() {
    Map<String, Object> roomy =
        Map.of("block_size", 4, "num_gpu_blocks_override", 900, "max_model_len", 256);
    return Stream.of(
            Map.<String, Object>of(),
            Map.<String, Object>of("num_gpu_blocks_override", 90),
            Map.<String, Object>of("max_num_batched_tokens", 24),
            Map.<String, Object>of("enable_prefix_caching", false))
        .map(
            more -> {
              Map<String, Object> all = new TreeMap<>(roomy);
              all.putAll(more);
              return all;
            });
  }

  @ParameterizedTest
  @MethodSource("engines")
  void conversationsAreTheSame(Map<String, Object> engine) {
    assertSameConversations(engine, card);
  }

  @ParameterizedTest
  @MethodSource("engines")
  void recordedConversationsAreTheSame(Map<String, Object> engine) {
    int before = recorder.replayed();
    assertSameConversations(engine, recording);
    assertTrue(recorder.replayed() > before + 10);
    assertEquals(0, recorder.open(), "recordings of a closed engine");
  }

  private void assertSameConversations(Map<String, Object> engine, Tiny other) {
    Object[] options =
        engine.entrySet().stream().flatMap(e -> Stream.of(e.getKey(), e.getValue())).toArray();
    try (VllmSession expected = processor.open(options);
        VllmSession found = other.open(options)) {
      List<int[]> texts = prompts();
      for (int turn = 0; turn < TURNS; turn++) {
        List<GenerationRequest> requests = requests(texts, turn);
        List<Generation> right = expected.generate(requests).join();
        assertSame(right, found.generate(requests).join());
        texts = continued(texts, right);
      }
      assertEquals(expected.engine().freeBlocks(), found.engine().freeBlocks());
      Map<String, Double> metrics = found.metrics();
      assertTrue(metrics.get("vllm/steps") > 0);
      assertTrue(metrics.get("vllm/steps") <= expected.metrics().get("vllm/steps") + TURNS);
    }
  }

  /** Four groups of three equal prompts, and some of one token or many. */
  private static List<int[]> prompts() {
    RandomGenerator random = RandomStreams.of(4, "texts");
    List<int[]> prompts = new ArrayList<>();
    for (int group = 0; group < 4; group++) {
      int[] prompt = random.ints(1 + random.nextInt(40), 0, Tiny.VOCABULARY).toArray();
      prompts.addAll(List.of(prompt, prompt, prompt));
    }
    prompts.add(new int[] {7});
    prompts.add(random.ints(70, 0, Tiny.VOCABULARY).toArray());
    return prompts;
  }

  private static List<GenerationRequest> requests(List<int[]> texts, int turn) {
    RandomGenerator random = RandomStreams.of(5, "turn", turn);
    return IntStream.range(0, texts.size())
        .mapToObj(
            i -> {
              Sampling sampling =
                  Sampling.of(3 + random.nextInt(25))
                      .withTemperature(i % 2)
                      .withRepetitionPenalty(i % 3 == 0 ? 1 : 1.2);
              List<Integer> stops = random.ints(4, 0, Tiny.VOCABULARY).boxed().toList();
              return new GenerationRequest(texts.get(i), sampling, stops, i);
            })
        .toList();
  }

  /** Each text with its answer, and a few tokens more. */
  private static List<int[]> continued(List<int[]> texts, List<Generation> answers) {
    return IntStream.range(0, texts.size())
        .mapToObj(
            i ->
                Stream.of(texts.get(i), answers.get(i).tokens(), new int[] {i, 3, i})
                    .flatMapToInt(IntStream::of)
                    .toArray())
        .toList();
  }

  private static void assertSame(List<Generation> expected, List<Generation> found) {
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i).tokens(), found.get(i).tokens());
      assertArrayEquals(expected.get(i).logProbs(), found.get(i).logProbs(), 1e-4);
      assertArrayEquals(expected.get(i).samplingLogProbs(), found.get(i).samplingLogProbs(), 1e-4);
    }
  }
}
