package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.engine.EngineException;
import org.junit.jupiter.api.Test;
import roll.api.option.UserException;

/**
 * Failures of cards as libtorch words them (c10/cuda/CUDACachingAllocator.cpp, CUDAException.cpp).
 */
final class EngineFailuresTest {
  private static RuntimeException of(String message) {
    return EngineFailures.ofCard("cuda:1", new EngineException(message));
  }

  @Test
  void lackOfMemoryAndLostCardsAreOneLine() {
    UserException memory =
        assertInstanceOf(
            UserException.class,
            of("CUDA out of memory. Tried to allocate 2.00 GiB.\nException raised from malloc"));
    assertEquals(
        "cuda:1: not enough memory on the card (CUDA out of memory. Tried to allocate 2.00 GiB.);"
            + " plan says who needs it",
        memory.getMessage());
    UserException lost =
        assertInstanceOf(
            UserException.class, of("CUDA error: unspecified launch failure\nCUDA kernel errors"));
    assertTrue(lost.getMessage().startsWith("cuda:1: the card failed (CUDA error: unspecified"));
    assertEquals(1, lost.getMessage().lines().count());
  }

  @Test
  void otherFailuresStayWhatTheyAre() {
    EngineException wrong = new EngineException("shape '[3]' is invalid");
    assertSame(wrong, EngineFailures.ofCard("cuda:0", wrong));
  }
}
