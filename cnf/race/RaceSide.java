import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One of the two programs that train. */
interface RaceSide {
  String name();

  /** Trains {@code steps} steps and returns the times of each. */
  List<PhaseTimes> run(Workload workload, String dtype, int steps)
      throws IOException, InterruptedException;

  /** Returns the number of tokens of the last step: prompts, responses, and what a game shows. */
  long tokens();

  /**
   * Starts a program with OMP_NUM_THREADS, by default all cores; its output goes to {@code log}.
   */
  static Process start(List<String> command, Path log) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    int cores = Runtime.getRuntime().availableProcessors();
    environment.putIfAbsent("OMP_NUM_THREADS", Integer.toString(cores));
    environment.putAll(Map.of("TRL_EXPERIMENTAL_SILENCE", "1", "HF_HUB_OFFLINE", "1"));
    return builder.redirectOutput(log.toFile()).start();
  }

  /** Waits for the end and fails if it is not that of a complete run. */
  static void end(Process process, Path log) throws InterruptedException {
    if (!process.waitFor(12, TimeUnit.HOURS) || process.exitValue() != 0) {
      throw new IllegalStateException("a run failed, see " + log);
    }
  }
}
