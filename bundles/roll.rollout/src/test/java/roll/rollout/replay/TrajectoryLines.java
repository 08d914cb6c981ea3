package roll.rollout.replay;

import com.google.gson.GsonBuilder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.rollout.CharTokenizer;

/** Trajectories of {@link CharTokenizer} as lines of a file, as far as they are read here. */
@NullMarked
final class TrajectoryLines {
  private TrajectoryLines() {}

  static String of(Trajectory played) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("id", played.id());
    line.put("tag", played.tag());
    line.put("group", played.key().group());
    line.put("episode", played.key().episode());
    line.put("member", played.key().member());
    line.put("seed", played.key().seed());
    line.put("finish", played.finish());
    line.put("rewards", played.rewards());
    line.put("states", played.states());
    line.put(
        "messages",
        played.messages().stream()
            .map(said -> new RecordedLine.Said(said.role(), said.content()))
            .toList());
    line.put("sequences", played.sequences().stream().map(TrajectoryLines::sequence).toList());
    return new GsonBuilder().disableHtmlEscaping().create().toJson(line);
  }

  private static RecordedLine.Tokens sequence(Sequence sequence) {
    List<String> texts =
        Arrays.stream(sequence.tokens())
            .mapToObj(token -> CharTokenizer.chatMl().decode(new int[] {token}, true))
            .toList();
    return new RecordedLine.Tokens(sequence.turns(), texts, sequence.versions());
  }
}
