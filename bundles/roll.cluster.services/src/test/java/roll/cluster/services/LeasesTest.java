package roll.cluster.services;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.cluster.Member;

/** When what other members have opened ends, with real membership. */
@Tag("processes")
@Timeout(120)
class LeasesTest {
  private final List<String> ended = new ArrayList<>();

  @Test
  void whatIsOpenedAfterTheEndEndsAtOnce() throws Exception {
    try (TwoMembers members = new TwoMembers()) {
      Member owner = members.second.self();
      Leases<Integer, String> leases =
          new Leases<>(members.first, (key, value, why) -> ended.add(key + value + ": " + why));
      leases.put(1, owner, "a");
      assertEquals("a", leases.get(1, owner));
      leases.close();
      leases.put(2, owner, "b");
      String why = ": this node has left the run";
      assertEquals(List.of("1a" + why, "2b" + why), ended);
      assertEquals(Map.of(), leases.all());
    }
  }
}
