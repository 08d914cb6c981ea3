package roll.parallel.collective;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LocalRendezvousTest {
  private final Rendezvous rendezvous = Rendezvous.local();

  @Test
  void allHearWhatAllSay() {
    List<CompletableFuture<List<byte[]>>> answers =
        IntStream.range(0, 3)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () ->
                            rendezvous.exchange(
                                "x", 3, i, new byte[] {(byte) (7 + i)}, Duration.ofSeconds(20)),
                        Thread::startVirtualThread))
            .toList();
    for (CompletableFuture<List<byte[]>> answer : answers) {
      List<byte[]> said = answer.join();
      assertEquals(3, said.size());
      for (int i = 0; i < 3; i++) {
        assertArrayEquals(new byte[] {(byte) (7 + i)}, said.get(i));
      }
    }
  }

  @Test
  void whoDoesNotComeIsWaitedForNoLongerThanTheLimit() {
    assertEquals(
        "x: 1 of 2 ranks came within 0 s",
        assertThrows(
                RankFailure.class,
                () -> rendezvous.exchange("x", 2, 0, new byte[0], Duration.ofMillis(10)))
            .getMessage());
  }
}
