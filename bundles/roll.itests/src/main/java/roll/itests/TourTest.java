package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.pipeline.Trainer;

/** The whole tour, with small runs. */
@Tag("framework")
@Timeout(480)
class TourTest {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));
  private static final String HOME = "gosh.home";
  private static final String SMALL =
      " eval_steps=0 rollout_batch_size=32 val_batch_size=8 train_env_manager.num_env_groups=4"
          + " val_env_manager.num_env_groups=8 track_with=jsonl";

  private final Path folder;

  TourTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @AfterEach
  void clean() {
    System.clearProperty(HOME);
  }

  @Test
  void everyStepRunsAndNothingIsLeft() throws Exception {
    System.setProperty(HOME, ROOT.resolve("launch/target/dist").toString());
    Path tour = folder.resolve("tour");
    String said = CommandsTest.run("roll:tour --yes -o '" + tour + "'" + SMALL);
    boolean maven = Stream.of(System.getenv("PATH").split(":")).anyMatch(TourTest::hasMaven);
    String page = Files.readString(ROOT.resolve("docs/tour.md"));
    for (String line : page.lines().filter(line -> line.startsWith("    ")).toList()) {
      String text = line.strip().replaceFirst("^run \\d+", "run ");
      if (maven || !text.contains("tour_walk")) {
        assertTrue(
            said.replaceAll("(?m)^run \\d+", "run ").contains(text), text + " not in\n" + said);
      }
    }
    assertEquals(!maven, said.contains("skipped: "), said);
    assertTrue(Files.exists(tour.resolve("output/lake/metrics.jsonl")));
    String log = Files.readString(tour.resolve("output/swapped/run.log"));
    assertTrue(log.contains("estimator grpo → rloo"), log);
    assertLeftAsFound();
    String again = " -o '" + tour + "'";
    UserException taken =
        assertThrows(UserException.class, () -> CommandsTest.run("roll:tour --yes" + again));
    assertEquals("tour: " + tour + " exists; nothing is overwritten", taken.getMessage());
  }

  /** Input that ends is like {@code q}. */
  @Test
  void aTourThatIsQuitLeavesNothing() throws Exception {
    Path tour = folder.resolve("quit");
    String said = CommandsTest.run("roll:tour -o '" + tour + "'");
    assertTrue(said.contains("roll> train lake.yaml"), said);
    assertTrue(said.endsWith("the tour was ended; its files: " + tour + "\n"), said);
    assertFalse(Files.exists(tour.resolve("output")));
    assertLeftAsFound();
  }

  private static void assertLeftAsFound() {
    assertTrue(
        SmallRuns.service(Trainer.class).runs().stream()
            .noneMatch(run -> run.status().state().active()));
    assertEquals(
        List.of(),
        Stream.of(Plugins.context().getBundles())
            .filter(bundle -> "tour_walk".equals(bundle.getSymbolicName()))
            .toList());
  }

  private static boolean hasMaven(String folder) {
    return Files.isExecutable(Path.of(folder, "mvn"));
  }
}
