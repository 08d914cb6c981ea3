package roll.sweep;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.config.LoadedConfig;

/**
 * Starts the runs of a sweep, each with the configuration that was checked.
 *
 * @param launch starts a process
 * @param command {@code train} or {@code sft}
 * @param file configuration file
 * @param configs of all runs
 */
record RunStarter(RunLaunch launch, String command, Path file, RunConfigs configs) {
  private static final String CONTINUED = "resume_from_checkpoint=true";

  /** Returns what has changed since {@code run} was checked in one line, or null. */
  @Nullable String changed(SweepRecord.Entry run) {
    try {
      LoadedConfig now = configs.load(run.combination());
      return RunConfigs.digest(now).equals(run.digest())
          ? null
          : file + " was changed during the sweep";
    } catch (UserException e) {
      return e.getMessage();
    }
  }

  /**
   * Starts the run {@code run} of a sweep in a process.
   *
   * @param there whether it was started before
   * @param environment additional environment variables
   * @param log file of its output
   */
  RunProcess start(SweepRecord.Entry run, boolean there, Map<String, String> environment, Path log)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of(command, file.toString()));
    arguments.addAll(configs.settings(run.combination()));
    if (there) {
      arguments.add(CONTINUED);
    }
    return RunProcess.start(launch, arguments, environment, log);
  }
}
