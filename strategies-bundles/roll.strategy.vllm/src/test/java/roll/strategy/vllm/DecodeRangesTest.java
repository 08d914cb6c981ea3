package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.api.data.RandomStreams;

/** Ranges of the table of recorded steps. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DecodeRangesTest {
  private static final int AHEAD = 8;
  private static final int LONGEST = 300;

  @AutoClose private final Tiny tiny = new Tiny();

  private StepPlan.Part part(EngineRequest sequence, int from) {
    return new StepPlan.Part(sequence, from, 1, true, true, 0);
  }

  private List<EngineRequest> sequences(int count) {
    return IntStream.range(0, count).mapToObj(i -> tiny.sequence(400, i, 1)).toList();
  }

  /** Ranges of running sequences never overlap, and move only if they are too short. */
  @Test
  void sequencesKeepRangesOfTheirOwn() {
    int tokens = 2000;
    DecodeRanges ranges = new DecodeRanges(tokens, LONGEST, AHEAD);
    List<EngineRequest> all = sequences(40);
    Map<EngineRequest, Integer> lengths = new HashMap<>();
    Map<EngineRequest, Integer> starts = new HashMap<>();
    RandomGenerator random = RandomStreams.of(7, "ranges");
    int left = 0;
    for (int step = 0; step < 400; step++) {
      List<StepPlan.Part> parts = new ArrayList<>();
      for (EngineRequest sequence : all) {
        int length = lengths.getOrDefault(sequence, random.nextInt(100));
        if (random.nextInt(10) < 3 && length < LONGEST - AHEAD) {
          parts.add(part(sequence, length));
          lengths.put(sequence, length + AHEAD);
        } else {
          lengths.remove(sequence);
        }
      }
      DecodeRanges.Arrangement found = ranges.arrange(parts);
      left += parts.size() - found.seats().size();
      boolean[] taken = new boolean[tokens];
      Map<EngineRequest, Integer> now = new HashMap<>();
      for (DecodeRanges.Seat seat : found.seats()) {
        int start = seat.start();
        for (int token = 0; token < seat.part().from() + AHEAD; token++) {
          assertFalse(taken[start + token], "a token of two sequences");
          taken[start + token] = true;
        }
        EngineRequest sequence = seat.part().sequence();
        now.put(sequence, start);
        Integer before = starts.get(sequence);
        boolean joins = found.joins().contains(seat);
        assertTrue(joins || Integer.valueOf(start).equals(before), "moved without being filled");
      }
      starts = now;
    }
    assertTrue(left > 0, "the table was never full");
    ranges.clear();
    List<StepPlan.Part> whole =
        sequences(tokens / LONGEST).stream().map(s -> part(s, LONGEST - AHEAD)).toList();
    assertEquals(whole.size(), ranges.arrange(whole).seats().size());
  }

  @Test
  void aRangeIsKeptUntilItIsTooShort() {
    DecodeRanges ranges = new DecodeRanges(1000, LONGEST, AHEAD);
    EngineRequest sequence = tiny.sequence(400, 1, 1);
    assertEquals(1, ranges.arrange(List.of(part(sequence, 10))).joins().size());
    assertEquals(0, ranges.arrange(List.of(part(sequence, 64 - AHEAD))).joins().size());
    assertEquals(1, ranges.arrange(List.of(part(sequence, 65 - AHEAD))).joins().size());
    assertEquals(0, ranges.arrange(List.of(part(sequence, 128 - AHEAD))).joins().size());
    assertEquals(0, ranges.arrange(List.of()).seats().size());
    assertEquals(1, ranges.arrange(List.of(part(sequence, 11))).joins().size());
  }

  @Test
  void aLastTokenNeedsNoRange() {
    DecodeRanges ranges = new DecodeRanges(1000, LONGEST, AHEAD);
    assertFalse(ranges.takes(part(tiny.sequence(1, 1, 1), 5)));
    assertTrue(ranges.takes(part(tiny.sequence(2, 1, 1), 5)));
    assertFalse(ranges.takes(new StepPlan.Part(tiny.sequence(2, 1, 1), 5, 1, true, false, 0)));
  }
}
