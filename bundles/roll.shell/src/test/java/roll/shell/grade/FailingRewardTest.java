package roll.shell.grade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.dataset.FileDataSets;
import roll.shell.Gogo;
import roll.testkit.InMemoryPluginRegistry;

/** {@code grade} with a reward that raises, refuses, or gives what is no number. */
class FailingRewardTest {
  @TempDir Path folder;

  /** A reward with a bug. */
  private record Mistaken(Reward reward) implements RewardFunction {
    @Override
    public String description() {
      return "mistaken";
    }

    @Override
    public List<Option<?>> options() {
      return List.of();
    }

    @Override
    public Reward configure(Options options) {
      return reward;
    }
  }

  private String grade(Reward reward) throws Exception {
    Path rows = Files.writeString(folder.resolve("rows.jsonl"), "{\"response\": \"7\"}\n");
    InMemoryPluginRegistry shelf =
        new InMemoryPluginRegistry().with("roll.reward", "own", new Mistaken(reward));
    GradeCommand command = new GradeCommand(shelf, new FileDataSets(), null);
    try (Gogo gogo = new Gogo(command, "grade")) {
      return gogo.run("grade own '" + rows + "' --json");
    } finally {
      assertEquals(0, shelf.leased());
    }
  }

  private String refused(Reward reward) {
    return assertThrows(UserException.class, () -> grade(reward)).getMessage();
  }

  @Test
  void whatItRaisesIsOneLineWithItsPlace() {
    String line =
        refused(
            (episode, models) -> {
              throw new IllegalStateException("no idea\nat all");
            });
    String start =
        folder
            + "/rows.jsonl:1: cannot be graded: java.lang.IllegalStateException: no idea at all"
            + " (FailingRewardTest.java:";
    assertTrue(line.startsWith(start), line);
    assertEquals(
        folder + "/rows.jsonl:1: the judge is not there",
        refused(
            (episode, models) -> {
              throw new UserException("the judge is not there");
            }));
  }

  @Test
  void aScoreIsANumber() {
    assertEquals(
        folder + "/rows.jsonl:1: cannot be graded: the score of own is NaN",
        refused((episode, models) -> Grade.of(Double.NaN)));
  }

  @Test
  void aDetailThatIsNoNumberIsMissing() throws Exception {
    Map<String, Double> details = Map.of("acc", 1.0, "odd", Double.NaN);
    String printed = grade((episode, models) -> new Grade(1, details, null));
    assertTrue(printed.contains("\"details\":{\"acc\":1.0}"), printed);
  }
}
