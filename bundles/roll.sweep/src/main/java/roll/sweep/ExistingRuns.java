package roll.sweep;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import roll.api.option.UserException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.sweep.SweptRun.State;

/**
 * The runs that the folder of a sweep already has.
 *
 * @param folder of the sweep
 * @param record of the sweep
 * @param configs of the requested sweep
 */
record ExistingRuns(Path folder, SweepRecord record, RunConfigs configs) {
  /**
   * Checks that the requested sweep continues this one, possibly with other values: same command,
   * same swept keys, and unchanged configurations of all started runs.
   *
   * @throws UserException if it does not
   */
  void require(String command, List<String> keys) {
    if (!record.command().equals(command) || !Set.copyOf(record.keys()).equals(Set.copyOf(keys))) {
      throw new UserException(
          "sweep: %s contains another sweep (%s of %s, not %s of %s): set another exp_name or output_dir"
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
              "sweep: %s has the run %s with another configuration%s: set another exp_name or output_dir"
                  .formatted(folder, run.combination().label(), RunConfigs.difference(now, own)));
        }
      }
    }
  }

  /** Returns whether the run {@code run} of the sweep is finished. */
  boolean finished(SweepRecord.Entry run) {
    SweepRecord.Entry before = record.run(run.folder());
    return before != null
        && before.state() == State.FINISHED
        && Files.exists(folder.resolve(run.folder()).resolve(MetricsReader.FILE));
  }
}
