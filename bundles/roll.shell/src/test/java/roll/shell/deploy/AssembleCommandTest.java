package roll.shell.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.SftConfig;
import roll.runtime.distribution.AssembledDistribution;
import roll.runtime.distribution.Assembler;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.shell.Gogo;
import roll.testkit.ExampleRunConfigs;

/** {@code assemble} on a service that only notes what it is asked. */
class AssembleCommandTest {
  private final List<String> asked = new ArrayList<>();

  private String run(Assembler assembler, String... arguments) {
    // the typed part is absent: the command does not look into it
    return run(
        (file, overrides) -> {
          asked.add(file + " " + overrides);
          return new LoadedConfig(file, null, "", List.of(), Set.of(), Map.of());
        },
        assembler,
        arguments);
  }

  private String run(ConfigLoader loader, Assembler assembler, String... arguments) {
    Trainer trainer =
        new Trainer() {
          @Override
          public List<String> check(LoadedConfig config) {
            return List.of("lambd is not read");
          }

          @Override
          public TrainingRun start(LoadedConfig config) {
            throw new AssertionError();
          }

          @Override
          public List<TrainingRun> runs() {
            return List.of();
          }
        };
    AssembleCommand command = new AssembleCommand(loader, trainer, assembler);
    try (Gogo gogo = new Gogo(command, "assemble")) {
      return gogo.call(command, arguments);
    }
  }

  private AssembledDistribution note(
      LoadedConfig config, Path target, boolean jar, List<String> with) {
    asked.add(target + " " + jar + " " + with);
    return new AssembledDistribution(
        target,
        Path.of(target + ".zip"),
        jar ? Path.of(target + ".jar") : null,
        List.of("a", "b"),
        143_912_345,
        List.of("rollout_mock.dump_dir: stays"));
  }

  @Test
  void saysWhatWasWritten() {
    assertEquals(
        """
        notice: lambd is not read
        notice: rollout_mock.dump_dir: stays
        2 bundles, 143.9 MB
        folder   out
        archive  out.zip
        jar      out.jar
        contents and reasons: out/CONTENTS.md
        to train: cd out && ./roll train lake.yaml\
        """,
        run(this::note, "lake.yaml", "-o", "out", "seed=7", "--jar", "--with", "c", "--with=d"));
    assertEquals(List.of("lake.yaml [seed=7]", "out true [c, d]"), asked);
  }

  @Test
  void aWarmStartIsToldItsOwnCommand(@TempDir Path folder) {
    SftConfig sft =
        new SftConfig(
            List.of(folder.resolve("demos.jsonl")),
            List.of(),
            "prompt",
            "response",
            "messages",
            null,
            SftConfig.Truncation.ERROR,
            true,
            1,
            0);
    ConfigLoader loader =
        (file, overrides) ->
            new LoadedConfig(
                file,
                ExampleRunConfigs.withoutEnvironments(ExampleRunConfigs.small(folder, 1)),
                "",
                Map.of(),
                List.of(),
                Set.of(),
                Set.of(),
                Map.of(),
                sft);
    String said = run(loader, this::note, "warm.yaml", "-o", "out");
    assertTrue(said.endsWith("to train: cd out && ./roll sft warm.yaml"), said);
  }

  @Test
  void theNameComesFromTheConfiguration() {
    run(this::note, "configs/lake.yaml");
    assertEquals(List.of("configs/lake.yaml []", "lake-dist false []"), asked);
  }

  @Test
  void withoutTheBundleItSaysSo() {
    assertEquals(
        "assemble: this distribution lacks the bundle roll.assemble, which the command needs",
        assertThrows(UserException.class, () -> run(null, "lake.yaml")).getMessage());
    assertEquals(List.of(), asked);
  }
}
