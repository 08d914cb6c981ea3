package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.itests.kind.EasyFirst;
import roll.itests.kind.HardFirst;
import roll.itests.kind.Ordering;
import roll.itests.kind.OrderingKind;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.runtime.plugin.PluginKind;

/** A custom kind of plugins needs one registration to be configured, leased and swapped. */
@Tag("framework")
@Timeout(240)
class CustomKindTest {
  private static final String EASY = "plugins.ordering=easy_first";

  private final Path folder;

  CustomKindTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void isCheckedLeasedSwappedAndWaitedFor() throws Exception {
    assertEquals(
        "plugins: no roll.kind 'ordering' is registered (registered: none)", refused(EASY));
    try (BundleVersions orderings = orderings()) {
      assertEquals(
          "plugins.ordering: no roll.ordering 'easy' is registered (registered: easy_first,"
              + " hard_first)",
          refused("plugins.ordering=easy").replaceFirst("; did you mean .*", ""));
      assertEquals(
          "plugins.ordering.easy_first: unknown key 'pase' (allowed: pace); did you mean 'pace'?",
          refused("plugins.ordering={easy_first: {pase: 2}}"));
      String listed = CommandsTest.run("roll:services roll.ordering");
      assertTrue(listed.contains("easy_first"), listed);
      assertTrue(CommandsTest.run("roll:services roll.kind").contains("ordering"), listed);
      TrainingRun run =
          SmallRuns.start(
              "frozen_lake.yaml",
              folder,
              more("plugins.ordering={easy_first: {pace: 2}}", "max_steps=100000"));
      Waits.await(run, status -> status.step() > 0);
      assertTrue(run.status().served().contains(orderings.name()), run.status()::served);
      assertEquals(
          List.of("plugins.ordering.easy_first.pace: left out, hard_first has no such option"),
          run.swap("ordering", "easy_first", "hard_first", List.of()));
      int before = run.status().step();
      Waits.await(run, status -> status.step() > before + 1);
      String config = Files.readString(run.folder().resolve("config.yaml"));
      assertTrue(config.contains("ordering:\n    hard_first: {"), config);
      orderings.update();
      Waits.await(run, status -> status.served().contains("orderings 1.0.2"));
      orderings.stop();
      assertEquals(
          "no service roll.kind=ordering: waiting until a bundle provides it",
          Waits.await(run, status -> status.state() == State.WAITING).waiting());
      orderings.start();
      Waits.await(run, status -> status.state() != State.WAITING);
      run.stop();
      assertTrue(run.outcome().get().interrupted());
    }
  }

  private static BundleVersions orderings() throws Exception {
    return BundleVersions.made(
        "orderings",
        OrderingKind.class.getPackageName(),
        "roll.api.option,roll.runtime.plugin",
        List.of(
            BundleVersions.component(OrderingKind.class, PluginKind.class, "roll.kind", "ordering"),
            BundleVersions.component(
                EasyFirst.class, Ordering.class, "roll.ordering", "easy_first"),
            BundleVersions.component(
                HardFirst.class, Ordering.class, "roll.ordering", "hard_first")));
  }

  private static List<String> more(String... overrides) {
    List<String> more = new java.util.ArrayList<>(List.of("exp_name=kind", "track_with=[jsonl]"));
    more.addAll(List.of(overrides));
    return more;
  }

  private String refused(String override) {
    Trainer trainer = SmallRuns.service(Trainer.class);
    var config = SmallRuns.load("frozen_lake.yaml", folder, more(override));
    return String.valueOf(
        assertThrows(UserException.class, () -> trainer.check(config)).getMessage());
  }
}
