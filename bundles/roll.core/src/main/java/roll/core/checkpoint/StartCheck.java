package roll.core.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.core.output.OutputFolder;
import roll.core.output.RunFoldersCheck;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.MemoryPlan;

/**
 * Checks whether a run could begin: its output folder, and the checkpoint that it would continue.
 */
public final class StartCheck {
  private StartCheck() {}

  /**
   * Checks the output folder of {@code run}; leaves it as it is.
   *
   * @param plan what the run will hold, or null where that is not known
   * @return lines about what a person may still decide
   * @throws UserException if the folder cannot be written or its disk is full, or the checkpoint to
   *     resume from is none
   */
  public static List<String> look(RunConfig run, @Nullable MemoryPlan plan) {
    Checkpoints checkpoints =
        new Checkpoints(run.checkpointFolder(), run.schedule().checkpoints().maxCkptToKeep());
    List<String> notices =
        new ArrayList<>(OutputFolder.look(run.outputDir(), run.schedule().checkpoints().resume()));
    RunFoldersCheck.require(run);
    if (plan != null && plan.refusal() != null) {
      notices.add("memory: " + plan.refusal() + " (`plan` shows all of it)");
    }
    try {
      ResumePoint found = ResumePoint.look(run, checkpoints);
      if (found.from() != null) {
        notices.add("would resume from " + found.from() + " after step " + found.state().step());
      }
      if (plan != null && Files.isDirectory(run.checkpointFolder())) {
        DiskSpace.of(checkpoints, plan).require();
      }
      return notices;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
