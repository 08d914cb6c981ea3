package roll.batching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.strategy.TokenBatch;

/** Micro-batches of samples with common prefixes. */
class SharedPrefixesTest {
  private static final int PROMPT = 100;

  private static TokenBatch batch(List<int[]> samples, int prompt) {
    int[] offsets = new int[samples.size() + 1];
    for (int i = 0; i < samples.size(); i++) {
      offsets[i + 1] = offsets[i] + samples.get(i).length;
    }
    boolean[] scored = new boolean[offsets[samples.size()]];
    for (int i = 0; i < samples.size(); i++) {
      Arrays.fill(
          scored, offsets[i] + Math.min(prompt, samples.get(i).length - 1), offsets[i + 1], true);
    }
    return new TokenBatch(offsets, samples.stream().flatMapToInt(Arrays::stream).toArray(), scored);
  }

  /** Returns {@code groups} groups of 4 samples with a common prompt, in random order. */
  private static TokenBatch groups(Random random, int groups) {
    List<int[]> samples = new ArrayList<>();
    for (int g = 0; g < groups; g++) {
      int[] prompt = random.ints(PROMPT, 0, 50).toArray();
      for (int i = 0; i < 4; i++) {
        int[] response = random.ints(1 + random.nextInt(20), 0, 50).toArray();
        samples.add(IntStream.concat(Arrays.stream(prompt), Arrays.stream(response)).toArray());
      }
    }
    Collections.shuffle(samples, random);
    return batch(samples, PROMPT);
  }

  private static void assertCovers(TokenBatch batch, List<int[]> parts) {
    int[] found = parts.stream().flatMapToInt(Arrays::stream).sorted().toArray();
    assertEquals(
        Arrays.toString(IntStream.range(0, batch.samples()).toArray()), Arrays.toString(found));
  }

  /** Ways to make micro-batches with their budgets of tokens. */
  private static Map<Cutting, Integer> plain() {
    return Map.of(
        new Cutting.Samples(4), 4 * (PROMPT + 20),
        new Cutting.Tokens(500), 500,
        new Cutting.Packed(300, 1, true), 300,
        new Cutting.Packed(700, 2, false), 700);
  }

  /** Every sample is in one micro-batch, which needs no more memory than one without sharing. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void microBatchesKeepTheBudget(long seed) {
    TokenBatch batch = groups(new Random(seed), 6);
    plain()
        .forEach(
            (plain, budget) -> {
              SharedPrefixes cutting = new SharedPrefixes(plain, -1, 1);
              List<int[]> parts = cutting.parts(batch);
              assertCovers(batch, parts);
              for (int[] part : parts) {
                assertTrue(cutting.computed(batch, part) <= budget);
                assertTrue(IntStream.of(part).map(s -> scored(batch, s)).sum() <= budget);
              }
              assertTrue(cutting.shared(batch, parts) > 0.5, () -> plain + " shares too little");
            });
  }

  private static int scored(TokenBatch batch, int sample) {
    return (int)
        IntStream.range(batch.offsets()[sample], batch.offsets()[sample + 1])
            .filter(t -> batch.scored()[t])
            .count();
  }

  @Test
  void parallelLanesAllGetWork() {
    TokenBatch batch = groups(new Random(1), 4);
    assertTrue(new SharedPrefixes(new Cutting.Samples(100), -1, 3).parts(batch).size() >= 3);
    assertEquals(1, new SharedPrefixes(new Cutting.Samples(100), -1, 1).parts(batch).size());
  }

  /** Shares of ranks keep groups together, and are balanced. */
  @Test
  void ranksGetWholeGroups() {
    TokenBatch batch = groups(new Random(2), 8);
    SharedPrefixes cutting = new SharedPrefixes(new Cutting.Samples(4), -1, 1);
    List<int[]> shares = cutting.shares(batch, 4);
    assertEquals(4, shares.size());
    assertCovers(batch, shares);
    for (int[] share : shares) {
      int size = PrefixTree.of(batch, share, -1, 8).size();
      assertTrue(size < 3 * (PROMPT + 4 * 20), () -> "a rank computes " + size + " tokens");
    }
  }

  /** Samples with nothing in common are divided as without sharing. */
  @Test
  void nothingInCommonChangesNothing() {
    Random random = new Random(3);
    List<int[]> samples =
        IntStream.range(0, 9)
            .mapToObj(i -> random.ints(5 + random.nextInt(60), 0, 50).toArray())
            .toList();
    TokenBatch batch = batch(samples, 1);
    for (Cutting plain : plain().keySet()) {
      SharedPrefixes cutting = new SharedPrefixes(plain, -1, 1);
      assertEquals(text(plain.parts(batch)), text(cutting.parts(batch)));
      assertEquals(text(plain.shares(batch, 2)), text(cutting.shares(batch, 2)));
      assertEquals(0, cutting.shared(batch, cutting.parts(batch)));
    }
  }

  @Test
  void nothingScoredIsNoMicroBatch() {
    TokenBatch batch = new TokenBatch(new int[] {0, 2}, new int[] {1, 2}, new boolean[2]);
    SharedPrefixes cutting = new SharedPrefixes(new Cutting.Samples(1), -1, 1);
    assertEquals(List.of(), cutting.parts(batch));
    assertEquals("[[], []]", text(cutting.shares(batch, 2)));
  }

  private static String text(List<int[]> parts) {
    return parts.stream().map(Arrays::toString).toList().toString();
  }
}
