package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunFoldersConfig;

/** ROLL's keys for folders beside the output folder, and for the names of metrics. */
class PlacesKeysTest extends SmallConfigFixture {
  @Test
  void withoutThemAllIsInTheOutputFolder() {
    assertEquals(RunFoldersConfig.NONE, run().places());
    assertEquals("roll", run().tracking().names());
  }

  /**
   * Folders of logs and pictures get the name of the run, as in ROLL; that of checkpoints is used
   * as written.
   */
  @Test
  void eachIsWhereItSays() {
    LoadedConfig loaded =
        load(
            "logging_dir=./output/logs",
            "render_save_dir=/drawn",
            "checkpoint_config={type: file_system, output_dir: /models/a}",
            "metric_names=guide");
    assertEquals(
        new RunFoldersConfig(
            Path.of("./output/logs/small"), Path.of("/drawn/small"), Path.of("/models/a")),
        loaded.run().places());
    assertEquals(Path.of("/models/a"), loaded.run().checkpointFolder());
    assertEquals(Path.of("/drawn/small/step-20"), loaded.run().frames(20));
    assertEquals("guide", loaded.run().tracking().names());
    assertEquals(List.of(), loaded.notices());
    assertEquals(loaded.run(), files().load(loaded.effectiveYaml()).run());
  }

  /** Two writers of one log, or two locks of one folder, would be in each other's way. */
  @Test
  void theOutputFolderIsNoOtherFolder() {
    RunFoldersConfig same =
        run(
                "output_dir=out",
                "logging_dir=./x/../out/",
                "checkpoint_config.output_dir=" + Path.of("out/small").toAbsolutePath())
            .places();
    assertEquals(RunFoldersConfig.NONE, same);
  }

  @Test
  void whatASaveDoesAnywaySaysSo() {
    LoadedConfig loaded =
        load("checkpoint_config={output_dir: /m, async_upload: false, keep_local_file: true}");
    assertEquals(
        List.of(
            "key 'checkpoint_config.async_upload' has no effect here: async_save_ckpt says whether"
                + " training continues while a checkpoint is written",
            "key 'checkpoint_config.keep_local_file' has no effect here: a checkpoint is written"
                + " into one folder"),
        loaded.notices());
    assertNull(load("checkpoint_config={type: file_system}").run().places().checkpoints());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "logging_dir=oss://bucket/logs",
        "render_save_dir=hdfs:/somewhere",
        "checkpoint_config.output_dir=s3://models",
        "logging_dir='  '",
        "render_save_dir=\"a\\0b\""
      })
  void whatIsNoFolderIsRefused(String override) {
    String said = complaint(override);
    String key = override.substring(0, override.indexOf('='));
    assertTrue(said.contains(": " + key + ": expected a folder of this machine, found '"), said);
    assertTrue(!said.contains("\n"), said);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "checkpoint_config.type=oss",
        "checkpoint_config.output_dir=7",
        "checkpoint_config=here",
        "logging_dir=[a, b]",
        "render_save_dir=true",
        "metric_names=[guide]",
        "metric_names=Guide",
        "metric_names=~~"
      })
  void valuesOfAnotherKindAreRefused(String override) {
    String said = complaint(override);
    assertTrue(said.contains(": expected "), said);
    assertTrue(!said.contains("\n"), said);
  }
}
