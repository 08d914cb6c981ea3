package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDManager;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.torch.Device;

/** Tests order, blocks and cached prefixes of prompts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PrefillPlanTest {
  @AutoClose private final Device device = new Device(() -> Engine.getEngine("PyTorch"), 1);

  private KvCache cache() {
    return device.call(
        () -> {
          NDManager owner = device.newManager();
          return new KvCache(owner, owner.create(0f), 8, () -> {});
        });
  }

  @Test
  void equalPromptsAreOneRowAndShortOnesComeFirst() {
    List<int[]> prompts =
        List.of(new int[] {7, 8, 9}, new int[] {5}, new int[] {7, 8, 9}, new int[] {6, 6});
    PrefillPlan plan = PrefillPlan.of(prompts, PrefixCache.EMPTY, 4);
    assertEquals(3, plan.rows().size());
    assertEquals(List.of(2, 0, 2, 1), List.of(0, 1, 2, 3).stream().map(plan::rowOf).toList());
    assertArrayEquals(new long[] {5, 0, 0, 6, 6, 0, 7, 8, 9}, plan.tokens());
    assertArrayEquals(new long[] {1, 2, 3}, plan.counts());
    // two rows of at most 2 tokens fit the 4 tokens of a block, a third of 3 does not
    assertArrayEquals(new long[] {2, 1, 3, 1}, plan.blocks());
  }

  @Test
  void promptsBeginWithTheLongestCachedPrefix() {
    try (PrefixCache.Builder builder = new PrefixCache.Builder(3, true)) {
      KvCache one = builder.own(cache());
      KvCache two = builder.own(cache());
      builder.release(one, Arrays.asList(new int[] {1, 2, 3, 4}, null, new int[] {1, 9}));
      builder.release(two, List.of(new int[] {1, 2, 3, 4, 5, 6}));
      try (PrefixCache cache = builder.build()) {
        assertEquals(3, cache.version());
        PrefixCache.Match match = Objects.requireNonNull(cache.longest(new int[] {1, 2, 3, 4, 7}));
        assertEquals(4, match.cells());
        match = Objects.requireNonNull(cache.longest(new int[] {1, 2, 3, 4, 5, 6, 7}));
        assertSame(two, match.cache());
        assertEquals(6, match.cells());
        match = Objects.requireNonNull(cache.longest(new int[] {1, 9, 0}));
        assertSame(one, match.cache());
        assertEquals(2, match.row());
        // the last token of a prompt must be run
        assertEquals(3, Objects.requireNonNull(cache.longest(new int[] {1, 2, 3, 4})).cells());
        assertNull(cache.longest(new int[] {2, 3}));
        assertNull(cache.longest(new int[] {1}));

        List<int[]> prompts = List.of(new int[] {1, 9, 5, 5}, new int[] {4, 4, 4, 4, 4});
        PrefillPlan plan = PrefillPlan.of(prompts, cache, 100);
        assertArrayEquals(new long[] {0, 2}, plan.past());
        assertArrayEquals(new long[] {0, 2, 1, 2}, plan.copies());
        assertArrayEquals(new long[] {1, 1, 2, 0}, plan.blocks());
      }
    }
  }
}
