package roll.rollout.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.AgentRunnerConfig;
import roll.api.option.UserException;

/** The programs that play: one started for each episode, or a few that play many each. */
final class ProgramPool implements AutoCloseable {
  private final ProcessGroup groups = ProcessGroup.ofThisSystem();
  private final Map<AgentRunnerConfig, List<SharedProcess>> shared = new HashMap<>();
  private @Nullable Path folders;

  /**
   * Has a program play an episode.
   *
   * @param id of the episode, which no other has
   * @param name of the episode, for the log
   */
  AgentRun play(AgentRunnerConfig config, String id, String name, AgentTask task) {
    if (config.processes() == 0) {
      return AgentProcess.start(name, groups, config, task, folders());
    }
    return shared(config).play(id, task.json());
  }

  /** The one with the least to do; another one is started while there are fewer than allowed. */
  private synchronized SharedProcess shared(AgentRunnerConfig config) {
    List<SharedProcess> running = shared.computeIfAbsent(config, c -> new ArrayList<>());
    running.removeIf(process -> process.load() < 0);
    if (running.size() < config.processes()) {
      running.add(SharedProcess.start(groups, config));
    }
    return running.stream().min(Comparator.comparingInt(SharedProcess::load)).orElseThrow();
  }

  private synchronized Path folders() {
    try {
      Path known = folders;
      if (known == null) {
        known = Files.createTempDirectory("roll-programs");
        folders = known;
      }
      return known;
    } catch (IOException e) {
      throw new UserException("agent_runner: no folder for the files of programs: " + e, e);
    }
  }

  /** Ends those that still run. */
  @Override
  public synchronized void close() {
    shared.values().forEach(processes -> processes.forEach(SharedProcess::close));
    shared.clear();
    if (folders != null) {
      var unused = folders.toFile().delete();
      folders = null;
    }
  }
}
