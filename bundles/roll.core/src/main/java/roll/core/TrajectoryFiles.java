package roll.core;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.data.Trajectory;

/** Writes trajectories as text for people and programs: {@code trajectories/step-N.jsonl}. */
final class TrajectoryFiles {
  private static final Gson GSON =
      new GsonBuilder()
          .disableHtmlEscaping()
          .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
          .create();

  private final Path folder;

  TrajectoryFiles(Path run) {
    folder = run.resolve("trajectories");
  }

  /** Writes the trajectories of a step, one JSON object a line. */
  void write(int step, List<Trajectory> trajectories) throws IOException {
    Files.createDirectories(folder);
    try (Writer out = Files.newBufferedWriter(folder.resolve("step-" + step + ".jsonl"))) {
      for (Trajectory trajectory : trajectories) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("id", trajectory.id());
        line.put("tag", trajectory.tag());
        line.put("score", trajectory.score());
        line.put("finish", trajectory.finish());
        line.put("rewards", trajectory.rewards());
        line.put("messages", trajectory.messages());
        line.put("metrics", trajectory.metrics());
        line.put("sequences", trajectory.sequences());
        GSON.toJson(line, out);
        out.write('\n');
      }
    }
  }
}
