package roll.api.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import roll.api.rank.CollectiveVolume.Collective;

/** Numbers by hand: 8 ranks, 800 bytes, three times. */
class CollectiveVolumeTest {
  private static CollectiveVolume of(Collective collective, int stride) {
    return new CollectiveVolume(collective, 8, stride, 800, 3);
  }

  @Test
  void whatARankSends() {
    assertEquals(3 * 700, of(Collective.ALL_GATHER, 1).sent());
    assertEquals(3 * 700, of(Collective.REDUCE_SCATTER, 1).sent());
    assertEquals(3 * 1400, of(Collective.ALL_REDUCE, 1).sent());
    assertEquals(3 * 800, of(Collective.SEND, 1).sent());
    assertEquals(0, new CollectiveVolume(Collective.ALL_REDUCE, 1, 1, 800, 3).sent());
  }

  @Test
  void neighborsOfOneNodeUseNoWire() {
    CollectiveVolume gathering = of(Collective.ALL_GATHER, 1);
    assertFalse(gathering.crosses(8));
    assertEquals(0, gathering.leaving(8));
    assertEquals(2100, gathering.within(8));
  }

  /** One group: its ring leaves the node once, however many of its ranks are there. */
  @Test
  void aGroupOverTwoNodesPassesEachWireOnce() {
    CollectiveVolume gathering = of(Collective.ALL_GATHER, 1);
    assertTrue(gathering.crosses(4));
    assertEquals(2100, gathering.leaving(4));
    assertEquals(2100, gathering.within(4));
  }

  /** Every rank of the node is in another group, and has no neighbor there. */
  @Test
  void groupsAcrossNodesPassTheWireForEachRank() {
    CollectiveVolume gathering = of(Collective.ALL_GATHER, 4);
    assertEquals(4 * 2100, gathering.leaving(4));
    assertEquals(0, gathering.within(4));
  }
}
