package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;

class MemoryLedgerTest {
  private static final MemoryKind PARAMETERS = MemoryKind.PARAMETERS;
  private static final MemoryKind CACHE = MemoryKind.KV_CACHE;

  @Test
  void whatWasHeldWhenMostWasSinceItWasAsked() {
    MemoryLedger ledger = new MemoryLedger();
    assertEquals(new SessionMemory(3, Map.of()), ledger.peak(3));
    ledger.set(PARAMETERS, 5);
    ledger.add(CACHE, 7);
    ledger.add(CACHE, 2);
    ledger.add(CACHE, -8);
    assertEquals(Map.of(PARAMETERS, 5L, CACHE, 9L), ledger.peak(0).bytes());
    assertEquals(Map.of(PARAMETERS, 5L, CACHE, 1L), ledger.peak(0).bytes());
    ledger.set(PARAMETERS, 0);
    ledger.add(CACHE, 3);
    assertEquals(Map.of(PARAMETERS, 5L, CACHE, 1L), ledger.peak(0).bytes(), "4 is less than 6");
    assertEquals(Map.of(CACHE, 4L), ledger.peak(0).bytes());
  }

  @Test
  void whatIsOffloadedTakesNoPlace() {
    MemoryLedger ledger = new MemoryLedger();
    ledger.add(MemoryKind.OFFLOADED, 100);
    ledger.add(PARAMETERS, 1);
    ledger.add(MemoryKind.OFFLOADED, -40);
    assertEquals(Map.of(PARAMETERS, 1L, MemoryKind.OFFLOADED, 100L), ledger.peak(0).bytes());
  }
}
