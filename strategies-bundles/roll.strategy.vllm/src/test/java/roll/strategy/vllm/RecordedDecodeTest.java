package roll.strategy.vllm;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.sampling.SamplingNumbers;
import roll.testkit.WrittenFlash;
import roll.torch.CardOperators;
import roll.torch.Device;
import roll.torch.model.Parameters;

/** Steps that are recorded, with a recorder that runs them again. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RecordedDecodeTest {
  private final RerunRecorder recorder = new RerunRecorder();

  @AutoClose
  private final Tiny card =
      new Tiny(
          Tiny.SHIPPED,
          Device.cpuWithCardTexts(
              1, new CardOperators(WrittenFlash.source(), null, null), recorder));

  @AutoClose private final Tiny processor = new Tiny();

  /** Recordings that {@code session} adds when it generates for {@code requests}. */
  private int recordings(VllmSession session, List<GenerationRequest> requests) {
    int before = recorder.recorded();
    session.generate(requests).join();
    return recorder.recorded() - before;
  }

  private static List<GenerationRequest> requests(int count, Sampling sampling) {
    return IntStream.range(0, count)
        .mapToObj(i -> Tiny.request(new int[] {i, 3, 5, i % 2}, sampling, i))
        .toList();
  }

  private static void assertSame(List<Generation> expected, List<Generation> found) {
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i).tokens(), found.get(i).tokens());
      assertArrayEquals(expected.get(i).logProbs(), found.get(i).logProbs(), 1e-4);
      assertArrayEquals(expected.get(i).samplingLogProbs(), found.get(i).samplingLogProbs(), 1e-4);
    }
  }

  @Test
  void bucketsArePowersOfTwoTheLargestFirst() {
    assertEquals(List.of(1), RecordedInput.buckets(1));
    assertEquals(List.of(4, 2, 1), RecordedInput.buckets(3));
    assertEquals(List.of(4, 2, 1), RecordedInput.buckets(4));
    assertEquals(List.of(512, 256, 128, 64, 32, 16, 8, 4, 2, 1), RecordedInput.buckets(512));
  }

  /** Rows without a sequence have the spare cell, the spare token, and a limit of 0. */
  @Test
  void rowsWithoutASequenceTouchNothingOfOthers() {
    EngineRequest sequence = card.sequence(9, 1, 7, 8, 9);
    BlockPool pool = new BlockPool(3, 4, false);
    sequence.blocks().add(requireNonNull(pool.take()));
    var seat = new DecodeRanges.Seat(new StepPlan.Part(sequence, 2, 1, true, true, 0), 64);
    SamplingNumbers sampling = SamplingNumbers.of(List.of(sequence.response()), 2);
    long[] numbers =
        new RecordedInput(2, 2, 4, 12, 100).numbers(List.of(seat), 1, sampling, sampling.widths());
    int cell = 4 * sequence.blocks().getFirst().id + 2;
    assertArrayEquals(
        new long[] {0, 9, 0, 2, 0, 64, 100, 9, 0, cell, 12, 12, 12}, Arrays.copyOf(numbers, 13));
    assertEquals(
        sequence.response().uniform(0), Double.longBitsToDouble(numbers[13])); // then 3 zeros
    assertArrayEquals(new long[3], Arrays.copyOfRange(numbers, 14, 17));
  }

  /** Recorded once for each bucket up to the needed one, and for each set of settings. */
  @Test
  void stepsAreRecordedOnce() {
    try (VllmSession session = card.open()) {
      Sampling warm = Sampling.of(20);
      assertEquals(3, recordings(session, requests(3, warm)));
      assertEquals(0, recordings(session, requests(4, warm)));
      assertEquals(1, recordings(session, requests(5, warm)));
      assertEquals(0, recordings(session, requests(1, warm.withTemperature(0.5))));
      assertEquals(1, recordings(session, requests(1, warm.withTemperature(0))));
      // room for 16 tokens of the response and its prompt, then for 32
      assertEquals(2, recordings(session, requests(1, warm.withRepetitionPenalty(1.5))));
      assertEquals(7, recorder.open());
    }
    assertEquals(0, recorder.open());
  }

  /** A sequence draws the same alone in its bucket, and in the middle of others. */
  @Test
  void neighborsAndUnusedRowsChangeNothing() {
    List<GenerationRequest> all = requests(7, Sampling.of(30).withTopP(0.9).withTopK(40));
    try (VllmSession session = card.open();
        VllmSession expected = processor.open()) {
      List<Generation> together = session.generate(all).join();
      assertSame(expected.generate(all).join(), together);
      for (int i = 0; i < all.size(); i++) {
        assertSame(List.of(together.get(i)), session.generate(List.of(all.get(i))).join());
      }
    }
  }

  /** Weights at the same addresses are read by the old recordings, others by new ones. */
  @Test
  void newWeightsAreRead() {
    List<GenerationRequest> all = requests(2, Sampling.of(12));
    Parameters next = card.weights(2);
    Parameters same = processor.weights(2);
    try (VllmSession session = card.open();
        VllmSession expected = processor.open()) {
      assertEquals(2, recordings(session, all));
      session.update(next).join();
      expected.update(same).join();
      int before = recorder.recorded();
      assertSame(expected.generate(all).join(), session.generate(all).join());
      assertEquals(2, recorder.recorded() - before);
      session.update(next).join();
      assertEquals(0, recordings(session, all));
    } finally {
      card.free(next);
      processor.free(same);
    }
  }

  @Test
  void sleepFreesTheRecordings() {
    List<GenerationRequest> all = requests(2, Sampling.of(12));
    try (VllmSession session = card.open()) {
      List<Generation> before = session.generate(all).join();
      assertEquals(2, recorder.open());
      session.sleep().join();
      assertEquals(0, recorder.open());
      assertSame(before, session.generate(all).join());
      assertEquals(2, recorder.open());
    }
  }

  @Test
  void enforceEagerRecordsNothing() {
    try (VllmSession session = card.open("enforce_eager", true)) {
      assertEquals(0, recordings(session, requests(3, Sampling.of(12))));
    }
  }

  @Test
  void biasAndAllowedTokensAreRecorded() {
    Sampling biased = Sampling.of(12).withLogitBias(Map.of(5, 3.0, 9, -100.0, 11, 1.0));
    List<Integer> ids = List.of(4, 5, 6, 9, 11);
    List<GenerationRequest> all =
        List.of(
            Tiny.request(new int[] {1, 2}, biased, 1),
            Tiny.request(new int[] {1, 3}, Sampling.of(12).withAllowedTokenIds(ids), 2),
            Tiny.request(new int[] {1, 4}, Sampling.of(12), 3));
    try (VllmSession session = card.open();
        VllmSession expected = processor.open()) {
      int before = recorder.replayed();
      assertSame(expected.generate(all).join(), session.generate(all).join());
      assertTrue(recorder.replayed() > before);
    }
  }

  /** Allowed sequences are sampled by the other steps, beside recorded ones. */
  @Test
  void choicesAreNotRecorded() {
    Sampling free = Sampling.of(12);
    Sampling bound = free.withChoices(List.of("left", "right"));
    List<GenerationRequest> all =
        List.of(
            Tiny.request(new int[] {1, 2}, free, 1),
            new GenerationRequest(new int[] {1, 3}, bound, List.of(2), 2),
            Tiny.request(new int[] {1, 4}, free, 3));
    try (VllmSession session = card.open();
        VllmSession expected = processor.open()) {
      assertSame(expected.generate(all).join(), session.generate(all).join());
    }
  }

  /**
   * A table of 300 tokens: sequences change between ranges and rows, as others end and they grow
   * beyond 64 and 128 tokens.
   */
  @Test
  void whatFindsNoRangeIsNotRecorded() {
    List<GenerationRequest> all =
        IntStream.range(0, 12)
            .mapToObj(i -> Tiny.request(new int[] {i, 3, 5}, Sampling.of(10 + 12 * i), i))
            .toList();
    Object[] small = {"block_size", 4, "num_gpu_blocks_override", 75, "max_model_len", 160};
    try (VllmSession session = card.open(small);
        VllmSession expected = processor.open(small)) {
      int before = recorder.replayed();
      assertSame(expected.generate(all).join(), session.generate(all).join());
      assertTrue(recorder.replayed() > before);
    }
  }

  /** Steps that cannot be recorded are computed without recordings. */
  @Test
  void aFailedRecordingIsNotTriedAgain() {
    List<GenerationRequest> all = requests(3, Sampling.of(12));
    var failing = new RerunRecorder(new IllegalStateException("the card cannot capture this"));
    Device device =
        Device.cpuWithCardTexts(1, new CardOperators(WrittenFlash.source(), null, null), failing);
    try (Tiny other = new Tiny(Tiny.SHIPPED, device);
        VllmSession session = other.open();
        VllmSession expected = processor.open()) {
      assertSame(expected.generate(all).join(), session.generate(all).join());
      assertSame(expected.generate(all).join(), session.generate(all).join());
      assertEquals(1, failing.tried());
      assertEquals(0, failing.recorded());
    }
  }
}
