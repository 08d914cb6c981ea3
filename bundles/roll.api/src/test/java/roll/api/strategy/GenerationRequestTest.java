package roll.api.strategy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class GenerationRequestTest {
  private static final GenerationRequest REQUEST =
      new GenerationRequest(new int[] {4, 5}, Sampling.of(8), List.of(2), 42);

  @Test
  void sequencesDifferInTheirSeedsAlone() {
    List<GenerationRequest> three = REQUEST.sequences(3);
    assertSame(REQUEST, three.getFirst());
    assertEquals(3, three.stream().mapToLong(GenerationRequest::seed).distinct().count());
    for (GenerationRequest sequence : three) {
      assertArrayEquals(REQUEST.prompt(), sequence.prompt());
      assertEquals(REQUEST.sampling(), sequence.sampling());
      assertEquals(REQUEST.stopTokens(), sequence.stopTokens());
    }
    // the seed of a sequence does not depend on how many there are
    assertEquals(three.get(1).seed(), REQUEST.sequences(2).get(1).seed());
    assertEquals(List.of(REQUEST), REQUEST.sequences(1));
  }

  @Test
  void aGeneratorThatKnowsNoBetterTellsTokensAtTheEnd() {
    Generation one = new Generation(new int[] {7, 8}, new double[2], new double[2], false, 0);
    Generation two = new Generation(new int[] {9}, new double[1], new double[1], false, 0);
    Generator generator = requests -> CompletableFuture.completedFuture(List.of(one, two));
    List<String> told = new ArrayList<>();
    List<Generation> generations =
        generator.generate(REQUEST.sequences(2), (i, token) -> told.add(i + ":" + token)).join();
    assertEquals(List.of(one, two), generations);
    assertEquals(List.of("0:7", "0:8", "1:9"), told);
  }
}
