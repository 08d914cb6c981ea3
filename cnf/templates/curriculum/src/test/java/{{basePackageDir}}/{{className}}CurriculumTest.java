package {{basePackageName}};

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.curriculum.Curriculum;
import roll.api.curriculum.CurriculumProgress;
import roll.api.curriculum.CurriculumProgress.Level;
import roll.testkit.CurriculumContract;

/** The contract of all curricula, and shares computed by hand. */
class {{className}}CurriculumTest extends CurriculumContract {
  @Override
  protected Curriculum curriculum() {
    return new {{className}}Curriculum();
  }

  /** Three tags within 8 steps: only the second after 4, half of the third after 6. */
  @Test
  void movesInAStraightLine() {
    assertEquals(Map.of("A", 1.0, "B", 0.0), shares(0));
    assertEquals(Map.of("A", 0.75, "B", 0.25), shares(1));
    assertEquals(Map.of("B", 1.0, "C", 0.0), shares(4));
    assertEquals(Map.of("B", 0.5, "C", 0.5), shares(6));
    assertEquals(Map.of("B", 0.0, "C", 1.0), shares(20));
  }

  private Map<String, Double> shares(int step) {
    List<Level> levels =
        List.of(
            new Level("A", 1, List.of()),
            new Level("B", 0, List.of()),
            new Level("C", 0, List.of()));
    return next(new CurriculumProgress(step, 1, levels, Map.of()), Map.of("steps", 8)).shares();
  }
}
