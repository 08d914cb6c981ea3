package roll.core.curriculum;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Groups by hand. */
class GroupCreditsTest {
  private static final List<String> TAGS = List.of("A", "B", "C");

  @Test
  void wholeSharesAreGivenAsTheyAre() {
    GroupCredits given = GroupCredits.of(TAGS, 8, Map.of("A", 0.25, "B", 0.5, "C", 0.25), Map.of());
    assertEquals(List.of(2, 4, 2), given.groups());
    assertEquals(Map.of("A", 0.0, "B", 0.0, "C", 0.0), given.owed());
  }

  /** 0.5 of 3 is 1.5: A has two first, then B; 0.125 of 2 groups is one in four steps. */
  @Test
  void whatIsOwedCountsInTheNextStep() {
    GroupCredits first = GroupCredits.of(TAGS, 3, Map.of("A", 0.5, "B", 0.5), Map.of());
    assertEquals(List.of(2, 1, 0), first.groups());
    assertEquals(Map.of("A", -0.5, "B", 0.5), first.owed());
    GroupCredits second = GroupCredits.of(TAGS, 3, Map.of("A", 0.5, "B", 0.5), first.owed());
    assertEquals(List.of(1, 2, 0), second.groups());
    int rare = 0;
    Map<String, Double> owed = Map.of();
    for (int step = 0; step < 16; step++) {
      GroupCredits given = GroupCredits.of(TAGS, 2, Map.of("A", 0.125, "C", 0.875), owed);
      rare += given.groups().getFirst();
      owed = given.owed();
    }
    assertEquals(4, rare);
  }

  @Test
  void aTagWithoutAShareIsGivenNoneWhateverItIsOwed() {
    GroupCredits given = GroupCredits.of(TAGS, 4, Map.of("B", 1.0), Map.of("A", 0.9));
    assertEquals(List.of(0, 4, 0), given.groups());
    assertEquals(Map.of("B", 0.0), given.owed());
  }
}
