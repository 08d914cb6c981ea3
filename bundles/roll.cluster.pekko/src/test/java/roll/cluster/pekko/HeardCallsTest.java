package roll.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HeardCallsTest {
  private static final byte[] ANSWER = {1};

  private final HeardCalls heard = new HeardCalls();

  @Test
  void aCallBeginsOnceAndItsAnswerIsKeptUntilItIsTaken() {
    assertFalse(heard.heard(2));
    assertTrue(heard.begin(2));
    assertTrue(heard.heard(2));
    assertFalse(heard.begin(2));
    assertNull(heard.answer(2));
    heard.answered(2, ANSWER);
    assertSame(ANSWER, heard.answer(2));
    heard.taken(2, 1);
    assertNull(heard.answer(2));
    assertTrue(heard.heard(2));
    assertFalse(heard.begin(2));
    assertFalse(heard.heard(1));
    assertTrue(heard.begin(1));
  }

  @Test
  void whatIsBelowTheLeastOpenCallIsOver() {
    assertTrue(heard.begin(1));
    heard.answered(1, ANSWER);
    assertTrue(heard.begin(5));
    heard.taken(7, 1);
    heard.raise(5);
    assertNull(heard.answer(1));
    assertFalse(heard.begin(4));
    assertFalse(heard.begin(7));
    assertTrue(heard.begin(6));
    heard.answered(5, ANSWER);
    assertSame(ANSWER, heard.answer(5));
    heard.raise(100);
    assertNull(heard.answer(5));
    assertFalse(heard.begin(99));
    assertTrue(heard.begin(100));
    heard.raise(3); // an older message
    assertFalse(heard.begin(99));
  }

  /** An answer to a call that is given up is not kept. */
  @Test
  void anAnswerThatNobodyWaitsForIsLetGo() {
    assertTrue(heard.begin(1));
    heard.taken(1, 2);
    heard.answered(1, ANSWER);
    assertNull(heard.answer(1));
    assertFalse(heard.begin(1));
  }
}
