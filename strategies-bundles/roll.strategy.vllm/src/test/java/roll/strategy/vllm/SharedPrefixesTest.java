package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.torch.CardOperators;
import roll.torch.Device;

@NullMarked
class SharedPrefixesTest {
  private static final int BLOCK = 4;

  private final Tiny tiny = new Tiny();
  private final List<Block> prompt = blocks(3);
  private final SharedPrefixes prefixes = new SharedPrefixes(BLOCK, 12);
  private int count;

  private List<Block> blocks(int number) {
    return IntStream.range(0, number).mapToObj(i -> new Block(100 * count++ + i)).toList();
  }

  /** A sequence of 13 tokens: the prompt's twelve, and one in a block of its own. */
  private StepPlan.Part part() {
    EngineRequest sequence = tiny.sequence(8, 7, List.of(), new int[13]);
    prompt.forEach(block -> block.readers++);
    sequence.blocks().addAll(prompt);
    Block own = new Block(1000 * count++);
    own.readers = 1;
    sequence.blocks().add(own);
    return new StepPlan.Part(sequence, 12, 1, true, true, 0);
  }

  @Test
  void aPrefixIsThatOfAllWhoReadItsBlocks() {
    List<StepPlan.Part> group = List.of(part(), part());
    prefixes.assign(group);
    SharedPrefixes.Prefix prefix = Objects.requireNonNull(prefixes.of(group.getFirst().sequence()));
    assertEquals(prompt, prefix.blocks());
    assertSame(prefix, prefixes.of(group.getLast().sequence()));
    assertEquals(12, prefixes.tokens(group.getLast().sequence()));
  }

  @Test
  void whoJoinsLaterSharesItToo() {
    List<StepPlan.Part> group = List.of(part(), part());
    prefixes.assign(group);
    StepPlan.Part later = part();
    prefixes.assign(List.of(later));
    assertSame(prefixes.of(group.getFirst().sequence()), prefixes.of(later.sequence()));
  }

  @Test
  void onlyWhatSavesEnoughIsShared() {
    SharedPrefixes strict = new SharedPrefixes(BLOCK, 13);
    List<StepPlan.Part> two = List.of(part(), part());
    strict.assign(two);
    assertNull(strict.of(two.getFirst().sequence()));
    assertEquals(0, strict.tokens(two.getFirst().sequence()));
  }

  @Test
  void thoseWhoLeaveHaveNone() {
    StepPlan.Part first = part();
    prefixes.assign(List.of(first, part()));
    prefixes.keep(Set.of(first.sequence()));
    assertNotNull(prefixes.of(first.sequence()));
    prefixes.keep(Set.of());
    assertNull(prefixes.of(first.sequence()));
  }

  /** Two groups of eight with prompts of 416 tokens, and a sequence of its own. */
  @ParameterizedTest
  @CsvSource({"4, 2", "4, 4"})
  void theNumbersAreThoseOfScoring(int heads, int keyValueHeads, @TempDir Path folder)
      throws IOException {
    new RandomQwen2(3, 64 * heads, 512, heads, keyValueHeads, Tiny.VOCABULARY).describe(folder);
    try (Tiny model = new Tiny(folder)) {
      assertTrue(sharedRate(model) > 0.9);
    }
  }

  /** A card without flash attention has no operator that reads a prefix. */
  @Test
  void cardsReadNoPrefix(@TempDir Path folder) throws IOException {
    new RandomQwen2(3, 256, 512, 4, 2, Tiny.VOCABULARY).describe(folder);
    CardOperators none = new CardOperators(null, null, null);
    try (Tiny model = new Tiny(folder, Device.cpuWithCardTexts(1, none, null))) {
      assertEquals(0, sharedRate(model));
    }
  }

  private static double sharedRate(Tiny model) {
    List<GenerationRequest> requests = new ArrayList<>();
    for (int n = 0; n < 17; n++) {
      int group = n / 8;
      int[] text =
          IntStream.range(0, group < 2 ? 416 : 40)
              .map(i -> 5 + (7 * group + 3 * i) % 100)
              .toArray();
      requests.add(Tiny.request(text, Sampling.of(12 + n % 3), n));
    }
    try (VllmSession session = model.open(Dtype.FP32)) {
      List<Generation> drawn = session.generate(requests).join();
      Responses responses = new Responses(requests, drawn);
      assertArrayEquals(responses.scored(session), responses.drawn(), 2e-5);
      return session.metrics().getOrDefault("vllm/shared_prefix_rate", -1.0);
    }
  }
}
