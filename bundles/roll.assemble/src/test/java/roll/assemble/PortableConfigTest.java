package roll.assemble;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.testkit.ExampleRunConfigs;

/** Paths of models and files in the configuration of a distribution. */
class PortableConfigTest {
  @TempDir Path folder;

  @Test
  void filesOfEnvironmentsGoAlongUnderNamesOfTheirOwn() throws IOException {
    Path first = file("a/levels it's.txt");
    Path second = file("b/levels it's.txt");
    Path model = folder.resolve("a");
    EnvConfig game =
        new EnvConfig(
            "Game",
            "game",
            "trajectory",
            EnvLimits.steps(2),
            PromptConfig.of(""),
            Map.of("level_file", first.toString(), "word", "/absent/of course"));
    EnvConfig more =
        new EnvConfig(
            "More",
            "game",
            "trajectory",
            EnvLimits.steps(2),
            PromptConfig.of(""),
            Map.of("level_file", second.toString()));
    RunConfig changed = ExampleRunConfigs.with(ExampleRunConfigs.small(model, 1), game, more);
    String yaml =
        """
        pretrain: %s
        first:
          level_file: '%s'
          word: /absent/of course
        second:
          level_file: '%s'
        list:
        - x
        """
            .formatted(
                model, first.toString().replace("'", "''"), second.toString().replace("'", "''"));
    PortableConfig portable =
        new PortableConfig(
            new LoadedConfig(Path.of("in/run.yaml"), changed, yaml, List.of(), Set.of(), Map.of()));
    assertEquals(
        """
        # Assembled from run.yaml
        pretrain: models/a
        first:
          level_file: data/levels_it_s.txt
          word: /absent/of course
        second:
          level_file: data/2-levels_it_s.txt
        list:
        - x
        """,
        portable.yaml());
    Path target = Files.createDirectories(folder.resolve("target"));
    portable.write(target, "run.yaml");
    assertEquals("a/levels it's.txt", Files.readString(target.resolve("data/levels_it_s.txt")));
    assertEquals("b/levels it's.txt", Files.readString(target.resolve("data/2-levels_it_s.txt")));
  }

  private Path file(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, name);
  }
}
