package roll.ui.trajectory;

import com.google.gson.Gson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Generated lines of episodes. */
final class EpisodeLines {
  private static final Gson GSON = new Gson();

  private EpisodeLines() {}

  /**
   * Returns an episode of two turns with a tool call between them.
   *
   * @param number of its group; its member is 0
   * @param written tokens of each turn
   * @param logProb of each token
   * @param advantage of each token; NaN for none
   */
  static String line(int number, double score, int written, double logProb, double advantage) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("id", "Game_" + number + "_0_" + 2 * number + "_0");
    line.put("tag", "Game");
    line.put("group", number);
    line.put("episode", 0);
    line.put("member", 0);
    line.put("seed", 2 * number);
    line.put("score", score);
    line.put("finish", score > 0 ? "terminated" : "max_steps");
    if (score < 0) {
      line.put("cut", List.of(1));
    }
    line.put("rewards", new double[] {0, score});
    line.put("states", new long[] {number, number + 1});
    line.put(
        "messages",
        List.of(
            said("system", "Play."),
            said("user", "Room " + number),
            said("assistant", "look"),
            Map.of("role", "tool", "content", "a Key", "tool", "eyes"),
            said("assistant", "take key " + number)));
    line.put("metrics", Map.of("success", score > 0 ? 1.0 : 0.0));
    line.put("sequences", List.of(sequence(written, logProb, advantage)));
    return GSON.toJson(line);
  }

  private static Map<String, String> said(String role, String content) {
    return Map.of("role", role, "content", content);
  }

  private static Map<String, Object> sequence(int written, double logProb, double advantage) {
    List<Integer> turns = new ArrayList<>(List.of(-1));
    List<Double> logProbs = new ArrayList<>(List.of(0.0));
    List<Double> advantages = new ArrayList<>(List.of(0.0));
    List<Double> old = new ArrayList<>(List.of(0.0));
    List<Integer> mask = new ArrayList<>(List.of(0));
    for (int turn = 0; turn < 2; turn++) {
      for (int t = 0; t < written; t++) {
        turns.add(turn);
        logProbs.add(logProb);
        advantages.add(advantage);
        old.add(logProb + Math.log(2));
        mask.add(1);
      }
    }
    Map<String, Object> sequence = new LinkedHashMap<>();
    sequence.put("tokens", turns.stream().map(turn -> turn + 1).toList());
    sequence.put("texts", turns.stream().map(turn -> "t").toList());
    sequence.put("turns", turns);
    sequence.put("log_probs", logProbs);
    sequence.put("versions", turns);
    if (!Double.isNaN(advantage)) {
      sequence.put("advantages", advantages);
      sequence.put("old_log_probs", old);
      sequence.put("mask", mask);
    }
    return sequence;
  }

  /** Writes {@code lines} as the file of {@code step} of the run in {@code folder}. */
  static Path write(Path folder, int step, String... lines) throws IOException {
    Path trajectories = Files.createDirectories(folder.resolve("trajectories"));
    return Files.write(trajectories.resolve("step-" + step + ".jsonl"), Arrays.asList(lines));
  }
}
