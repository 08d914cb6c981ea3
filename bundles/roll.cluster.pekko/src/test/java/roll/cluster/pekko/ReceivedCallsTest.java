package roll.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReceivedCallsTest {
  private static final Frame ANSWER =
      new Frame(Frame.Kind.ANSWER, 0, 1, 2, 3, 0, "", new byte[] {1});

  private final ReceivedCalls calls = new ReceivedCalls();

  @Test
  void aCallBeginsOnceAndItsAnswerIsKeptUntilItIsReleased() {
    assertFalse(calls.contains(2));
    assertTrue(calls.begin(2));
    assertTrue(calls.contains(2));
    assertFalse(calls.begin(2));
    assertEquals(Optional.empty(), calls.answer(2));
    calls.answered(2, ANSWER);
    assertEquals(Optional.of(ANSWER), calls.answer(2));
    calls.finish(2, 1);
    assertEquals(Optional.empty(), calls.answer(2));
    assertTrue(calls.contains(2));
    assertFalse(calls.begin(2));
    assertFalse(calls.contains(1));
    assertTrue(calls.begin(1));
  }

  @Test
  void callsBelowTheFloorAreFinished() {
    assertTrue(calls.begin(1));
    calls.answered(1, ANSWER);
    assertTrue(calls.begin(5));
    calls.finish(7, 1);
    calls.finishBelow(5);
    assertEquals(Optional.empty(), calls.answer(1));
    assertFalse(calls.begin(4));
    assertFalse(calls.begin(7));
    assertTrue(calls.begin(6));
    calls.answered(5, ANSWER);
    assertEquals(Optional.of(ANSWER), calls.answer(5));
    calls.finishBelow(100);
    assertEquals(Optional.empty(), calls.answer(5));
    assertFalse(calls.begin(99));
    assertTrue(calls.begin(100));
    calls.finishBelow(3); // an older message
    assertFalse(calls.begin(99));
  }

  @Test
  void theAnswerToACanceledCallIsNotKept() {
    assertTrue(calls.begin(1));
    calls.finish(1, 2);
    calls.answered(1, ANSWER);
    assertEquals(Optional.empty(), calls.answer(1));
    assertFalse(calls.begin(1));
  }
}
