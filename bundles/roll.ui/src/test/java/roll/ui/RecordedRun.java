package roll.ui;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

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
      Path times = Files.createDirectories(run.folder().resolve("times"));
      Files.writeString(times.resolve("step-" + step + ".jsonl"), times(step, words));
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

  private static String times(int step, String words) {
    StringBuilder lines = new StringBuilder();
    for (int group = 0; group < GROUPS; group++) {
      JsonObject line = new JsonObject();
      line.add("id", RunFolderMaker.trajectory(step, group, 1).get("id"));
      JsonArray times = new JsonArray();
      times.add(part("episode", 0, 0, 90, null));
      times.add(part("environment reset", 1, 0, 10, null));
      times.add(part("turn", 1, 10, 40, null));
      times.add(part("chat policy", 2, 10, 30, words));
      times.add(part("queue", 3, 10, 20, null));
      times.add(part("generate", 3, 30, 10, null));
      times.add(part("execute_tool " + words, 2, 40, 10, null));
      times.add(part("turn", 1, 50, 40, null));
      times.add(part("environment step", 2, 60, 20, null));
      times.add(new JsonArray());
      line.add("times", times);
      lines.append(line).append('\n');
    }
    return lines.toString();
  }

  private static JsonArray part(
      String name, int depth, int begun, int took, @Nullable String waitedFor) {
    JsonArray part = new JsonArray();
    part.add(name);
    part.add(depth);
    part.add(begun);
    part.add(took);
    if (waitedFor != null) {
      part.add(waitedFor);
    }
    return part;
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
