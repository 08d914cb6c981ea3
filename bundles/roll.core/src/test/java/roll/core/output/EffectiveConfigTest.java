package roll.core.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.testkit.ExampleRunConfigs;

/** What a run that is resumed is told about its settings. */
class EffectiveConfigTest {
  private static final String YAML =
      """
      seed: 42
      resume_from_checkpoint: false
      tags:
      - a
      reference:
        model_args:
          model_name_or_path: teacher
      """;

  private final RunConfig run;

  EffectiveConfigTest(@TempDir Path folder) {
    run = ExampleRunConfigs.small(folder, 1);
  }

  @BeforeEach
  void folder() throws IOException {
    Files.createDirectories(run.outputDir());
    Files.deleteIfExists(run.outputDir().resolve("config.yaml"));
  }

  private LoadedConfig config(String yaml) {
    return new LoadedConfig(Path.of("run.yaml"), run, yaml, List.of(), Set.of(), Map.of());
  }

  @Test
  void whatIsNotAsAtTheLastStartIsNamed() throws IOException {
    Optional<String> none = Optional.empty();
    assertEquals(none, EffectiveConfig.changes(config(YAML)), "the first start");
    EffectiveConfig.write(config(YAML));
    assertEquals(none, EffectiveConfig.changes(config(YAML.replace("false", "true"))));
    assertEquals(
        Optional.of("changed since the last start: extra, reference, tags"),
        EffectiveConfig.changes(
            config(
                YAML.replace("teacher", "other").replace("- a", "- a\n- b").concat("extra: 1\n"))));
    assertEquals(
        Optional.of("changed since the last start: seed"),
        EffectiveConfig.changes(config(YAML.replace("seed: 42\n", ""))));
  }
}
