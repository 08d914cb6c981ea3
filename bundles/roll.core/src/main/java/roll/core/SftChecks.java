package roll.core;

import java.nio.file.Files;
import java.util.List;
import roll.api.config.RunConfig;
import roll.api.config.UserException;
import roll.api.config.WorkerConfig;
import roll.api.plugin.Plugins;

/** Whether all is there that a supervised warm start needs beside its demonstrations. */
final class SftChecks {
  private SftChecks() {}

  /**
   * Checks trackers, model folder and strategy; gives lines for the user.
   *
   * @throws UserException for the first thing that is missing or does not fit
   */
  static List<String> run(RunConfig run, Plugins plugins) {
    Need.trackers(run).forEach(need -> need.require(plugins));
    WorkerConfig worker = run.actorTrain();
    if (!Files.isDirectory(worker.model().folder())) {
      throw new UserException(
          "actor_train: model folder " + worker.model().folder() + " does not exist");
    }
    return new Strategies(plugins).check(Roles.POLICY, worker);
  }
}
