package roll.sampling;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;

/** A response to a prompt of three tokens. */
final class ResponseStateTest {
  private static final int LIMIT = 20;

  private static ResponseState response(
      Sampling sampling, @Nullable ChoiceTrie choices, ResponseState.@Nullable Listener listener) {
    int[] prompt = {4, 5, 6};
    GenerationRequest request = new GenerationRequest(prompt, sampling, List.of(2, 3), 9);
    return new ResponseState(request, null, LIMIT, choices, null, listener);
  }

  private static void add(ResponseState response, int... tokens) {
    for (int token : tokens) {
      response.add(token, -0.5, -0.25, 5);
    }
  }

  @Test
  void anEmptyOneEndsWithItsPrompt() {
    ResponseState response = response(Sampling.of(LIMIT), null, null);
    assertEquals(0, response.size());
    assertEquals(6, response.lastToken());
    assertEquals(2, response.lastPosition());
    assertEquals(23, response.capacity());
    assertEquals(20, response.remaining());
    assertArrayEquals(new int[] {4, 5, 6}, response.all(0));
    assertArrayEquals(new int[0], response.generation().tokens());
  }

  @Test
  void tokensAreAddedInOrder() {
    ResponseState response = response(Sampling.of(LIMIT), null, null);
    add(response, 7, 8, 7);
    assertEquals(3, response.size());
    assertEquals(7, response.lastToken());
    assertEquals(5, response.lastPosition());
    assertEquals(17, response.remaining());
    assertArrayEquals(new int[] {4, 5, 6, 7, 8}, response.all(2));
    assertThrows(IndexOutOfBoundsException.class, () -> response.all(4));
    assertThrows(IndexOutOfBoundsException.class, () -> response.all(-1));
  }

  @Test
  void aStopTokenEndsItAndWhatFollowsIsThrownAway() {
    List<Integer> told = new ArrayList<>();
    ResponseState response =
        response(Sampling.of(LIMIT), null, (token, logProb) -> told.add(token));
    add(response, 7, 3, 8, 8);
    assertTrue(response.finished());
    assertEquals(0, response.remaining());
    Generation generation = response.generation();
    assertArrayEquals(new int[] {7, 3}, generation.tokens());
    assertArrayEquals(new double[] {-0.5, -0.5}, generation.logProbs());
    assertArrayEquals(new double[] {-0.25, -0.25}, generation.samplingLogProbs());
    assertTrue(generation.stopped());
    assertEquals(List.of(7, 3), told);
  }

  @Test
  void everyTokenKeepsTheVersionThatDrewIt() {
    ResponseState response = response(Sampling.of(LIMIT), null, null);
    long[] versions = LongStream.range(0, 12).map(i -> i / 5).toArray();
    for (long version : versions) {
      response.add(7, -0.5, -0.25, version);
    }
    assertArrayEquals(versions, response.generation().weightVersions());
  }

  @Test
  void theLimitEndsIt() {
    ResponseState response = response(Sampling.of(LIMIT), null, null);
    add(response, IntStream.range(0, 30).map(i -> 10 + i).toArray());
    assertTrue(response.finished());
    Generation generation = response.generation();
    assertArrayEquals(IntStream.range(10, 30).toArray(), generation.tokens());
    assertFalse(generation.stopped());
  }

  @Test
  void onlyAWholeChoiceEndsIt() {
    ChoiceTrie choices = ChoiceTrie.of(List.of(new int[] {7, 8}, new int[] {9}));
    ResponseState response = response(Sampling.of(LIMIT), choices, null);
    assertArrayEquals(new int[] {7, 9}, response.allowed());
    add(response, 7);
    assertFalse(response.finished());
    assertThrows(IllegalStateException.class, () -> add(response, 9));
    ResponseState whole = response(Sampling.of(LIMIT), choices, null);
    add(whole, 7, 8);
    assertTrue(whole.generation().stopped());
    assertEquals(0, whole.allowed().length);
  }

  @Test
  void tokensThatAreWaitedForAreDrawnOneByOne() {
    assertEquals(1, response(Sampling.of(LIMIT), null, (token, logProb) -> {}).slice());
    ChoiceTrie choices = ChoiceTrie.of(List.of(new int[] {7, 8}));
    assertEquals(1, response(Sampling.of(LIMIT), choices, null).slice());
    assertTrue(response(Sampling.of(LIMIT), null, null).slice() > 1);
  }

  @Test
  void aRandomNumberBelongsToItsPlace() {
    ResponseState ahead = response(Sampling.of(LIMIT), null, null);
    ResponseState there = response(Sampling.of(LIMIT), null, null);
    double first = there.uniform(0);
    add(there, 7, 8, 7);
    assertEquals(ahead.uniform(5), there.uniform(2));
    assertFalse(first == there.uniform(0));
    assertTrue(first >= 0 && first < 1);
  }
}
