package roll.sweep;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import roll.api.option.UserException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.sweep.SweptRun.State;

/**
 * The runs that a sweep's folder has already.
 *
 * @param folder of the sweep
 * @param record of it
 * @param configs of the sweep that is asked for now
 */
record ExistingRuns(Path folder, SweepRecord record, RunConfigs configs) {
  /**
   * Sees that what is asked for now is the same sweep, perhaps with other values: the same kind of
   * runs, the same swept keys, and all that was begun has the configuration that it would have now.
   *
   * @throws UserException if it is another one
   */
  void require(String command, List<String> keys) {
    if (!record.command().equals(command) || !Set.copyOf(record.keys()).equals(Set.copyOf(keys))) {
      throw new UserException(
          "sweep: %s holds another sweep (%s of %s, not %s of %s): set another exp_name or output_dir"
              .formatted(
                  folder,
                  record.command(),
                  String.join(", ", record.keys()),
                  command,
                  String.join(", ", keys)));
    }
    for (SweepRecord.Entry run : record.runs()) {
      Path own = folder.resolve(run.folder());
      if (Files.isDirectory(own)) {
        LoadedConfig now = configs.load(run.combination());
        if (!RunConfigs.digest(now).equals(run.digest())) {
          throw new UserException(
              "sweep: %s has run %s with another configuration%s: set another exp_name or output_dir"
                  .formatted(folder, run.combination().label(), RunConfigs.difference(now, own)));
        }
      }
    }
  }

  /** Whether {@code run} need not be run again. */
  boolean finished(SweepRecord.Entry run) {
    SweepRecord.Entry before = record.run(run.folder());
    return before != null
        && before.state() == State.FINISHED
        && Files.exists(folder.resolve(run.folder()).resolve(MetricsReader.FILE));
  }
}
