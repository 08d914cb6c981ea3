package roll.ui;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;

/** Creates the folder of a run. */
public final class RunFolderMaker {
  /** The tag of its environments. */
  public static final String TAG = "FrozenLake";

  private static final LocalDateTime BEGIN = LocalDateTime.of(2026, 11, 24, 9, 0, 0, 125_000_000);

  private final Path folder;
  private int seconds;

  private RunFolderMaker(Path folder) {
    this.folder = folder;
  }

  /** A folder that is made, with nothing in it. */
  public static RunFolderMaker in(Path folder) throws IOException {
    return new RunFolderMaker(Files.createDirectories(folder));
  }

  /**
   * A finished run of {@code steps} steps: configuration, log with a swap halfway, metrics, and the
   * trajectories of the first step.
   */
  public static RunFolderMaker finished(Path folder, int steps) throws IOException {
    RunFolderMaker run =
        in(folder)
            .config(
                "exp_name: "
                    + folder.getFileName()
                    + "\nseed: 42\nmax_steps: "
                    + steps
                    + "\nadv_estimator: grpo\n");
    run.log("notice: key 'gamma' has no effect here: adv_estimator grpo does not read it");
    run.log("from step 0 on served by roll.estimator.grpo 0.2.0, roll.loss.ppo 0.2.0");
    run.steps(0, steps / 2);
    run.log("from step " + steps / 2 + " on: loss ppo → gspo");
    run.log(
        "from step " + steps / 2 + " on served by roll.estimator.grpo 0.2.0, roll.loss.gspo 0.2.0");
    run.steps(steps / 2, steps);
    run.log("ended after step " + steps);
    return run.trajectories(0, 2, 4);
  }

  /** The folder. */
  public Path folder() {
    return folder;
  }

  /** The file {@code metrics.jsonl}. */
  public Path metrics() {
    return folder.resolve("metrics.jsonl");
  }

  /** Writes {@code config.yaml}. */
  public RunFolderMaker config(String yaml) throws IOException {
    Files.writeString(folder.resolve("config.yaml"), yaml);
    return this;
  }

  /** Adds a line to {@code run.log}, a second later than the line before. */
  public RunFolderMaker log(String text) throws IOException {
    append("run.log", BEGIN.plusSeconds(seconds++) + " " + text + "\n");
    return this;
  }

  /** Adds the line of a step to {@code metrics.jsonl}; NaN is written as {@code null}. */
  public RunFolderMaker step(int step, Map<String, Double> metrics) throws IOException {
    append("metrics.jsonl", line(step, metrics));
    return this;
  }

  /** The line that {@code metrics.jsonl} has of a step, with its end. */
  public static String line(int step, Map<String, Double> metrics) {
    JsonObject values = new JsonObject();
    metrics.forEach(
        (name, value) -> {
          if (Double.isFinite(value)) {
            values.addProperty(name, value);
          } else {
            values.add(name, JsonNull.INSTANCE);
          }
        });
    JsonObject line = new JsonObject();
    line.addProperty("step", step);
    line.add("metrics", values);
    return line + "\n";
  }

  /** Adds metrics and phases of the steps from {@code from} to before {@code to}. */
  public RunFolderMaker steps(int from, int to) throws IOException {
    for (int step = from; step < to; step++) {
      step(step, RunMetrics.of(step));
      log("phase rollout 1.250 s, 812 MB");
      log("phase train 0.500 s, 824 MB");
    }
    return this;
  }

  /** Shortens {@code metrics.jsonl} as a run does that continues with {@code firstStep}. */
  public RunFolderMaker cutBackTo(int firstStep) throws IOException {
    Path beside = folder.resolve("metrics.jsonl.new");
    Files.write(
        beside,
        Files.readAllLines(metrics()).stream().filter(line -> step(line) < firstStep).toList());
    Files.move(
        beside, metrics(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return this;
  }

  private static int step(String line) {
    return JsonParser.parseString(line).getAsJsonObject().get("step").getAsInt();
  }

  /** Writes {@code trajectories/step-<step>.jsonl}: groups of episodes that solve it by turns. */
  public RunFolderMaker trajectories(int step, int groups, int members) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int group = 0; group < groups; group++) {
      for (int member = 0; member < members; member++) {
        lines.append(trajectory(step, group, member)).append('\n');
      }
    }
    return trajectories(step, lines.toString());
  }

  /** Writes {@code trajectories/step-<step>.jsonl} with {@code text}. */
  public RunFolderMaker trajectories(int step, String text) throws IOException {
    Path place = Files.createDirectories(folder.resolve("trajectories"));
    Files.writeString(place.resolve("step-" + step + ".jsonl"), text);
    return this;
  }

  /** An episode of two turns, as a run writes it. */
  public static JsonObject trajectory(int step, int group, int member) {
    boolean solved = (group + member) % 2 == 0;
    JsonObject line = new JsonObject();
    line.addProperty("id", "train/%d/%s/%d/%d".formatted(step, TAG, group, member));
    line.addProperty("tag", TAG);
    line.addProperty("group", group);
    line.addProperty("episode", step);
    line.addProperty("member", member);
    line.addProperty("seed", 1000L + group);
    line.addProperty("score", solved ? 1.0 : -0.1);
    line.addProperty("finish", solved ? "terminal" : "max_turns");
    line.addProperty("environment", "frozen_lake");
    line.add("rewards", array(0.0, solved ? 1.0 : -0.1));
    line.add("states", array(11, 12));
    if (member == 0) {
      line.add("cut", array(0));
    }
    JsonArray messages = new JsonArray();
    messages.add(message("system", "You walk on a frozen lake."));
    messages.add(message("user", "P _\nO G"));
    messages.add(message("assistant", "Right"));
    messages.add(message("user", "_ P\nO G"));
    messages.add(message("assistant", solved ? "Down" : "Left"));
    line.add("messages", messages);
    line.add("facts", new JsonObject());
    JsonObject metrics = new JsonObject();
    metrics.addProperty("success", solved ? 1.0 : 0.0);
    line.add("metrics", metrics);
    JsonObject sequence = new JsonObject();
    sequence.add("tokens", array(1, 2, 3, 4, 5));
    sequence.add("texts", texts("P _\n", "O G", "Right", "_ P\nO G", solved ? "Down" : "Left"));
    sequence.add("turns", array(-1, -1, 0, -1, 1));
    sequence.add("log_probs", array(0.0, 0.0, -0.25, 0.0, solved ? -0.5 : -3.0));
    sequence.add("versions", array(-1, -1, step, -1, step));
    JsonArray sequences = new JsonArray();
    sequences.add(sequence);
    line.add("sequences", sequences);
    return line;
  }

  private static JsonObject message(String role, String content) {
    JsonObject message = new JsonObject();
    message.addProperty("role", role);
    message.addProperty("content", content);
    return message;
  }

  private static JsonArray array(Number... numbers) {
    JsonArray array = new JsonArray();
    List.of(numbers).forEach(array::add);
    return array;
  }

  private static JsonArray texts(String... texts) {
    JsonArray array = new JsonArray();
    List.of(texts).forEach(array::add);
    return array;
  }

  private void append(String name, String text) throws IOException {
    Files.write(
        folder.resolve(name),
        text.getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
