package roll.core.step;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import roll.api.data.Batch;

/** Steps of whose scores nothing is learned, since the samples of every group have the same. */
final class NoSignalNotice {
  private NoSignalNotice() {}

  /** Adds a notice if no token of {@code batch} has an advantage for that reason. */
  static void tell(Batch batch, Consumer<String> notices) {
    double[] advantages = batch.column(Batch.ADVANTAGES);
    boolean[] mask = batch.layout().mask();
    double[] scores = batch.column(Batch.SCORES);
    if (scores.length == 0
        || IntStream.range(0, mask.length).anyMatch(t -> mask[t] && advantages[t] != 0)) {
      return;
    }
    Map<String, Double> first = new HashMap<>();
    List<String> groups = batch.column(Batch.GROUP_IDS);
    for (int i = 0; i < scores.length; i++) {
      Double other = first.putIfAbsent(groups.get(i), scores[i]);
      if (other != null && other != scores[i]) {
        return;
      }
    }
    notices.accept(
        "every advantage is 0: all samples of a group scored alike, in each of %d groups (from %s to %s); nothing is learned from them"
            .formatted(
                first.size(),
                Arrays.stream(scores).min().orElseThrow(),
                Arrays.stream(scores).max().orElseThrow()));
  }
}
