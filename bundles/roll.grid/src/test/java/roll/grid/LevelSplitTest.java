package roll.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.env.EpisodeStart;
import roll.api.option.UserException;
import roll.testkit.TestOptions;

class LevelSplitTest {
  @Test
  void noLevelIsPlayedByBoth() {
    Set<Long> trained = drawn("train", 0.2);
    Set<Long> greedy = drawn("greedy", 0.2);
    Set<Long> validated = drawn("val", 0.2);
    assertEquals(trained, greedy);
    assertTrue(Collections.disjoint(trained, validated));
    assertEquals(1000, trained.size() + validated.size());
    assertEquals(0.2, validated.size() / 1000.0, 0.04);
  }

  @Test
  void aLevelStaysTheSeedsOwnWhereItMay() {
    assertEquals(7L, level(0, "val", 7));
    long kept = drawn("val", 0.5).iterator().next();
    assertEquals(kept, level(0.5, "val", kept));
    assertEquals(level(0.5, "train", kept), level(0.5, "train", kept));
  }

  /** Seeds whose level belongs to the other purpose do not all get the same one. */
  @Test
  void replacedLevelsDiffer() {
    Set<Long> validated = drawn("val", 0.2);
    Set<Long> instead = new HashSet<>();
    for (long seed : validated) {
      instead.add(level(0.2, "train", seed));
    }
    assertTrue(instead.size() > validated.size() / 2, () -> instead.size() + " levels");
  }

  @Test
  void whereThereIsOnlyOneLevelOneOfThemHasNone() {
    LevelSplit split = split(0.5);
    String val = refusal(split, "val");
    String train = refusal(split, "train");
    assertTrue(val.isEmpty() != train.isEmpty(), val + train);
    assertTrue(
        (val + train).contains(".val_share: expected a share that leaves levels for "),
        val + train);
  }

  private static String refusal(LevelSplit split, String purpose) {
    try {
      return split.draw(start(purpose, 1), _ -> "", look -> look);
    } catch (UserException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** All levels below 1,000 that are drawn for a purpose; levels are seeds modulo 1,000. */
  private static Set<Long> drawn(String purpose, double share) {
    Set<Long> levels = new HashSet<>();
    for (long seed = 0; seed < 1000; seed++) {
      levels.add(level(share, purpose, seed));
    }
    return levels;
  }

  private static long level(double share, String purpose, long seed) {
    Long level =
        split(share).draw(start(purpose, seed), any -> Math.floorMod(any, 1000L), String::valueOf);
    return level;
  }

  private static EpisodeStart start(String purpose, long seed) {
    return new EpisodeStart(purpose, 1, seed, 0, 1, 0);
  }

  private static LevelSplit split(double share) {
    return new LevelSplit(
        TestOptions.of("env_config", Map.of("val_share", share), List.of(LevelSplit.VAL_SHARE)));
  }
}
