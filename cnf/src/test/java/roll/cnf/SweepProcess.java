package roll.cnf;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A real {@code ./roll sweep} of small FrozenLake runs.
 *
 * @param process its process
 * @param said file with its output
 */
record SweepProcess(Process process, Path said) implements AutoCloseable {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));
  private static final List<String> SMALL =
      List.of(
          "rollout_batch_size=16",
          "val_batch_size=16",
          "logging_steps=0",
          "track_with=[[jsonl]]",
          "train_env_manager.num_env_groups=2",
          "val_env_manager.num_env_groups=16",
          "actor_train.training_args.per_device_train_batch_size=4");

  /** Starts {@code sweep} with {@code arguments} over small runs below {@code output}. */
  static SweepProcess of(Path output, String... arguments) throws IOException {
    List<String> all =
        new ArrayList<>(List.of("sweep", ROOT.resolve("configs/frozen_lake.yaml").toString()));
    all.addAll(SMALL);
    all.add("output_dir=" + output);
    all.addAll(List.of(arguments));
    return roll(output, all);
  }

  /** Starts the built distribution with {@code arguments}. */
  static SweepProcess roll(Path output, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ROOT.resolve("launch/target/dist/roll").toString());
    command.addAll(arguments);
    Path said = Files.createTempFile(output, "said", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("ROLL_JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("ROLL_JAVA_OPTS", "-Xmx1g");
    builder.environment().put("OMP_NUM_THREADS", "1");
    // models are named relative to the source tree
    builder.directory(ROOT.toFile()).redirectOutput(said.toFile());
    return new SweepProcess(builder.start(), said);
  }

  /** Waits for its end; returns the status and the output. */
  String end() throws IOException, InterruptedException {
    return process.waitFor() + ": " + text();
  }

  /** Returns its output. */
  String text() throws IOException {
    return Files.readString(said);
  }

  /** Sends a signal. */
  void signal(String name) throws IOException, InterruptedException {
    kill(process.pid(), name);
  }

  /** Sends a signal to the run in {@code folder}. */
  static void signalRun(Path folder, String name) throws IOException, InterruptedException {
    String owner = Files.readString(folder.resolve(".owner"));
    kill(Long.parseLong(owner.substring(0, owner.indexOf(' '))), name);
  }

  private static void kill(long process, String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, "" + process).start().waitFor();
  }

  /** Waits until {@code folder} has metrics of {@code steps} steps. */
  void awaitSteps(Path folder, int steps) {
    Path file = folder.resolve("metrics.jsonl");
    await()
        .atMost(Duration.ofMinutes(10))
        .failFast(
            () -> {
              if (!process.isAlive()) {
                throw new IllegalStateException("it ended before: " + text());
              }
            })
        .until(() -> Files.exists(file) && Files.readAllLines(file).size() >= steps);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
