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

/** The processes of agent programs: one per episode, or a few shared ones. */
final class ProgramPool implements AutoCloseable {
  private final ProcessGroup groups = ProcessGroup.ofThisSystem();
  private final Map<AgentRunnerConfig, List<SharedProcess>> shared = new HashMap<>();
  private @Nullable Path folders;

  /**
   * Starts an episode of an agent program.
   *
   * @param id unique id of the episode
   * @param name of the episode, for the log
   */
  AgentRun play(AgentRunnerConfig config, String id, String name, AgentTask task) {
    if (config.processes() == 0) {
      return AgentProcess.start(name, groups, config, task, folders());
    }
    return shared(config).play(id, task.json());
  }

  /**
   * Returns the shared process with the lowest load; starts another one while fewer than allowed
   * run.
   */
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
      throw new UserException(
          "agent_runner: cannot create a folder for the files of programs: " + e, e);
    }
  }

  /** Ends the running processes of the program pool. */
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
