package roll.ui;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.file.Path;

/** Folders of runs in which every external text is a given one. */
final class RecordedRun {
  private static final int GROUPS = 3;
  private static final int MEMBERS = 4;

  private RecordedRun() {}

  /** Creates the folder {@code name} in {@code runs}, of a run of {@code steps} steps. */
  static Path write(Path runs, String name, int steps, String words) throws IOException {
    RunFolderMaker run =
        RunFolderMaker.in(runs.resolve(name))
            .config("exp_name: '%s'\nmax_steps: %d\n# %s\n".formatted(name, steps, words))
            .log("notice: " + words)
            .log("from step 0 on served by roll.estimator.grpo 0.2.0, roll.loss.ppo 0.2.0")
            .steps(0, steps)
            .log("from step " + steps / 2 + " on: loss ppo → " + words)
            .log("ended after step " + steps);
    for (int step = 0; step < steps; step += 10) {
      run.trajectories(step, episodes(step, words));
    }
    return run.folder();
  }

  private static String episodes(int step, String words) {
    StringBuilder lines = new StringBuilder();
    for (int group = 0; group < GROUPS; group++) {
      for (int member = 0; member < MEMBERS; member++) {
        lines.append(said(RunFolderMaker.trajectory(step, group, member), words)).append('\n');
      }
    }
    return lines.toString();
  }

  /** Appends {@code words} to all texts of {@code line}. */
  private static JsonObject said(JsonObject line, String words) {
    for (JsonElement message : line.getAsJsonArray("messages")) {
      String content = message.getAsJsonObject().get("content").getAsString();
      message.getAsJsonObject().addProperty("content", content + words);
    }
    for (JsonElement sequence : line.getAsJsonArray("sequences")) {
      JsonArray texts = sequence.getAsJsonObject().getAsJsonArray("texts");
      texts.set(2, new JsonPrimitive(texts.get(2).getAsString() + words));
    }
    line.addProperty("answer", words);
    line.addProperty("finish", words);
    line.getAsJsonObject("facts").addProperty("note", words);
    return line;
  }
}
