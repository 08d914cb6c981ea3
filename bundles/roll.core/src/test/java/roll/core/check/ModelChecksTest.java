package roll.core.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.WorkerConfig;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.decoder.ModelSpecs;
import roll.runtime.config.RunConfig;
import roll.testkit.ExampleRunConfigs;

class ModelChecksTest {
  /** Refuses every model, once it is read. */
  private static final ModelSpecs UNREADABLE =
      new ModelSpecs() {
        @Override
        public DecoderSpec of(WorkerConfig worker, boolean values) {
          throw new UserException("it is read");
        }

        @Override
        public DecoderSpec require(WorkerConfig worker, boolean values) {
          return of(worker, values);
        }

        @Override
        public DecoderSpec requireHead(WorkerConfig worker) {
          return of(worker, true);
        }
      };

  @Test
  void ofAFolderWithoutAModelTheKeyIsNamed(@TempDir Path folder) throws IOException {
    RunConfig run = ExampleRunConfigs.small(folder, 1);
    WorkerConfig worker = run.roles().actorTrain();
    assertEquals(
        "pretrain: '" + folder + "' is no model folder: there is no config.json in it",
        refusal(run, worker));
    Path other = Files.createDirectory(folder.resolve("other"));
    assertEquals(
        "actor_train.model_args.model_name_or_path: '"
            + other
            + "' is no model folder: there is no config.json in it",
        refusal(run, worker.withModel(worker.model().in(other, null))));
    Files.writeString(folder.resolve("config.json"), "{}");
    assertEquals("it is read", refusal(run, worker));
    Files.writeString(other.resolve("adapter_config.json"), "{}");
    assertEquals("it is read", refusal(run, worker.withModel(worker.model().in(other, null))));
  }

  private static String refusal(RunConfig run, WorkerConfig worker) {
    ModelChecks checks =
        new ModelChecks(
            run,
            UNREADABLE,
            _ -> {
              throw new AssertionError("no tokenizer is read");
            });
    return userError(() -> checks.check("actor_train", worker));
  }
}
