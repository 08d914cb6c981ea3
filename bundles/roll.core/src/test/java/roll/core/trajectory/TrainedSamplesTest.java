package roll.core.trajectory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.Batch;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.tracking.SpanData;
import roll.api.tracking.Tracing;
import roll.batching.TrajectoryBatch;
import roll.runtime.trace.TraceScope;
import roll.runtime.trace.Tracer;
import roll.testkit.CharacterTokenizer;

/** Samples find their way back to the sequences that they were made of. */
class TrainedSamplesTest {
  private static final CharacterTokenizer TOKENIZER = new CharacterTokenizer(200);

  /** Two turns, a sequence each; of the second episode the policy wrote two tokens a turn. */
  private static Trajectory played(int member, int written) {
    Sequence first = sequence(0, written);
    Sequence second = sequence(1, written);
    return new Trajectory(
        new TrajectoryKey("Game", 0, 0, member, 4),
        List.of(first, second),
        new double[] {0, member},
        new long[] {1, 2},
        List.of(new Message("user", "a"), new Message("assistant", "b")),
        Map.of(),
        "terminated");
  }

  private static Sequence sequence(int turn, int written) {
    int[] turns = new int[1 + written];
    Arrays.fill(turns, turn);
    turns[0] = -1;
    int[] tokens = new int[turns.length];
    Arrays.fill(tokens, 'a' + turn);
    return new Sequence(tokens, turns, new double[turns.length], new long[turns.length]);
  }

  private static Batch estimated(List<Trajectory> played) {
    Batch batch = TrajectoryBatch.of(played);
    double[] numbers = new double[batch.size()];
    for (int t = 0; t < numbers.length; t++) {
      numbers[t] = t + 0.5;
    }
    return batch.withColumn(Batch.ADVANTAGES, numbers).withColumn(Batch.OLD_LOG_PROBS, numbers);
  }

  @Test
  void cellsAreThoseOfTheSequence() {
    List<Trajectory> played = List.of(played(0, 1), played(1, 2));
    Batch batch = estimated(played);
    TrainedSamples samples = TrainedSamples.of(batch, batch, true);
    TrainedTokens tokens = samples.of(played.get(1).id(), 1);
    // tokens 0 to 3 are the first episode's, 4 to 6 its second one's first sequence
    assertArrayEquals(new double[] {0, 8.5, 9.5}, tokens.advantages());
    assertArrayEquals(new double[] {0, 8.5, 9.5}, tokens.oldLogProbs());
    assertNull(tokens.referenceLogProbs());
    assertArrayEquals(new boolean[] {false, true, true}, tokens.mask());
    assertNull(samples.of("Game_9", 0));
  }

  @Test
  void whatIsLeftOutIsNotTrainedOn() {
    List<Trajectory> played = List.of(played(0, 1), played(1, 2));
    Batch batch = estimated(played);
    boolean[] kept = new boolean[batch.size()];
    Arrays.fill(kept, true);
    kept[9] = false;
    Batch filtered = batch.keeping(kept);
    TrainedSamples samples = TrainedSamples.of(filtered, filtered.select(new int[] {0, 3}), true);
    assertArrayEquals(
        new boolean[] {false, true, false}, samples.of(played.get(1).id(), 1).mask(), "a filter");
    assertArrayEquals(
        new double[] {0, 8.5, 0}, samples.of(played.get(1).id(), 1).advantages(), "a filter");
    assertArrayEquals(
        new boolean[] {false, false, false},
        samples.of(played.get(1).id(), 0).mask(),
        "the size of the batch");
    assertArrayEquals(new double[] {0, 5.5, 6.5}, samples.of(played.get(1).id(), 0).advantages());
    assertArrayEquals(new boolean[] {false, true}, samples.of(played.get(0).id(), 0).mask());
  }

  @Test
  void logProbsThatWereTakenOverAreNotOldOnes() {
    Batch batch = estimated(List.of(played(0, 1)));
    assertNull(TrainedSamples.of(batch, batch, false).of("Game_0_0_4_0", 0).oldLogProbs());
  }

  /** Traces whose ids are their names. */
  private record NamedTraces() implements Tracing {
    @Override
    public Trace trace(String name) {
      return new Trace("id of " + name, "http://t/1");
    }

    @Override
    public void ended(SpanData span) {}
  }

  @Test
  void filesHaveThemAndAreReadWithoutThem(@TempDir Path run) throws IOException {
    List<Trajectory> played = List.of(played(0, 1), played(1, 2));
    Batch batch = estimated(played);
    TrajectoryFiles files = new TrajectoryFiles(run, TOKENIZER);
    TraceScope traces = new Tracer(NamedTraces::new).scope(TraceScope.TRAIN);
    files.write(3, played, TrainedSamples.of(batch, batch, true), traces);
    files.write(4, played, TraceScope.NONE);
    List<String> lines = Files.readAllLines(run.resolve("trajectories/step-3.jsonl"));
    List<String> without = Files.readAllLines(run.resolve("trajectories/step-4.jsonl"));
    JsonArray sequences =
        JsonParser.parseString(lines.get(1)).getAsJsonObject().getAsJsonArray("sequences");
    JsonObject last = sequences.get(1).getAsJsonObject();
    assertEquals("[0.0,8.5,9.5]", last.get("advantages").toString());
    assertEquals("[0,1,1]", last.get("mask").toString());
    assertFalse(last.has("ref_log_probs"));
    assertFalse(without.get(1).contains("advantages"));
    String trace = "\"trace_id\":\"id of train/%s\",\"trace_link\":\"http://t/1\"}";
    assertTrue(lines.get(0).endsWith(trace.formatted(played.get(0).id())), lines.get(0));
    assertTrue(lines.get(1).endsWith(trace.formatted(played.get(1).id())), lines.get(1));
    assertFalse(without.get(1).contains("trace_"));
    PictureFiles pictures = new PictureFiles(run);
    for (int i = 0; i < 2; i++) { // what is read does not depend on it
      Trajectory read = TrajectoryJson.read(object(lines.get(i)), pictures);
      assertEquals(
          without.get(i), TrajectoryJson.write(read, new TokenTexts(TOKENIZER)), "line " + i);
    }
    try (Stream<Path> all = Files.list(run.resolve("trajectories"))) {
      assertEquals(2, all.count(), "nothing else is left");
    }
  }

  private static JsonObject object(String line) {
    return JsonParser.parseString(line).getAsJsonObject();
  }
}
