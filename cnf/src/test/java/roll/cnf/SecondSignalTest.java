package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A second signal while libtorch computes ends the process at once, without a crash. */
@Tag("processes")
@DisabledOnOs(OS.WINDOWS)
@Timeout(600)
class SecondSignalTest {
  /** Batches as large as this leave little time outside of forward and backward passes. */
  private static final List<String> TRAINING =
      List.of(
          "eval_steps=0",
          "save_steps=0",
          "logging_steps=0",
          "track_with=jsonl",
          "rollout_batch_size=128",
          "train_env_manager.num_env_groups=16",
          "actor_train.training_args.per_device_train_batch_size=128",
          "actor_train.training_args.gradient_accumulation_steps=1",
          "ppo_epochs=20");

  @TempDir Path output;

  @RepeatedTest(5)
  void itEndsWithoutACrash() throws Exception {
    List<String> words =
        Stream.concat(
                Stream.of(
                    "train",
                    Path.of(System.getProperty("roll.root"), "configs/frozen_lake.yaml").toString(),
                    "output_dir=" + output),
                TRAINING.stream())
            .toList();
    try (SweepProcess process = SweepProcess.roll(output, words)) {
      Path run = output.resolve("frozen_lake");
      process.awaitSteps(run, 1);
      long pid = process.process().pid();
      // one process sends both, so that the first changes nothing before the second comes
      String both = "kill -TERM " + pid + "; sleep 0.2; kill -TERM " + pid;
      assertEquals(0, new ProcessBuilder("/bin/sh", "-c", both).start().waitFor());
      String said = process.end();
      assertTrue(said.startsWith("130: "), said);
      assertTrue(said.contains("again: stop immediately"), said);
      assertFalse(said.contains("fatal error"), said);
      assertFalse(Files.exists(run.resolve("checkpoint-2")), "it was saved");
      assertFalse(
          Files.exists(Path.of(System.getProperty("roll.root"), "hs_err_pid" + pid + ".log")));
    }
  }
}
