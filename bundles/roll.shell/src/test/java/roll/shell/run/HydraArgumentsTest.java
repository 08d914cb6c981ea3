package roll.shell.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.option.UserException;
import roll.shell.Gogo;

class HydraArgumentsTest {
  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--config_path runs --config_name lake seed=1       | runs/lake.yaml seed=1",
        "seed=1 --config-name=lake --config-path=runs --ui  | runs/lake.yaml seed=1 --ui",
        "-cp runs -cn lake.yaml                             | runs/lake.yaml",
        "--config_name lake                                 | ./lake.yaml",
        "--config-path=./config --config-name=ppo_megatron_trainer.yaml a.b=1 |"
            + " actor_rollout_ref.actor.strategy=megatron a.b=1",
        "--config-name=ppo_trainer actor_rollout_ref.actor.strategy=fsdp2 |"
            + " actor_rollout_ref.actor.strategy=fsdp2",
        "--config-name=fully_async_ppo_trainer a.b=1        | async_training.require_batches=1"
            + " actor_rollout_ref.actor.strategy=fsdp a.b=1",
        "lake.yaml seed=1 --nodes 2                         | lake.yaml seed=1 --nodes 2",
      })
  void folderAndNameAreAFile(String arguments, String read) {
    assertArrayEquals(read.split(" ", -1), read(arguments));
  }

  /** ROLL's scripts lie in examples, are started beside it, and name folders in it. */
  @Test
  void aFolderMayBeOneOfExamples() throws IOException {
    Files.createDirectories(folder.resolve("examples/qwen"));
    Files.createFile(folder.resolve("examples/qwen/lake.yaml"));
    assertArrayEquals(
        new String[] {"examples/qwen/lake.yaml"}, read("--config_path qwen --config_name lake"));
    Files.createDirectories(folder.resolve("qwen"));
    Files.createFile(folder.resolve("qwen/lake.yaml"));
    assertArrayEquals(
        new String[] {"qwen/lake.yaml"}, read("--config_path qwen --config_name lake"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--config_path runs            | --config_path runs needs --config_name, a file in that"
            + " folder",
        "--config_name                 | --config_name needs a value",
        "--config_name=                | --config_name needs a value",
        "-cn a --config-name b         | --config-name is given twice",
      })
  void whatIsIncompleteIsRefused(String arguments, String message) {
    assertEquals(message, assertThrows(UserException.class, () -> read(arguments)).getMessage());
  }

  private String[] read(String arguments) {
    try (Gogo gogo = new Gogo(this, "none")) {
      gogo.session().currentDir(folder);
      return HydraArguments.read(gogo.session(), arguments.split(" ", -1));
    }
  }
}
