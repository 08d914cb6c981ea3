package roll.reward.guideline;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import roll.api.option.UserException;

/** Logs each solution as a line of a file, in grading order. */
final class SolverLog {
  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

  private final Path folder;

  /** Creates a log in {@code folder}, which is created with the first line. */
  SolverLog(Path folder) {
    this.folder = folder;
  }

  /**
   * Appends a line to the log in one write, so that other processes may append too.
   *
   * @throws UserException if it cannot be written
   */
  synchronized void append(
      String question, String guideline, String solution, List<String> golds, double reward) {
    JsonObject line = new JsonObject();
    line.addProperty("question", question);
    line.addProperty("guideline", guideline);
    line.addProperty("solver_output", solution);
    line.add("ground_truth", GSON.toJsonTree(golds.size() == 1 ? golds.getFirst() : golds));
    line.addProperty("reward", reward);
    Path file = folder.resolve("solver.jsonl");
    try {
      Files.createDirectories(folder);
      Files.write(
          file,
          (GSON.toJson(line) + "\n").getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UserException("log_dir: cannot write " + file, e);
    }
  }
}
